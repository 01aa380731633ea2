local arg = arguments { faces = "store", select = "ternary", cells = "triangles" }
local common = require "common"
local sides = common.sides(arg)
local still = arg.cells == "tetrahedra" and {0, 0, 0} or {0, 0}
local moving = arg.cells == "tetrahedra" and {0.5, 0, 0} or {0.5, 0}

return case {
  scheme = "euler_hllc",
  schedule = { faces = arg.faces, select = arg.select },
  mesh = common.mesh(arg.cells),
  initial = {
    rho = function(x) return x < 2 and 1 or 0.125 end,
    m = still,
    E = function(x) return (x < 2 and 1 or 0.1)/0.4 end,
  },
  boundary = {
    { sides[1], "stream", rho_in = 1, u_in = moving, p_in = 1 },
    { sides[2], "open" },
    { table.move(sides, 3, #sides, 1, {}), "wall" },
  },
  time = common.steps,
}
