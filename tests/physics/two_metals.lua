-- Cells and parts of the boundary by the names of the mesh file: one metre of copper, poor as it is here, and two of steel, 0 and 10 K at
-- their ends. The temperature is linear in each, and what flows through is 10/(1/1 + 2/5).
local expect = require "expect"
local flow = 10/(1 + 2/5)

local function through(device, rule)
  return run(case {
    scheme = "two_metals", device = device,
    mesh = mesh.gmsh { file = "two_metals.msh" },
    initial = { T = 3 },
    boundary = { rule or { "left", "held", Tw = 0 }, { "right", "held", Tw = 10 }, { "sides", "insulated" } },
    time = { steps = 6000 },
    output = { folder = "two_metals_out", vtu = false, fields = { "T", "conductivity" }, history = { "seam", "size_of_steel", "enters", "leaves" } },
  })
end

for _, device in ipairs { expect.device, "reference" } do
  local r = through(device)
  local function exact(x, y) return x < 1 and flow*x or 10 - flow*(3 - x)/5 end
  expect.near("length of the seam", r:global "seam", 1, 1e-14)
  expect.near("steel", r:global "size_of_steel", 2, 1e-14)
  expect.below("temperature", r:linf("T", exact), 1e-8)
  expect.near("what enters on the left", r:global "enters", -flow, 1e-7)
  expect.near("what leaves on the right", r:global "leaves", -flow, 1e-7)
  if device == "reference" or not device then break end
end

-- A part's name in a rule: held on the left only.
local half = run(case {
  scheme = "two_metals", device = expect.device, mesh = mesh.gmsh { file = "two_metals.msh" },
  initial = { T = 3 }, boundary = { { {"left", "right"}, "either", Tw = 7 }, { "sides", "insulated" } },
  time = { steps = 20000 }, output = { folder = "two_metals_out", vtu = false },
})
expect.below("warmed from the left alone", half:linf("T", function() return 7 end), 1e-4)

-- A mesh without such a group is refused, by name.
local good, why = pcall(run, case {
  scheme = "two_metals", device = expect.device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  initial = { T = 3 }, boundary = { { {"left", "right", "bottom", "top"}, "insulated" } }, time = { steps = 1 },
  output = { folder = "two_metals_out", vtu = false },
})
if good or not tostring(why):find("1 problem in the case", 1, true) then error("a mesh without steel: "..tostring(why)) end
