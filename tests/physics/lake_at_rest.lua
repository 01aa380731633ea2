-- Water at rest stays at rest over any bed, wet or with islands, on a distorted mesh, for 10 000 steps. Rounding errors of
-- the pressure, g h^2 times 1e-16, push in every step, and nothing slows an eddy down: hence limits relative to h sqrt(g h)
-- where that is larger than 1 m^2/s.
local expect = require "expect"

local function bump(x, y) return math.max(0, 0.2 - 0.4*((x - 2)^2 + (y - 1.5)^2)) end

local function rough(x, y)
  return 0.6*math.sin(17*x + 3*y)*math.cos(11*y - 5*x) + 0.4*math.sin(41*x)*math.sin(37*y)
end

for _, lake in ipairs {
  { name = "immersed bump", bed = bump, level = 0.5, friction = "cell", n = 0 },
  { name = "emerged bump", bed = bump, level = 0.1, friction = "cell", n = 0 },
  { name = "immersed, rough", bed = rough, level = 2, friction = "mixed", n = 0.03 },
  { name = "emerged, rough", bed = rough, level = 0.1, friction = "cell", n = 0 },
  { name = "emerged, rough", bed = rough, level = 0.1, friction = "cell", n = 0.03 },
  { name = "emerged, rough", bed = rough, level = -0.2, friction = "edge", n = 0.03 },
} do
  local function depth(x, y) return math.max(0, lake.level - lake.bed(x, y)) end
  local r = run(case {
    scheme = "shallow_water",
    device = expect.device,
    variants = { friction = lake.friction },
    mesh = mesh.rectangle { x = {0, 4}, y = {0, 3}, nx = 32, ny = 24, jitter = 0.3, seed = 3, pattern = "alternating" },
    given = { z = lake.bed, n = lake.n },
    initial = { h = depth, q = {0, 0} },
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
    time = { steps = 10000 },
    output = { folder = "lake_out", vtu = false },
  })
  local name = string.format("%s, level %g, friction %s %g", lake.name, lake.level, lake.friction, lake.n)
  local deepest = r:max("h")
  expect.below(name..": discharge [m^2/s]", r:max("q"), 1e-13*math.max(1, deepest*math.sqrt(9.81*deepest)))
  expect.below(name..": change of the depth [m]", r:linf("h", depth), 1e-12)
end
