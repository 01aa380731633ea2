-- What a case gives as a function of time is there before a step has passed it, as series are, where nothing flows yet and the scheme's own
-- bound of dt says nothing of what comes: on dry ground and at rest. Where it flows, steps are the scheme's own.
local expect = require "expect"
local device = expect.device or "c"
local quiet = { folder = "begins_later_out", vtu = false }
local strip = mesh.rectangle { x = {0, 40}, y = {0, 2}, nx = 40, ny = 2, cells = "quads" }

local function line(f, stop, n) -- the same as a series
  local rows = {}
  for k = 0, n do rows[#rows + 1] = {k*stop/n, f(k*stop/n)} end
  return series(rows)
end

local function inflow(Q, more)
  return run(case { scheme = "shallow_water", device = device, mesh = strip, given = { z = 0, n = 0.02 }, initial = { h = 0, q = 0 },
    boundary = { { {"right", "bottom", "top"}, "wall" }, { "left", "inflow", discharge = Q } },
    time = { stop = 60, shorten = more and more.shorten, largest = more and more.largest, first = more and more.first }, output = quiet })
end

local function ramp(t) return 0.01*t end
local function gate(t) return t > 40 and 0.3 or 0 end                              -- a jump, far behind the start
local function burst(t) return math.max(0, 0.5 - math.abs(t - 31)) end             -- a second of the minute
for _, try in ipairs { {"ramp", ramp, 36, 0.01}, {"gate", gate, 12, 0.01}, {"burst", burst, 0.5, 0.1} } do
  local name, f, whole, part = table.unpack(try)
  expect.near("onto dry ground, m3: "..name, inflow(f):integral("h"), whole, part*whole)
  expect.near("as a function of the place, too: "..name, inflow(function(x, y, t) return f(t) end):integral("h"), whole, part*whole)
  expect.near("by whole steps: "..name, inflow(f, { shorten = false }):integral("h"), whole, 0.25*whole)
end
expect.near("with a bound of the case", inflow(gate, { largest = 7 }):integral("h"), 12, 0.24)
expect.near("with a first step", inflow(gate, { first = 1e-3 }):integral("h"), 12, 0.24)
expect.near("a series by whole steps", inflow(line(ramp, 60, 1), { shorten = false }):integral("h"), 36, 2)

local function slope(rain)
  return run(case { scheme = "rain", device = device, mesh = strip, given = { z = function(x) return 4 - 0.1*x end, n = 0.02, rain = rain, soaks = 0 },
    initial = { h = 0, q = 0 }, boundary = { { {"left", "bottom", "top"}, "wall" }, { "right", "outflow" } }, time = { stop = 60 }, output = quiet })
end
local function rain(t) return 1e-4*t end
local as_series = slope(line(rain, 60, 1)):integral("h")
expect.near("rain on a slope: what is left", slope(function(x, y, t) return rain(t) end):integral("h"), as_series, 0.01*as_series)
-- a shower that has passed over half of the ground, and one that nobody knows of at the start
local passing = slope(function(x, y, t) return math.abs(x - 10 - t) < 5 and 1e-3 or 0 end)
expect.above("a shower that moves: what it leaves", passing:integral("h"), 0.05)

local function transport(value, more)
  return run(case { scheme = "burgers", device = device, mesh = mesh.grid { x = {0, 1}, nx = 50 }, initial = { u = more and more.u or 0 },
    boundary = { { "left", "given_value", value = value }, { "right", "open" } }, time = { stop = more and more.stop or 1 }, output = quiet })
end
expect.near("into what is at rest", transport(function(t) return t end):integral("u"), 1/6, 0.01)

-- ---- steps that are the scheme's own stay

local same = transport(function(t) return 1 end, { u = 1, stop = 20 })
local r = transport(function(t) return 1 + 1e-9*math.sin(t/20) end, { u = 1, stop = 20 })
expect.near("what changes slowly: steps", r.step, same.step, 1)
r = transport(function(t) return 1 + 1e-9*math.sin(1e5*t) end, { u = 1, stop = 20 })
expect.near("what is noise to the scheme: steps", r.step, same.step, 1)
r = transport(function(t) return t < 0.5 and 1 or 1.001 end, { u = 1, stop = 20 })
expect.near("a jump: steps", r.step, same.step, 12)
expect.below("noise at rest: steps", inflow(function(t) return 1e-3*(1 + math.sin(1e7*t)) end).step, 3000)
