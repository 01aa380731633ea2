-- Not a drop is lost and no depth is negative: a dam breaks over rough dry ground between houses. The scheme itself requires
-- h >= -1e-12 in every step, or the run fails.
local expect = require "expect"

local function bed(x, y)
  return 0.02*x + 0.3*math.sin(1.7*x + 0.3*y)*math.cos(1.1*y - 0.5*x) + 0.2*math.sin(4.1*x)*math.sin(3.7*y)
end

local part = expect.device == "c" and 0.5 or 1 -- `make test` has twelve minutes

for _, flow in ipairs {
  { friction = "cell", n = 0.03, steps = 20000*part },
  { friction = "cell", n = 0, steps = 10000*part },
  { friction = "mixed", n = 0.03, steps = 10000*part },
} do
  local before
  local r = run(case {
    scheme = "shallow_water",
    device = expect.device,
    variants = { friction = flow.friction },
    mesh = mesh.gmsh { file = "houses.msh.gz" },
    given = { z = bed, n = flow.n },
    initial = { h = function(x, y) return x < 4 and math.max(0, 1.5 - bed(x, y)) or 0 end, q = {0, 0} },
    boundary = { { {"sides", "houses"}, "wall" } },
    time = { steps = flow.steps },
    output = { folder = "mass_out", vtu = false, probes = { town = {9.2, 3.5} }, sample = 100 },
    on_output = function(run, number) before = before or run:integral("h") end,
  })
  local name = string.format("friction %s %g, to %.1f s", flow.friction, flow.n, r.t)
  expect.below(name..": drift of the volume", math.abs(r:integral("h")/before - 1), 1e-13)
  expect.above(name..": least depth", r:min("h"), 0)
  expect.below(name..": least depth, so that something is dry", r:min("h"), 1e-3)
  expect.above(name..": water in the town", r:probe("town", "h"), 1e-3)
end
