-- Limited second-order advection: what turns stays between its bounds, smooth profiles converge faster than first order,
-- nothing is lost, and a periodic mesh has no sides.
local expect = require "expect"
local pi = math.pi

local function distance(x, y) return math.sqrt((x - 0.5)^2 + (y - 0.72)^2) end
local function hill(x, y) return math.cos(pi/2*math.min(distance(x, y)/0.2, 1))^2 end
local function disc(x, y) return distance(x, y) < 0.18 and 1 or 0 end

-- Once around the middle of a square.
local function turn(n, shape)
  local before
  local r = run(case {
    scheme = "advection",
    device = expect.device,
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, jitter = 0.2, seed = 2 },
    given = { a = function(x, y) return 2*pi*(0.5 - y), 2*pi*(x - 0.5) end },
    initial = { s = shape },
    boundary = { { {"left", "right", "bottom", "top"}, "inflow", value = 0 } },
    time = { stop = 1 },
    output = { folder = "advection_out", vtu = false },
    on_output = function(run) before = before or run:integral("s") end,
  })
  expect.below("turned: largest", r:max("s"), 1 + 1e-12)
  expect.above("turned: least", r:min("s"), -1e-12)
  expect.below("turned: drift, through the sides", math.abs(r:integral("s")/before - 1), 1e-4)
  return r:l1("s", shape)/before
end

local hills = { turn(40, hill), turn(80, hill) }
expect.order("hill, once around", hills, { 0.14, 0.045 }, 1.5)
expect.below("disc, once around", turn(60, disc), 0.3)

-- Diagonally through a periodic square, until everything is back at its place. Where triangles are distorted, mean(s) is no
-- longer the value at the middle of a face, and the order falls towards 1.
local function pass(n, jitter)
  local function wave(x, y) return 0.5 + 0.25*math.sin(2*pi*x) + 0.25*math.cos(2*pi*y) end
  local before
  local r = run(case {
    scheme = "advection",
    device = expect.device,
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, jitter = jitter, seed = 2, periodic = "xy" },
    given = { a = {1, 2} },
    initial = { s = wave },
    time = { stop = 1 },
    output = { folder = "advection_out", vtu = false },
    on_output = function(run) before = before or run:integral("s") end,
  })
  expect.below("periodic: drift", math.abs(r:integral("s")/before - 1), 1e-13)
  expect.below("periodic: largest", r:max("s"), 1 + 1e-12)
  expect.above("periodic: least", r:min("s"), -1e-12)
  return r:l1("s", wave)
end

expect.order("waves, triangles alike", { pass(16, 0), pass(32, 0), pass(64, 0) }, { 0.012, 0.004, 0.0012 }, 1.8)
expect.order("waves, distorted triangles", { pass(16, 0.2), pass(32, 0.2), pass(64, 0.2) }, { 0.012, 0.005, 0.002 }, 1.1)
