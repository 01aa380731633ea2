return case {
  scheme = "still.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 20, ny = 20 },
  initial = { a = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 3 },
  output = { vtu = false },
}
