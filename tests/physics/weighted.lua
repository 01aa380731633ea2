-- Coefficients of cells in integrals: one metre of copper and two of steel, 0 and 10 K at their ends; the temperature is linear in each.
local expect = require "expect"

for _, device in ipairs { expect.device or "c", "reference" } do
  for _, ratio in ipairs { 5, 1e9 } do
    local flow = 10/(1 + 2/ratio)
    local function exact(x) return x < 1 and flow*x or 10 - flow*(3 - x)/ratio end
    local r = run(case {
      scheme = "weighted.ew", device = device, mesh = mesh.gmsh { file = "two_metals_cut.msh" },
      parameters = { steel_conducts = ratio },
      given = { conductivity = ratio == 5 and by_region { steel = 5, copper = 1 } or function(x) return x > 1 and ratio or 1 end },
      initial = { T = 3, S = 3 },
      boundary = { { "left", "held", value = 0 }, { "right", "held", value = 10 }, { "sides", "insulated" } },
      time = { steps = 1 },
      output = { folder = "weighted_out", vtu = false, history = { "whole" } },
    })
    expect.below(string.format("by region, 1:%g, %s", ratio, device), r:linf("T", exact), 1e-9)
    expect.below(string.format("by a given, 1:%g, %s", ratio, device), r:linf("S", exact), 1e-9)
    expect.near("twice the area of steel, and that of copper", r:global "whole", 5, 1e-13)
  end
end
