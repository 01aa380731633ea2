local v = require "common"

return case {
  scheme = "burgers",
  mesh = mesh.grid { x = {0, 1}, nx = 12, ratio = { x = 1.1 } },
  initial = { u = v.wave(0, 0.2, 1, 1) },
  boundary = { { "left", "given_value", value = function(x, t) return 0.5 + t end }, { "right", "open" } },
  time = { stop = 10 },
}
