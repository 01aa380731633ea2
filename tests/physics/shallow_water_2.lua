-- The scheme of second order beside what exact solutions say, and beside the first order's errors on meshes of four times as many cells
-- (thacker.lua, dam_breaks.lua, macdonald.lua, steady_bump.lua).
local expect = require "expect"
local device = expect.device or "c"
local g = 9.81
local sides = {"left", "right", "bottom", "top"}
local function quiet(more) more = more or {}; more.folder, more.vtu = "shallow_water_2_out", false; return more end

-- ---- smooth: orders of 1.8 and more

local errors, r = {}, nil
do
  local q, level, length = 4.42, 2, 25
  local exact = require "bump"(q, level, g)
  for i, n in ipairs { 25, 50 } do
    r = run(case {
      scheme = "shallow_water_2", device = device, mesh = mesh.rectangle { x = {0, length}, y = {0, 2*length/n}, nx = n, ny = 2 },
      given = { z = exact.bed, n = 0 }, initial = { h = function(x) return level - exact.bed(x) end, q = 0 },
      boundary = { { "left", "inflow", discharge = q }, { "right", "level", eta = level }, { {"bottom", "top"}, "wall" } },
      time = { stop = 150 }, output = quiet(),
    })
    errors[i] = r:l1("h", exact.depth)
  end
  expect.order("flow over a bump, depth [m]", errors, { 1.25e-3, 2.5e-4 }, 1.8) -- first order, n = 100: 3.4e-4
  expect.near("flow over a bump, discharge", r:min("q.x"), q, 0.01)
end

do -- a wave of 0.1 mm that goes to and fro along the diagonal of a basin, once
  local k, a = math.pi, 1e-4
  local c = math.sqrt(2*g)
  local function wave(x, y, t) return 1 + a*math.cos(k*x)*math.cos(k*y)*math.cos(k*c*t) end
  for i, n in ipairs { 24, 48 } do
    r = run(case {
      scheme = "shallow_water_2", device = device,
      mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, pattern = "alternating" }, given = { z = 0, n = 0 },
      initial = { h = function(x, y) return wave(x, y, 0) end, q = 0 }, boundary = { { sides, "wall" } },
      time = { stop = 0.8*2*math.pi/(k*c) }, output = quiet(),
    })
    errors[i] = r:l1("h", wave)/a
  end
  expect.order("a standing wave, of its height", errors, { 1.4e-3, 3.6e-4 }, 1.8)
end

-- ---- shores, fronts, friction

do
  local basin = require "basin"(1, 0.8, 0.1, g)
  local volume
  for i, n in ipairs { 25, 50 } do
    r = run(case {
      scheme = "shallow_water_2", device = device,
      mesh = mesh.rectangle { x = {-2, 2}, y = {-2, 2}, nx = n, ny = n, pattern = "alternating" }, given = { z = basin.bed, n = 0 },
      initial = { h = function(x, y) return basin.depth(x, y, 0) end, q = 0 }, boundary = { { sides, "wall" } },
      time = { stop = basin.period }, output = quiet(),
      on_output = function(run, number) if number == 0 then volume = run:integral("h") end end,
    })
    errors[i] = r:l1("h", basin.depth)*16/basin.volume
    expect.near("Thacker: volume", r:integral("h")/volume, 1, 1e-13)
  end
  expect.order("Thacker, after one period", errors, { 0.065, 0.023 }, 1.4) -- first order, n = 50, 100: 0.109, 0.055
end

local function dam_break(what, hr, depth, limits)
  for i, n in ipairs { 50, 100 } do
    r = run(case {
      scheme = "shallow_water_2", device = device,
      mesh = mesh.rectangle { x = {0, 10}, y = {0, 40/n}, nx = n, ny = 4, pattern = "alternating" },
      parameters = { g = g, froude = 1000 }, given = { z = 0, n = 0 },
      initial = { h = function(x) return x < 5 and 0.005 or hr end, q = 0 },
      boundary = { { {"left", "right"}, "outflow" }, { {"bottom", "top"}, "wall" } }, time = { stop = 6 }, output = quiet(),
    })
    errors[i] = r:l1("h", function(x, y, t) return depth(x - 5, y, t) end)/0.005
  end
  expect.order(what, errors, limits, 0.9)
  expect.above(what..": least depth", r:min("h"), -1e-15)
