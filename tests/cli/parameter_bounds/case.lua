local arg = arguments { kappa = 0.5, high = 2 }
return case {
  scheme = "fades",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  parameters = { kappa = arg.kappa, high = arg.high },
  initial = { u = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 2 },
}
