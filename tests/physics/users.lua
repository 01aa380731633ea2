-- What users tried from the docs alone: a dike within the mesh, bounds that name other parameters, lists as parameters, norms over place and time.
local expect = require "expect"
local device = expect.device or "c"
local sides = {"left", "right", "bottom", "top"}
local function output(more)
  local o = more or {}
  o.folder, o.vtu = "users_out", false
  return o
end

-- ---- a dike across a channel: the head over its crest, water at rest on both sides, the volume, both sides of it

local function crest(x) return math.abs(x - 15) < 1e-6 and 1 or -1e9 end
local function dike(c)
  c.scheme, c.device, c.output = "dike.ew", device, output { probes = { before = {14.9, 0.3}, far = {3, 0.3}, beyond = {25, 0.3} }, probe_fields = { "surface" } }
  c.given.crest = crest
  return run(case(c))
end
local discharge = 0.3
local r = dike { mesh = mesh.rectangle { x = {0, 30}, y = {0, 1}, nx = 30, ny = 1, cells = "quads" }, given = { z = 0, n = 0 },
  initial = { h = function(x) return x < 15 and 1.4 or 0.5 end, q = 0 },
  boundary = { { "left", "inflow", discharge = discharge }, { "right", "level", eta = 0.5 }, { {"bottom", "top"}, "wall" } },
  time = { stop = 400 } }
expect.near("dike: head over its crest", r:probe("before", "surface") - 1, (discharge/(2/3*0.577*math.sqrt(2*9.81)))^(2/3), 1e-7)

local function bed(x, y) return 0.3*math.sin(x)*math.cos(y) end
local function box(z, level, time)
  local before
  local r = dike { mesh = mesh.rectangle { x = {0, 30}, y = {0, 10}, nx = 30, ny = 10 }, given = { z = z, n = 0.02 },
    initial = { h = function(x, y) return level(x) - z(x, y) end, q = 0 }, boundary = { { sides, "wall" } }, time = time,
    on_step = function(run) before = before or run:integral "h" end }
  return r, r:integral("h")/before
end
local rest = box(bed, function(x) return x < 15 and 0.9 or 0.5 end, { steps = 500 })
expect.below("dike: lakes on both sides", rest:max("q"), 1e-12)
local drowned = box(bed, function() return 1.3 end, { steps = 500 })
expect.below("dike: a lake over it", drowned:max("q"), 1e-12)
local spilt, volume = box(function() return 0 end, function(x) return x < 15 and 2 or 0.2 end, { stop = 300 })
expect.near("dike: volume", volume, 1, 1e-13)
expect.near("dike: the lakes meet", spilt:probe("far", "surface"), spilt:probe("beyond", "surface"), 1e-3)

-- ---- parameters

local square = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 }
local function beside(parameters, on)
  return run(case { scheme = "beside.ew", device = on or device, mesh = square, parameters = parameters, initial = { T = 0, kept = {1, 2} },
    boundary = { { sides, "wall" } }, time = { steps = 2 }, output = output() })
end
expect.near("lists: defaults", beside({}):max("T"), 2*(2 + 3)*5*20 + 5 + 9, 1e-9)
expect.near("lists: defaults, interpreted", beside({}, "reference"):max("T"), 2*(2 + 3)*5*20 + 5 + 9, 1e-9)
expect.near("lists: of the case", beside({ weight = {10, 20, 30} }):max("T"), 2*(20 + 30)*5*20 + 5 + 9, 1e-9)
expect.near("a bound that names another", beside({ cold = 290, hot = 290 }):max("T"), 5 + 9, 1e-9)
local ok, message = pcall(beside, { hot = 270 })
expect.near("and is kept", ok and 1 or 0, 0, 0)
ok, message = pcall(beside, { hot = 600 })
expect.above("a number beside it too: "..tostring(message):match("[^\n]*"), ok and 0 or 1, 1)

-- ---- norms: the parameter called t is the time wherever it stands; more coordinates than places have are refused

r = run(case { scheme = "heat", device = device, mesh = square, parameters = { kappa = 0.1 }, given = { power = 3 }, initial = { T = 1 },
  boundary = { { sides, "insulated" } }, time = { stop = 0.5 }, output = output() })
expect.below("t alone", r:linf("T", function(t) return 1 + 3*t end), 1e-12)
expect.below("t behind x", r:linf("T", function(x, t) return 1 + 3*t + 0*x end), 1e-12)
expect.below("time before y", r:l2("T", function(x, time, y) return 1 + 3*time + 0*(x + y) end), 1e-12)
expect.below("all", r:l1("T", function(...) return 1 + 3*select(3, ...) end), 1e-12)
ok = pcall(r.linf, r, "T", function(x, y, z) return x + y + z end)
expect.near("three coordinates in the plane: refused", ok and 1 or 0, 0, 0)

-- ---- a dye on shallow water of second order; shallow water by imports alone

local function dam(x) return x < 10 and 1 or 0.2 end
local channel = mesh.rectangle { x = {0, 20}, y = {0, 2}, nx = 40, ny = 4 }
local function dyed(initial, boundary)
  local before
  initial.q = 0
  local d = run(case { scheme = "dyed_2.ew", device = device, mesh = channel, given = { z = function(x) return 0.1*math.sin(x) end, n = 0.02 },
    initial = initial, boundary = boundary, time = { stop = 4 }, output = output { fields = { "concentration" } },
    on_output = function(run) before = before or run:integral "m" end })
  return d, d:integral("m")/before
end
local d, kept = dyed({ h = dam, m = function(x, y) return y < 1 and 2*dam(x) or 0 end }, { { sides, "wall" } })
expect.near("dye of second order: kept", kept, 1, 1e-13)
expect.above("dye of second order: least", d:min "concentration", -1e-13)
expect.below("dye of second order: greatest", d:max "concentration", 2 + 1e-11)
d = dyed({ h = dam, m = function(x) return 2*dam(x) end },
  { { "left", "inflow", discharge = 0.5, brings = 2 }, { "right", "level", eta = 0.5, brings = 2 }, { {"bottom", "top"}, "wall" } })
expect.below("dye of second order: mixed evenly", math.max(d:max("concentration") - 2, 2 - d:min("concentration")), 1e-11)

local function breaks(scheme)
  return run(case { scheme = scheme, device = device, mesh = channel, given = { z = function(x) return 0.1*math.sin(x) end, n = 0.02 },
    initial = { h = function(x) return x < 10 and 1 or 0 end, q = 0 }, boundary = { { sides, "wall" } }, time = { steps = 100 }, output = output() }):field "h"
end
local whole, parts, apart = breaks "shallow_water", breaks "imported.ew", 0
for c = 1, #whole do apart = math.max(apart, math.abs(whole[c] - parts[c])) end
expect.below("imported shallow water beside the scheme itself", apart, 1e-13)
