-- Equations that are 0 but for what boundary rules make of them: a rule acts on them all the same, in all families of schemes.
local expect = require "expect"

local function last(scheme, mesh, steps, boundary)
  return run(case {
    scheme = scheme,
    device = expect.device,
    mesh = mesh,
    initial = { T = 0 },
    boundary = boundary,
    time = { steps = steps },
    output = { folder = "zeros_out", vtu = false, history = steps > 1 and "heat" or nil },
  })
end

local plane = mesh.rectangle { x = {0, 3}, y = {0, 2}, nx = 6, ny = 4 }
local cells = last("zero_cells.ew", plane, 10,
  { { "left", "heated", power = 5 }, { {"right", "bottom", "top"}, "heated", power = 0 } })
expect.near("flux = ... of cells", cells:global("heat"), 5*2*1, 1e-12)

local grid = last("zero_grid.ew", mesh.grid { x = {0, 3}, y = {0, 2}, nx = 6, ny = 4 }, 10,
  { { "left", "heated", inwards = 5 }, { {"right", "bottom", "top"}, "heated" } })
expect.near("fix of a grid", grid:global("heat"), 5*2*1, 1e-12)

-- Held at 1, and losing 2 (T - 0.25) at the other end: a straight line between.
local nodes = last("zero_nodes.ew", plane, 1,
  { { "left", "held", value = 1 }, { "right", "cooled", a = 2, outside = 0.25 }, { {"bottom", "top"}, "insulated" } })
expect.below("add = ... of nodes", nodes:linf("T", function(x) return 1 - 2*0.75/(1 + 2*3)*x end), 1e-10)
