local arg = arguments { faces = "store", select = "ternary", cells = "triangles" }
local common = require "common"

local boundary = {
  { "left", "held", Tw = 1 },
  { "right", "heated", qn = 2 },
  { {"bottom", "top"}, "insulated" },
}
if arg.cells == "tetrahedra" then boundary[#boundary + 1] = { {"back", "front"}, "held", Tw = 0 } end

return case {
  scheme = "heat",
  schedule = { faces = arg.faces, select = arg.select },
  mesh = common.mesh(arg.cells),
  given = { power = 0.5 },
  initial = { T = function(x, y) return x*y end },
  boundary = boundary,
  time = common.steps,
}
