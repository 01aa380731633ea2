return case {
  scheme = "own.ew",
  mesh = mesh.grid { x = {0, 1}, nx = 10 },
  initial = { c = 1 },
  boundary = { { {"left", "right"}, "open" } },
  time = { steps = 1 },
}
