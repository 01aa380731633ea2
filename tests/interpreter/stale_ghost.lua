local v = require "common"

return case {
  scheme = "stale_ghost.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3, jitter = 0.2 },
  initial = { a = v.wave(1, 1, 2), b = v.wave(2, 0, 1) },
  boundary = { { {"left", "right", "bottom", "top"}, "tied" } },
  time = { stop = 1 },
}
