local v = require "common"

return case {
  scheme = "anisotropic_diffusion",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 6, jitter = 0.2 },
  given = { fibre = function(x, y) return math.cos(x + y), math.sin(x + y) end },
  initial = { u = v.wave(1, -1, 1) },
  boundary = { { "left", "held", value = function(x, y, t) return y + 100*t end }, { {"right", "bottom", "top"}, "insulated" } },
  time = { stop = 1 },
}
