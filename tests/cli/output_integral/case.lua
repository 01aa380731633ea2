return case {
  name = "out", scheme = "lumped.ew", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  boundary = { { { "left", "right", "bottom", "top" }, "free" } },
  initial = { a = 0 }, time = { steps = 1 },
  output = { fields = { "M" } },
}
