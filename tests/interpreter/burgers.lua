local v = require "common"

return case {
  scheme = "burgers",
  mesh = mesh.grid { x = {0, 1}, nx = 12, ratio = { x = 1.1 } },
  initial = { u = v.wave(0, 0.2, 1, 1) },
  boundary = { { "left", "given_value", value = 0.5 }, { "right", "open" } },
  time = { stop = 10 },
}
