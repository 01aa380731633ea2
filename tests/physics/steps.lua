-- Steps of the shipped schemes are bounded by what enters and what is held, on stretched cells too; knots of series are met; what explodes
-- all the same does not end well.
local expect = require "expect"
local device = expect.device or "c"
local sides = {"left", "right", "bottom", "top"}
local function quiet(folder) return { folder = folder or "steps_out", vtu = false } end

-- ---- flow from rest

for _, nu in ipairs { 1e-2, 1e-4, 1e-6 } do
  local r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = nu },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 16, ny = 16 },
    given = { b = 0 }, initial = { u = 0, p = 0 },
    boundary = { { {"left", "right", "bottom"}, "fixed", U = 0 }, { "top", "fixed", U = {1, 0} } },
    time = { stop = 1 }, output = quiet(),
  })
  expect.below("cavity from rest, nu = "..nu..": the largest speed", r:max("u"), 1 + 1e-12)
end

local r = run(case {
  scheme = "edge_navier_stokes", device = device, parameters = { nu = 1.5e-5 },
  mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 16, ny = 8 }, given = { b = 0 }, initial = { u = 0, p = 0 },
  boundary = { { {"bottom", "top"}, "slip" }, { "left", "fixed", U = {1, 0} }, { "right", "open" } },
  time = { stop = 1 }, output = quiet(),
})
expect.near("inflow into air at rest: the least velocity", r:min("u.x"), 1, 1e-2)
expect.near("and the largest", r:max("u.x"), 1, 1e-2)

-- ---- a pressure held: what enters there comes from rest

local function between(walls, sides, more)
  local c = {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = more.nu, tol = 1e-10 }, variants = more.variants,
    mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 16, ny = 8, jitter = 0.2 }, given = { b = more.b or 0 },
    initial = { u = 0, p = more.p or 0 }, boundary = { walls }, time = { stop = more.stop, largest = more.largest }, output = quiet(),
  }
  for _, side in ipairs(sides) do c.boundary[#c.boundary + 1] = side end
  return run(case(c))
end
local closed = { {"left", "bottom", "top"}, "fixed", U = 0 }
local robust = { convection = "skew", pressure_tau = "one" }

r = between(closed, { { "right", "open", p_out = 1 } }, { nu = 1e-2, p = 1, stop = 1 })
expect.below("water at rest under pressure: speed", r:max("u"), 1e-12)
r = between(closed, { { "right", "open", p_out = function(x, y, t) return math.sin(5*t) end } }, { nu = 1e-2, stop = 1, largest = 0.05 })
expect.below("under a pressure that changes: speed", r:max("u"), 1e-7)
expect.near("under a pressure that changes: pressure", r:min("p"), math.sin(5), 1e-7)
for _, v in ipairs { {}, robust } do
  r = between({ {"bottom", "top"}, "slip" }, { { "left", "open", p_out = 1 }, { "right", "open" } }, { nu = 1e-6, stop = 20, variants = v })
  expect.near("through a pipe without walls, from a reservoir: least speed", r:min("u.x"), math.sqrt(2), 1e-5)
  expect.near("through a pipe without walls, from a reservoir: largest speed", r:max("u.x"), math.sqrt(2), 1e-5)
  r = between({ {"bottom", "top", "left", "right"}, "slip" }, {}, { nu = 1e-6, stop = 2, variants = v,
    b = function(x, y) return {0, math.sin(math.pi*x)} end })
  expect.below("a force on what is at rest: speed", r:max("u"), 2)
end

-- ---- stretched cells

local function parabola(x, y) return y*(1 - y)/2 end
for _, along in ipairs { 4, 40 } do
  r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = 1, tol = 1e-10 },
    mesh = mesh.rectangle { x = {0, along}, y = {0, 1}, nx = 4, ny = 20 }, given = { b = 0 },
    initial = { u = function(x, y) return parabola(x, y), 0 end, p = function(x) return along - x end },
    boundary = { { {"bottom", "top"}, "fixed", U = 0 },
                 { "left", "fixed", U = function(x, y) return parabola(x, y), 0 end }, { "right", "open" } },
    time = { stop = 0.1 }, output = quiet(),
  })
  expect.below("Poiseuille, cells 1:"..5*along..": error", r:linf("u.x", parabola), 1e-8)
end

for _, along in ipairs { 1, 4, 250 } do
  r = run(case {
    scheme = "convection_diffusion", device = device, parameters = { kappa = 1 },
    mesh = mesh.rectangle { x = {0, along}, y = {0, 1}, nx = 4, ny = 16, jitter = 0.3 }, given = { a = 0 },
    initial = { phi = function(x, y) return 1 + math.cos(math.pi*x/along)*math.cos(math.pi*y) end },
    boundary = { { sides, "open" } }, time = { stop = 0.05 }, output = quiet(),
  })
  expect.below("diffusion, cells 1:"..4*along..": the largest value", r:max("phi"), 2)
  expect.above("diffusion, cells 1:"..4*along..": the least value", r:min("phi"), -1e-3)
