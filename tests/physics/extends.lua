-- Schemes that extend shallow water: what each conserves, to rounding errors, and that a lake with islands stays at rest in all.
local expect = require "expect"

local function rough(x, y)
  return 0.6*math.sin(17*x + 3*y)*math.cos(11*y - 5*x) + 0.4*math.sin(41*x)*math.sin(37*y)
end
local function lake(x, y) return math.max(0, 0.1 - rough(x, y)) end
local function salty(x, y) return lake(x, y)*(1 + math.sin(3*x)*math.cos(2*y)) end

local function box(n, jitter)
  return mesh.rectangle { x = {0, 4}, y = {0, 3}, nx = 4*n, ny = 3*n, jitter = jitter, seed = 3, pattern = "alternating" }
end

-- The case of a scheme with what it needs besides shallow water.
local function flow(scheme, given, initial, more)
  local c = {
    scheme = scheme, device = expect.device, mesh = box(8, 0.3), given = given, initial = initial,
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
    output = { folder = "extends_out", vtu = false },
  }
  for key, value in pairs(more) do c[key] = value end
  return run(case(c))
end

local schemes = {
  rain = { given = { z = rough, n = 0.03, rain = 0, soaks = 0 }, initial = { h = lake, q = {0, 0} } },
  coriolis = { given = { z = rough, n = 0.03 }, initial = { h = lake, q = {0, 0} } },
  tracer = { given = { z = rough, n = 0.03 }, initial = { h = lake, q = {0, 0}, m = salty } },
  exner = { given = { n = 0.03 }, initial = { z = rough, h = lake, q = {0, 0} } },
}
for name, s in pairs(schemes) do
  local r = flow(name, s.given, s.initial, { time = { steps = 2000 } })
  expect.below(name..": discharge of a lake at rest [m^2/s]", r:max("q"), 1e-13*math.sqrt(9.81))
  expect.below(name..": change of its depth [m]", r:linf("h", lake), 1e-12)
  if name == "tracer" then expect.below("tracer: change of the substance", r:linf("m", salty), 1e-12) end
  if name == "exner" then expect.below("exner: change of the bed", r:linf("z", rough), 0) end
end

-- A dam breaks over rough ground, with houses of nothing: all four walls hold.
local function dam(x, y) return x < 2 and math.max(0, 1.2 - 0.3*rough(x, y)) or 0.3 end
local function ground(x, y) return 0.3*rough(x, y) end

local before
local function remember(field) return function(r) before = before or r:integral(field) end end

local falls = flow("rain", { z = ground, n = 0.03, rain = 1e-2, soaks = 0 }, { h = dam, q = {0, 0} },
  { time = { steps = 1500 }, on_output = remember "h" })
expect.near("rain: volume, as much as fell is there", falls:integral("h")/(before + 12*1e-2*falls.t), 1, 1e-13)

-- Rain that rises and falls along a line: all of it is there, on the ground or in it. At the start of each step it was 0.3 % short.
local storm = series { { 0, 0 }, { 60, 1e-4 }, { 90, 2e-5 }, { 91, 0 } }
for name, given in pairs { rain = { soaks = 0 }, green_ampt = { conductivity = 1e-6, deficit = 0.1 } } do
  given.z, given.n, given.rain = ground, 0.03, storm
  local r = flow(name, given, { h = 0, q = 0, soaked = name == "green_ampt" and 0 or nil }, { time = { stop = 100 } })
  local soaked = name == "green_ampt" and r:integral("soaked") or 0
  expect.near(name..": volume of a storm", (r:integral("h") + soaked)/(12*(60*5e-5 + 30*6e-5 + 1e-5)), 1, 1e-12)
end

-- On dry ground a step is no longer than what falls within it takes to cross the least cell, a twentieth of the others; shallow_water alone sees
-- nothing that moves.
for name, given in pairs { rain = { rain = 1e-5, soaks = 0 }, green_ampt = { rain = 1e-5, conductivity = 0, deficit = 0 } } do
  given.z, given.n = ground, 0.03
  local r = flow(name, given, { h = 0, q = 0, soaked = name == "green_ampt" and 0 or nil }, { time = { steps = 1 } })
  expect.below(name..": its first step on dry ground crosses, over a cell", r.dt*math.sqrt(9.81*1e-5*r.dt)/0.125, 0.05)
