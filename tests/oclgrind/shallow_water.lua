-- rules = walls | open | periodic; a dam break, in part over dry ground, with friction.
local arg = arguments { faces = "store", select = "ternary", rules = "walls", friction = "cell", cells = "triangles" }
local common = require "common"

local boundary = {
  walls = { { {"left", "right", "bottom", "top"}, "wall" } },
  open = {
    { "left", "inflow", discharge = 0.3 },
    { "right", "level", eta = 0.9 },
    { "bottom", "outflow" },
    { "top", "torrent", depth = 0.2, discharge = 0.8 },
  },
  periodic = { { {"bottom", "top"}, "wall" } },
}

return case {
  scheme = "shallow_water",
  variants = { friction = arg.friction },
  schedule = { faces = arg.faces, select = arg.select },
  mesh = common.mesh(arg.cells, arg.rules == "periodic" and "x" or nil),
  given = { z = function(x, y) return 0.1*x + 0.05*y end, n = 0.03 },
  initial = { h = function(x) return x < 2 and 1 or x < 3 and 0.1 or 0 end, q = {0, 0} },
  boundary = boundary[arg.rules],
  time = common.steps,
  output = { fields = { "h", "q", "velocity" } },
}
