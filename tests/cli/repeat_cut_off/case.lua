return case {
  scheme = "rep.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 },
  initial = { h = 0, g = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 2, unfinished = arguments { unfinished = "warn" }.unfinished },
  device = "c",
  output = { folder = "out", vtu = false },
}
