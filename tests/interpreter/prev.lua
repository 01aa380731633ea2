local v = require "common"

return case {
  scheme = "prev.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 5, ny = 4, jitter = 0.2 },
  initial = { h = v.wave(1, 1, 2), w = v.wave(2, 0, 1) },
  boundary = { { {"left", "right", "bottom", "top"}, "closed" } },
  time = { stop = 1 },
}
