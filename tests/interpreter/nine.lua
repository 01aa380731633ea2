local v = require "common"
local arg = arguments { solid = false }

return case {
  scheme = "nine.ew",
  parameters = { w = 0.3 },
  mesh = mesh.grid { x = {0, 1}, nx = 7, y = {0, 1}, ny = 6, solids = arg.solid and { name = "block", x = {0.3, 0.6}, y = {0.3, 0.7} } or nil },
  initial = { T = v.wave(1, 0, 1) },
  boundary = { { {"left", "right", "bottom", "top"}, "held", Tw = function(x, y, t) return x + 2*y + t end }, arg.solid and { "block", "held", Tw = 0.3 } or nil },
  time = { stop = 1 },
}
