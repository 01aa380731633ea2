-- First and second order beside each other on the exact solutions: shallow_water on n cells across, shallow_water_2 on n/2, a quarter of the cells.
-- Prints the table that stands in cases/README.md; fails where the second order is not the better one.
--   cd BUILD/tests/physics/scripts && edgewise run -q second_order.lua
local expect = require "expect"
local device = expect.device or "c"
local g, pi = 9.81, math.pi
local sides = {"left", "right", "bottom", "top"}
local output = { folder = "second_order_out", vtu = false }

local function strip(n, length) return mesh.rectangle { x = {0, length}, y = {0, 2*length/n}, nx = n, ny = 2 } end
local function square(n, low, high)
  return mesh.rectangle { x = {low, high}, y = {low, high}, nx = n, ny = n, pattern = "alternating" }
end

-- Each solves with a scheme on n cells across and gives the mean error of the depth over a scale of the problem.
local solve = {}

function solve.bump(scheme, n)
  local q, eta, length = 4.42, 2, 25
  local exact = require "bump"(q, eta, g)
  local r = run(case { scheme = scheme, device = device, mesh = strip(n, length), given = { z = exact.bed, n = 0 },
    initial = { h = function(x) return eta - exact.bed(x) end, q = 0 },
    boundary = { { "left", "inflow", discharge = q }, { "right", "level", eta = eta }, { {"bottom", "top"}, "wall" } },
    time = { stop = 150 }, output = output })
  return r:l1("h", exact.depth)/eta
end

function solve.wave(scheme, n)
  local k, a = pi, 1e-4
  local c = math.sqrt(2*g)
  local function wave(x, y, t) return 1 + a*math.cos(k*x)*math.cos(k*y)*math.cos(k*c*t) end
  local r = run(case { scheme = scheme, device = device, mesh = square(n, 0, 1), given = { z = 0, n = 0 },
    initial = { h = function(x, y) return wave(x, y, 0) end, q = 0 }, boundary = { { sides, "wall" } },
    time = { stop = 0.8*2*pi/(k*c) }, output = output })
  return r:l1("h", wave)/a
end

function solve.thacker(scheme, n)
  local basin = require "basin"(1, 0.8, 0.1, g)
  local r = run(case { scheme = scheme, device = device, mesh = square(n, -2, 2), given = { z = basin.bed, n = 0 },
    initial = { h = function(x, y) return basin.depth(x, y, 0) end, q = 0 }, boundary = { { sides, "wall" } },
    time = { stop = basin.period }, output = output })
  return r:l1("h", basin.depth)*16/basin.volume
end

local function dam_break(scheme, n, behind, depth)
  local r = run(case { scheme = scheme, device = device,
    mesh = mesh.rectangle { x = {0, 10}, y = {0, 40/n}, nx = n, ny = 4, pattern = "alternating" },
    parameters = { g = g, froude = 1000 }, given = { z = 0, n = 0 },
    initial = { h = function(x) return x < 5 and 0.005 or behind end, q = 0 },
    boundary = { { {"left", "right"}, "outflow" }, { {"bottom", "top"}, "wall" } }, time = { stop = 6 }, output = output })
  return r:l1("h", function(x, y, t) return depth(x - 5, y, t) end)/0.005
end
function solve.stoker(scheme, n) return dam_break(scheme, n, 0.001, require "stoker"(0.005, 0.001, g).depth) end
function solve.ritter(scheme, n) return dam_break(scheme, n, 0, require "ritter"(0.005, g).depth) end

local function channel(scheme, n, error_of)
  local q, manning, length = 2, 0.033, 1000
  local exact, dx = require "channel"(q, manning, length, g), length/n
  local last = exact.bed(scheme == "shallow_water" and length - dx/3 or length) -- the first order sees the bed of the last cells' centres
  local r = run(case { scheme = scheme, device = device, mesh = strip(n, length), given = { z = exact.bed, n = manning },
    initial = { h = 0.8, q = {q, 0} },
    boundary = { { "left", "inflow", discharge = q }, { {"bottom", "top"}, "wall" },
      { "right", "level", eta = exact.depth(length) + last } },
    time = { stop = 4000 }, output = output })
  return error_of(r, exact)/(r:integral("h")/(2*dx*length))
end
function solve.macdonald(scheme, n) return channel(scheme, n, function(r, exact) return r:l1("h", exact.depth) end) end
-- Between x = 200 m and 800 m, away from inlet and outlet.
function solve.inside(scheme, n)
  return channel(scheme, n, function(r, exact)
    local h, at, sum, count = r:field "h", r:centres(), 0, 0
    for i = 1, #h do
      if at[i][1] > 200 and at[i][1] < 800 then sum, count = sum + math.abs(h[i] - exact.depth(at[i][1])), count + 1 end
    end
    return sum/count
  end)
end

-- The second order is one; MacDonald's channel as a whole has 1.79 here and 1.87 from n = 50 to 100.
local smooth = { bump = 1.8, wave = 1.8, macdonald = 1.7, inside = 1.8 }
local problems = {
  { "bump", "flow over a bump, of the level", 100 },
  { "wave", "a standing wave of 0.1 mm, of its height", 48 },
  { "thacker", "Thacker's basin after a period, of the mean depth", 50 },
  { "stoker", "Stoker's dam break, of the depth behind it", 100 },
  { "ritter", "Ritter's, on a dry bed", 100 },
  { "macdonald", "MacDonald's channel, of the mean depth", 50 },
  { "inside", "the same, 200 m away from its ends", 50 },
}
print("| exact solution | n | first order, n | second order, n/2 | order of the first | of the second |")
print("|---|---|---|---|---|---|")
for _, p in ipairs(problems) do
  local name, words, n = table.unpack(p)
  local first, coarse = solve[name]("shallow_water", n), solve[name]("shallow_water", n//2)
  local second, finer = solve[name]("shallow_water_2", n//2), solve[name]("shallow_water_2", n)
  print(string.format("| %s | %d | %.2e | %.2e | %.2f | %.2f |", words, n, first, second, math.log(coarse/first, 2), math.log(second/finer, 2)))
  local least = smooth[name]
  if least and math.log(second/finer, 2) < least then error(words..": the second order is below "..least, 0) end
  if second > first then error(words..": the second order is not the better one on a quarter of the cells", 0) end
end
