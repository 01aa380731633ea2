local v = require "common"
local arg = arguments { dims = 2, boundary = "mixed" }
local three = arg.dims == 3

return case {
  scheme = "poisson",
  mesh = three and mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 3, jitter = 0.2 }
    or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 6, jitter = 0.2,
      periodic = arg.boundary == "torus" and "xy" or nil },
  given = { s = v.wave(0, -1, 1, arg.dims) },
  initial = { phi = v.wave(1, -1, 1, arg.dims) },
  boundary = arg.boundary == "torus" and {} or arg.boundary == "flux" and { { {"left", "right", "bottom", "top"}, "inflow", qn = 0.3 } }
    or { { {"left", "bottom"}, "held", value = v.wave(2, 0, 1, arg.dims) },
         { three and {"right", "top", "back", "front"} or {"right", "top"}, "inflow", qn = 0.3 } },
  time = { steps = 1 },
  solver = { tolerance = 1e-14, preconditioner = "jacobi" },
}
