local arg = arguments { faces = "store", select = "ternary", cells = "triangles" }
local common = require "common"
local sides = common.sides(arg)

return case {
  scheme = "acoustics",
  schedule = { faces = arg.faces, select = arg.select },
  mesh = common.mesh(arg.cells),
  initial = {
    p = function(x, y) return 100*math.exp(-(x - 2)^2 - (y - 1)^2) end,
    u = arg.cells == "tetrahedra" and {0, 0, 0} or {0, 0},
  },
  boundary = { { sides[1], "open" }, { table.move(sides, 2, #sides, 1, {}), "hard" } },
  time = common.steps,
}
