local v = require "common"
local arg = arguments { dims = 2, periodic = false }
local three = arg.dims == 3

return case {
  scheme = "advection",
  mesh = three and mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 3, jitter = 0.2, periodic = "z" }
    or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 6, jitter = 0.2, periodic = arg.periodic and "xy" or nil },
  given = { a = v.vector(3, 1, arg.dims) },
  initial = { s = v.wave(0, 0, 1, arg.dims) },
  boundary = arg.periodic and {} or {
    { {"left", "bottom"}, "inflow", value = three and function(x, y, z, t) return 0.5 + t end or function(x, y, t) return 0.5 + t end },
    { {"right", "top"}, "outflow" },
  },
  time = { stop = 10 },
}
