return case {
  scheme = "roots.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1 },
  initial = { h = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 1 },
}