end
dam_break("Stoker", 0.001, require "stoker"(0.005, 0.001, g).depth, { 5.2e-3, 2.6e-3 }) -- first order, n = 100, 200: 7.5e-3, 4.4e-3
dam_break("Ritter", 0, require "ritter"(0.005, g).depth, { 4.4e-3, 2.3e-3 })            -- 6.8e-3, 4.5e-3

do
  local q, manning, length = 2, 0.033, 1000
  local exact = require "channel"(q, manning, length, g)
  for i, n in ipairs { 25, 50, 100 } do
    local dx = length/n
    r = run(case {
      scheme = "shallow_water_2", device = device, mesh = mesh.rectangle { x = {0, length}, y = {0, 2*dx}, nx = n, ny = 2 },
      given = { z = exact.bed, n = manning }, initial = { h = 0.8, q = {q, 0} },
      boundary = { { "left", "inflow", discharge = q }, { "right", "level", eta = exact.depth(length) + exact.bed(length) },
                   { {"bottom", "top"}, "wall" } },
      time = { stop = 4000 }, output = quiet(),
    })
    errors[i] = r:l1("h", exact.depth)/(r:integral("h")/(2*dx*length))
  end
  expect.order("MacDonald", errors, { 6e-4, 1.7e-4, 4.7e-5 }, 1.7) -- first order with friction in cells, n = 50, 100: 0.045, 0.023
end

-- ---- open boundaries are exact for linear fields: uniform flow down a plane, slower and faster than its waves

do
  local q, manning, length = 2, 0.033, 100
  for _, slope in ipairs { 0.002, 0.02 } do -- Froude numbers 0.45 and 1.27
    local h = (manning^2*q^2/slope)^0.3
    local slow = slope == 0.002
    r = run(case {
      scheme = "shallow_water_2", device = device, mesh = mesh.rectangle { x = {0, length}, y = {0, 40}, nx = 20, ny = 8 },
      given = { z = function(x) return -slope*x end, n = manning }, initial = { h = h, q = {q, 0} },
      boundary = { slow and { "left", "inflow", discharge = q } or { "left", "torrent", depth = h, discharge = q },
                   slow and { "right", "level", eta = h - slope*length } or { "right", "outflow" }, { {"bottom", "top"}, "wall" } },
      time = { stop = 100 }, output = quiet(),
    })
    expect.below("uniform flow on a slope of "..slope..", depth [m]", r:linf("h", function() return h end), 1e-12)
  end
end

-- ---- lakes at rest, wet and dry, on rough ground, within walls and beside a lake outside: a disturbance of 1e-10 m does not grow

local function number(x, y) local s = math.sin(x*127.1 + y*311.7)*43758.5453; return s - math.floor(s) end
for lake = 14, 16 do
  local rough = 0.1 + 0.2*number(lake, 1)
  local eta = rough*(0.3 + 0.9*number(lake, 2))
  local function bed(x, y) return rough*number(x + lake, y) end
  for rule, boundary in pairs { wall = { { sides, "wall" } }, level = { { sides, "level", eta = eta } } } do
    for _, push in ipairs { 0, 1e-10 } do
      r = run(case {
        scheme = "shallow_water_2", device = device,
        mesh = mesh.rectangle { x = {0, 12}, y = {0, 5}, nx = 30, ny = 12, jitter = 0.45, pattern = "alternating", seed = lake },
        given = { z = bed, n = 0 },
        initial = { h = function(x, y)
          local h = eta - bed(x, y)
          return h > 0 and h + push*(number(y, x) - 0.5)*math.min(1, h/0.01) or 0
        end, q = 0 },
        boundary = boundary, time = { steps = 2000 }, output = quiet(),
      })
      expect.below("lake "..lake..", "..rule..", pushed by "..push..": largest discharge", r:max("q"), push == 0 and 1e-13 or 2e-10)
    end
  end
end