end

before = nil
local shown = { folder = "extends_out", vtu = false, fields = { "m", "concentration" } }
local salt = flow("tracer", { z = ground, n = 0.03 }, { h = dam, q = {0, 0}, m = function(x, y) return 2*dam(x, y) end },
  { time = { steps = 1500 }, on_output = remember "m", output = shown })
expect.near("tracer: the substance that is there", salt:integral("m")/before, 1, 1e-13)
expect.near("tracer: least concentration of water mixed evenly", salt:min("concentration"), 2, 1e-11)
expect.near("tracer: greatest", salt:max("concentration"), 2, 1e-11)

before = nil
local half = flow("tracer", { z = ground, n = 0.03 },
  { h = dam, q = {0, 0}, m = function(x, y) return y < 1.5 and 3*dam(x, y) or 0 end },
  { time = { steps = 1500 }, on_output = remember "m", output = shown })
expect.near("tracer: of a half", half:integral("m")/before, 1, 1e-13)
expect.above("tracer: of a half, least concentration", half:min("concentration"), -1e-14)
expect.below("tracer: of a half, greatest", half:max("concentration"), 3 + 1e-11)

before = nil
local bed = flow("exner", { n = 0.03 }, { z = function(x, y) return 2 + ground(x, y) end, h = dam, q = {0, 0} },
  { time = { steps = 1500 }, parameters = { grass = 0.01 }, on_output = remember "z" })
expect.near("exner: the bed that is there", bed:integral("z")/before, 1, 1e-13)
expect.above("exner: and it has moved [m]", bed:linf("z", function(x, y) return 2 + ground(x, y) end), 1e-3)

-- Without walls, ground and friction a flow turns in a circle of inertia, 2 pi/f long.
local circle = flow("coriolis", { z = 0, n = 0 }, { h = 1, q = {0.5, 0} }, {
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 3}, nx = 16, ny = 12, periodic = "xy" }, boundary = {},
  parameters = { f0 = 2*math.pi/10 }, time = { stop = 10 },
})
expect.near("coriolis: the flow after a turn [m^2/s]", circle:max("q.x"), 0.5, 1e-12)
expect.below("coriolis: across", circle:max("q.y"), 1e-12)
local quarter = flow("coriolis", { z = 0, n = 0 }, { h = 1, q = {0.5, 0} }, {
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 3}, nx = 16, ny = 12, periodic = "xy" }, boundary = {},
  parameters = { f0 = 2*math.pi/10 }, time = { stop = 2.5 },
})
expect.near("coriolis: a quarter of a turn, to the right [m^2/s]", quarter:min("q.y"), -0.5, 1e-12)

-- A function replaced calls the old one; a pond behind a crest takes what flows over it, as the language's page has them.
local function slowed(scheme, stems)
  return run(case { scheme = scheme, device = expect.device, mesh = box(2, 0.2), given = { z = 0, n = 0.03 }, initial = { h = 1, q = {1, 0} },
    parameters = stems and { stems = stems }, boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { steps = 10 },
    output = { folder = "extends_out", vtu = false } }):max("q")
end
expect.near("reeds of no stems", slowed("reeds.ew", 0), slowed("shallow_water"), 0)
expect.below("reeds of many", slowed("reeds.ew", 1000), 0.9*slowed("shallow_water"))
local pond = run(case { scheme = "ponded.ew", device = expect.device, mesh = box(4, 0.2), given = { z = 0, n = 0.03 },
  initial = { h = 1, q = 0, level_of_pond = 0 }, boundary = { { {"left", "bottom", "top"}, "wall" }, { "right", "pond" } }, time = { stop = 20 },
  output = { folder = "extends_out", vtu = false, history = { "all_water" } } })
expect.near("a pond and what flows into it: water", pond:global "all_water", 12, 1e-12)
expect.below("what is left before it", pond:integral "h", 11)