end

-- ---- flow across thin cells: what crosses one is not told by its volume

for _, across in ipairs { 1, 30, 1000 } do
  r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = 1e-4 },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, across}, nx = 16, ny = 16 },
    given = { b = 0 }, initial = { u = 0, p = 0 },
    boundary = { { {"left", "right", "bottom"}, "fixed", U = 0 }, { "top", "fixed", U = {1, 0} } },
    time = { stop = 1 }, output = quiet(),
  })
  expect.below("lid along thin cells, 1:"..across..": the largest speed", r:max("u.x"), 1 + 1e-12)
end

for _, across in ipairs { 1, 30, 1000 } do
  r = run(case {
    scheme = "convection_diffusion", device = device,
    mesh = mesh.rectangle { x = {0, 1}, y = {0, across}, nx = 32, ny = 4 }, given = { a = {1, 0} },
    initial = { phi = function(x) return math.exp(-((x - 0.3)/0.1)^2) end },
    boundary = { { "left", "held", value = 0 }, { {"right", "bottom", "top"}, "open" } }, time = { stop = 0.4 }, output = quiet(),
  })
  expect.near("a hill across thin cells, 1:"..across..": its height", r:max("phi"), 0.95, 0.1)
  expect.above("a hill across thin cells: the least value", r:min("phi"), -0.3)
end

-- ---- a hydrograph on dry ground

r = run(case {
  scheme = "shallow_water", device = device,
  mesh = mesh.rectangle { x = {0, 400}, y = {0, 40}, nx = 40, ny = 4 },
  given = { z = function(x) return -0.001*x end, n = 0.03 }, initial = { h = 0, q = {0, 0} },
  boundary = { {"left", "inflow", discharge = series { {0, 0}, {60, 2.5}, {120, 2.5}, {120.5, 0}, {200, 0} } },
               { {"bottom", "top", "right"}, "wall" } },
  time = { stop = 200 }, output = quiet(),
})
expect.near("a hydrograph on dry ground: what has come in", r:integral("h"), 40*(75 + 150 + 0.625), 25)

-- ---- vectors are compared as such

r = run(case {
  scheme = "edge_navier_stokes", device = device, parameters = { nu = 0.1 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 }, given = { b = 0 }, initial = { u = {3, 4}, p = 0 },
  boundary = { { sides, "fixed", U = {3, 4} } }, time = { steps = 1 }, output = quiet(),
})
expect.near("a vector and itself", r:l2("u", function(x, y) return 3, 4 end), 0, 1e-14)
expect.near("a vector and another", r:l2("u", function(x, y) return 3, 3 end), 1, 1e-14)
expect.near("a vector and its length", r:linf("u", function(x, y) return 5 end), 0, 1e-14)
local ok, why = pcall(r.l2, r, "u", function(x, y) return 1, 2, 3 end)
assert(not ok and tostring(why):find("returned 3 values", 1, true), tostring(why))

-- ---- what is required holds at the start

local function lake(depth)
  return pcall(run, case {
    scheme = "shallow_water", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
    given = { z = 0, n = 0 }, initial = { h = function(x) return x > 0.9 and depth or 1 end, q = 0 },
    boundary = { { sides, "wall" } }, time = { steps = 1 }, output = quiet(),
  })
end
ok, why = lake(-0.5)
assert(not ok and tostring(why):find("at the start", 1, true) and tostring(why):find("h >= ", 1, true), tostring(why))
assert(lake(0))

-- ---- what explodes does not end well

ok, why = pcall(run, case {
  scheme = "explodes.ew", device = device, mesh = mesh.grid { x = {0, 1}, nx = 16 },
  initial = { s = function(x) return math.sin(40*x) end }, boundary = { { {"left", "right"}, "closed" } },
  time = { steps = 60 }, output = quiet(),
})
assert(not ok and tostring(why):find("has exploded", 1, true), tostring(why))
assert(tostring(why):find("the next dt comes from dx^2/2 (", 1, true) and tostring(why):find("explodes.ew:5) at (0.", 1, true), tostring(why))
print("an explosion is named: "..tostring(why):gsub("\n.*", ""))

-- ... nor what has no dt, of which no bound is spoken
ok, why = pcall(run, case {
  scheme = "leads_away.ew", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 },
  initial = { T = 1 }, boundary = { { {"left", "right", "bottom", "top"}, "free" } },
  time = { steps = 200 }, output = quiet(),
})
assert(not ok and tostring(why):find("has no dt", 1, true) and not tostring(why):find("own bound", 1, true), tostring(why))
