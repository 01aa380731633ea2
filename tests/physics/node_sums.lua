-- Sums and least values over the nodes of rules, and over those that no rule holds: forces and the time step. Generated C, which
-- builds in a moment; under oclgrind the same kernels run as OpenCL.
local expect = require "expect"

-- ---- what water at rest does to a tank: its weight to all of it; to one wall the pressure's mean times the area

local function tank(walls, direction)
  local bodies, others = {}, {}
  for _, name in ipairs { "left", "right", "bottom", "top", "back", "front" } do
    table.insert((walls == "all" or walls == name) and bodies or others, name)
  end
  local rules = { { bodies, "body", U = {0, 0, 0} } }
  if #others > 0 then table.insert(rules, { others, "fixed", U = {0, 0, 0} }) end
  local r = run(case {
    scheme = "edge_navier_stokes",
    device = "c",
    parameters = { nu = 0.01, tol = 1e-10, drag_to = direction },
    mesh = mesh.box { x = {0, 2}, y = {0, 1}, z = {0, 1}, nx = 5, ny = 4, nz = 5, jitter = 0.3, seed = 3 },
    given = { b = {0, 0, -9.81} },
    initial = { u = {0, 0, 0}, p = function(_, _, z) return -9.81*z end },
    boundary = rules,
    time = { steps = 3 },
    output = { folder = "node_sums_out", vtu = false, history = "drag" },
  })
  return r:global("drag")
end
expect.near("weight of a tank", tank("all", {0, 0, -1}), 2*9.81, 1e-9)
expect.near("force on its left side", tank("left", {-1, 0, 0}), -9.81/2, 1e-9)

-- ---- the time step looks at the nodes that move: not at those of walls, in whose corners the mesh is finest. What the viscous operator
-- does there is its row's sum of |L| - L over M: 8/h^2 inside; where one triangle makes the corner, two edges of 1/2 each and
-- M = h^2/6, so 12/h^2

local function first_step(rule)
  return run(case {
    scheme = "edge_navier_stokes",
    device = "c",
    parameters = { nu = 0.01, cfl = 0.5 },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 8, ny = 8 },
    given = { b = {0, 0} },
    initial = { u = {0, 0}, p = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, rule, U = rule == "fixed" and {0, 0} or nil } },
    time = { steps = 1 },
    output = { folder = "node_sums_out", vtu = false },
  }).dt
end
local inside = 0.5/(0.36*0.01*8*64)
expect.near("time step between walls", first_step("fixed"), inside, 1e-12)
expect.near("time step, the corner of one triangle can slip", first_step("slip"), inside*8/12, 1e-12)
