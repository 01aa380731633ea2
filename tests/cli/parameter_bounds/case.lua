local arg = arguments { scheme = "fades", kappa = 0.5, high = 2 }
return case {
  scheme = arg.scheme,
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  parameters = { kappa = arg.scheme == "fades" and arg.kappa or nil, high = arg.high },
  initial = { u = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 2 },
}
