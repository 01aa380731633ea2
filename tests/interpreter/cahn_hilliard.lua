local v = require "common"

return case {
  scheme = "cahn_hilliard",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 6, jitter = 0.2 },
  parameters = { eps = 0.2 },
  initial = { c = v.wave(1, -1, 1) },
  boundary = { { {"left", "right", "bottom", "top"}, "closed" } },
  time = { stop = 1 },
  solver = { tolerance = 1e-14, preconditioner = "jacobi" },
}
