local arg = arguments { faces = "store", select = "ternary", cells = "triangles" }
local common = require "common"
local sides = common.sides(arg)

return case {
  scheme = "advection",
  schedule = { faces = arg.faces, select = arg.select },
  mesh = common.mesh(arg.cells),
  given = { a = arg.cells == "tetrahedra" and {1, 0.5, 0.25} or {1, 0.5} },
  initial = { s = function(x, y) return x < 1 and 1 or y end },
  boundary = { { sides[1], "inflow", value = 1 }, { table.move(sides, 2, #sides, 1, {}), "outflow" } },
  time = common.steps,
}
