local v = require "common"
local arg = arguments { dims = 2 }
local three = arg.dims == 3

return case {
  scheme = "euler_hllc",
  mesh = three and mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 3, jitter = 0.2, periodic = "z" }
    or mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 6, ny = 5, cells = "quads", jitter = 0.2 },
  initial = { rho = v.wave(0, 0.8, 1.2, arg.dims), m = v.vector(1, 0.5, arg.dims), E = v.wave(2, 2, 3, arg.dims) },
  boundary = {
    { "left", "stream", rho_in = 1, u_in = three and {0.5, 0.1, 0} or {0.5, 0.1}, p_in = 1 },
    { "right", "open" },
    { {"top", "bottom"}, "wall" },
  },
  time = { stop = 10 },
}
