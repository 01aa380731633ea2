local v = require "common"

return case {
  scheme = "natural_convection",
  parameters = { step_size = 0.001, tol = 1e-4 },
  mesh = mesh.grid { x = {0, 1}, nx = 7, y = {0, 1}, ny = 6, tanh = { x = 1 } },
  initial = { u = v.wave(0, -1, 1), v = v.wave(1, -1, 1), p = v.wave(2, -1, 1), T = v.wave(3, -0.5, 0.5) },
  boundary = { { "left", "held", Tw = 0.5 }, { "right", "held", Tw = -0.5 }, { {"bottom", "top"}, "insulated" } },
  time = { stop = 1 },
}
