local v = require "common"
local arg = arguments { dims = 2 }
local three = arg.dims == 3

return case {
  scheme = "heat",
  mesh = three and mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 2, jitter = 0.2 }
    or mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 7, ny = 5, jitter = 0.2 },
  given = { power = v.wave(1, -1, 1, arg.dims) },
  initial = { T = v.wave(0, 280, 300, arg.dims) },
  boundary = {
    { "left", "held", Tw = three and function(x, y, z, t) return 290 + y + 100*t end or function(x, y, t) return 290 + y + 100*t end },
    { "right", "heated", qn = 2 },
    { three and {"top", "bottom", "front", "back"} or {"top", "bottom"}, "insulated" },
  },
  time = { stop = 10 },
}
