local v = require "common"
local arg = arguments { dims = 2, stabilisation = "conservative" }
local three = arg.dims == 3

return case {
  scheme = "edge_navier_stokes",
  variants = { stabilisation = arg.stabilisation },
  parameters = { nu = 0.05, cfl = 0.1 },
  mesh = three and mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 3, jitter = 0.2 }
    or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 6, jitter = 0.2 },
  given = { b = v.vector(3, 1, arg.dims) },
  initial = { u = v.vector(1, 1, arg.dims), p = v.wave(0, -1, 1, arg.dims) },
  boundary = {
    { "left", "fixed", U = three and function(x, y, z) return y*z, 0, 0 end or function(x, y, t) return (1 + 10*t)*y*(1 - y), 0 end },
    { {"top", "bottom"}, "slip" }, { "right", "open" }, three and { {"front", "back"}, "body", U = {0.1, 0, 0} } or nil,
  },
  time = { stop = 1 },
  solver = { tolerance = 1e-14, preconditioner = "jacobi" },
}
