return case {
  scheme = "still.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3, periodic = "xy" },
  initial = { phi = 1 },
  time = { steps = 1 },
}
