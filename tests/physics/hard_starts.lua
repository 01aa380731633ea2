-- Random starts that are hard on an explicit step: lids from rest, inflow into rest, boxes stretched up to 1:1000, hydrographs on dry ground.
-- Cells are jittered however much they are stretched: angles come near to 180 degrees. None explodes, none passes a knot of a series, all
-- water that enters is there, to 1e-12. All 200: -D cases=200.
local expect = require "expect"
local arg = arguments { cases = 8, first = 0, steps = 100 }
local device = expect.device or "c"

local robust = { convection = "skew", pressure_tau = "one" } -- the paper's forms are for cells that are stretched little

local function quiet(more)
  more = more or {}
  more.folder, more.vtu = "hard_starts_out", false
  return more
end

local random -- of the case: uniform in [a, b), or among so many whole numbers
local function seed(n)
  local state = (n*7919 + 104729) % 2147483647
  function random(a, b)
    state = state*48271 % 2147483647
    return a + (b - a)*state/2147483647
  end
  for _ = 1, 5 do random(0, 1) end
end
local function among(list) return list[1 + math.floor(random(0, #list))] end
local function decades(a, b) return 10^random(a, b) end

local function box()
  local long, stretch, jitter = random(0, 1) < 0.5, decades(0, 3), random(0, 0.3)
  local x, y = long and stretch or 1, long and 1 or stretch
  return x, y, math.floor(random(6, 14)), math.floor(random(6, 14)), jitter
end

-- ---- incompressible flow

local function lid(number)
  local x, y, nx, ny, jitter = box()
  local nu, U = decades(-6, -2), decades(-1, 1)
  local r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = nu }, variants = robust,
    mesh = mesh.rectangle { x = {0, x}, y = {0, y}, nx = nx, ny = ny, jitter = jitter, pattern = among { "right", "alternating" },
                            seed = number },
    given = { b = 0 }, initial = { u = 0, p = 0 },
    boundary = { { {"left", "right", "bottom"}, "fixed", U = 0 }, { "top", "fixed", U = {U, 0} } },
    time = { steps = arg.steps }, output = quiet(),
  })
  return string.format("lid, %.3g by %.3g m, nu %.1e", x, y, nu), math.max(r:max("u.x"), -r:min("u.x"))/U
end

local function inflow(number)
  local x, y, nx, ny, jitter = box()
  local nu, U = decades(-6, -2), decades(-1, 1)
  local r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = nu }, variants = robust,
    mesh = mesh.rectangle { x = {0, x}, y = {0, y}, nx = nx, ny = ny, jitter = jitter, seed = number },
    given = { b = 0 }, initial = { u = 0, p = 0 },
    boundary = { { {"bottom", "top"}, "slip" }, { "left", "fixed", U = {U, 0} }, { "right", "open" } },
    time = { steps = arg.steps }, output = quiet(),
  })
  return string.format("inflow into rest, %.3g by %.3g m, nu %.1e", x, y, nu), math.max(r:max("u.x"), -r:min("u.x"))/U
end

-- ---- hydrographs

local function flood(number)
  local length, width = decades(1.5, 3), decades(1, 2)
  local peak, rise, n = decades(-2, 1), decades(1, 2), math.floor(random(10, 30))
  local slope, rough = random(-0.005, 0.02), random(0.01, 0.06)
  local times = { 0, rise*random(0.1, 1), rise*random(1.1, 2), rise*random(2.1, 3) }
  local discharge = { 0, peak, peak*random(0, 1), 0 }
  local entered, before = 0, 0 -- what the steps take in: the discharge at a step's start, for as long as it is
  local function discharge_at(t)
    for i = 2, 4 do
      if t < times[i] then return discharge[i - 1] + (discharge[i] - discharge[i - 1])*(t - times[i - 1])/(times[i] - times[i - 1]) end
    end
    return 0
  end
  local rows, met = {}, {}
  for i = 1, 4 do rows[i] = { times[i], discharge[i] } end
  local scheme = among { "shallow_water", "shallow_water_2", "river" }
  if scheme == "river" then -- the same in all
    for i = 1, 4 do rows[i][2] = width*rows[i][2] end
  end
  local r = run(case {
    scheme = scheme, device = device,
    mesh = mesh.rectangle { x = {0, length}, y = {0, width}, nx = n, ny = 4, jitter = random(0, 0.3), seed = number },
    given = { z = function(x) return -slope*x end, n = rough }, initial = { h = 0, q = 0 },
    boundary = { { "left", scheme == "river" and "river" or "inflow", discharge = series(rows) }, { {"bottom", "top", "right"}, "wall" } },
    time = { stop = 1.1*times[4] }, output = quiet(),
    on_step = function(run)
      entered, before = entered + width*discharge_at(before)*(run.t - before), run.t
      for i = 2, 4 do met[i] = met[i] or run.t == times[i] end
    end,
  })
  for i = 2, 4 do assert(met[i], "flood "..number..": a step passed the knot at "..times[i]) end
  expect.above("flood "..number..": least depth", r:min("h"), -1e-12)
  return string.format(scheme..", flood of %.3g m^3 on dry ground, %.3g by %.3g m", entered, length, width), r:integral("h")/entered
end

-- What a lid moves along itself is looked at: a thin cell below it turns that into a faster flow across, which is right.
for number = arg.first, arg.first + arg.cases - 1 do
  seed(number)
  local what, value = ({ lid, inflow, flood, flood })[1 + number % 4](number)
  if number % 4 < 2 then expect.below(number..": "..what..": speed", value, 3)
  else expect.near(number..": "..what..": volume that entered", value, 1, 1e-12) end
end
