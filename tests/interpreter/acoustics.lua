local v = require "common"

return case {
  scheme = "acoustics",
  mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 6, ny = 5, jitter = 0.2 },
  initial = { p = v.wave(0, -100, 100), u = v.vector(1, 1, 2) },
  boundary = { { {"left", "right"}, "open" }, { {"top", "bottom"}, "hard" } },
  time = { stop = 10 },
}
