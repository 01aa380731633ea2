return case {
  scheme = "still.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  initial = { a = 0, b = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "none" } },
  time = { steps = 1 },
}
