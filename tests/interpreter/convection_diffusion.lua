local v = require "common"
local arg = arguments { dims = 2, stabilisation = "conservative", periodic = "" }
local three = arg.dims == 3

return case {
  scheme = "convection_diffusion",
  variants = { stabilisation = arg.stabilisation },
  parameters = { kappa = 0.05, cfl = 0.1 },
  mesh = three and mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 3, jitter = 0.2 }
    or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 6, jitter = 0.2, periodic = arg.periodic ~= "" and arg.periodic or nil },
  given = { a = v.vector(3, 1, arg.dims) },
  initial = { phi = v.wave(1, -1, 1, arg.dims) },
  boundary = arg.periodic == "xy" and {} or arg.periodic == "x" and { { {"bottom", "top"}, "held", value = 0.3 } }
    or { { "left", "held", value = three and function(x, y, z, t) return y + 10*t end or function(x, y, t) return y + 10*t end }, { "bottom", "flux_in", qn = 0.2 },
         { three and {"right", "top", "front", "back"} or {"right", "top"}, "open" } },
  time = { stop = 1 },
}
