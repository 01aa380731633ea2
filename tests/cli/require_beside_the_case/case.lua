local start = require "start"
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, pattern = "alternating" },
  given = { power = 0 },
  initial = { T = start.T },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.01 },
}
