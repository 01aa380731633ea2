-- The same case on every kind of device: the same result, but for rounding.
local expect = require "expect"

local function bed(x, y) return 0.02*x + 0.3*math.sin(1.7*x + 0.3*y)*math.cos(1.1*y - 0.5*x) end

local function solve(device)
  local r = run(case {
    scheme = "shallow_water",
    device = device,
    mesh = mesh.gmsh { file = "houses.msh.gz" },
    given = { z = bed, n = 0.03 },
    initial = { h = function(x, y) return x < 4 and math.max(0, 3 - bed(x, y)) or 0 end, q = {0, 0} },
    boundary = { { "sides", "outflow" }, { "houses", "wall" } },
    time = { steps = 300 },
    output = { folder = "devices_out", vtu = false },
  })
  local q, flat = r:field("q"), {}
  for i = 1, r.cells do flat[2*i - 1], flat[2*i] = q[i][1], q[i][2] end
  return { t = r.t, h = r:field("h"), q = flat }
end

local function difference(a, b)
  local worst, scale = 0, 0
  for i = 1, #b do
    worst, scale = math.max(worst, math.abs(a[i] - b[i])), math.max(scale, math.abs(b[i]))
  end
  return worst/scale
end

local serial = solve "c"
for _, device in ipairs { "c-openmp", expect.device or "cpu" } do
  local other = solve(device)
  expect.below(device..": time", math.abs(other.t/serial.t - 1), 1e-12)
  expect.below(device..": depth", difference(other.h, serial.h), 1e-12)
  expect.below(device..": discharge", difference(other.q, serial.q), 1e-12)
end
