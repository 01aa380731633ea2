local arg = arguments { scheme = "gas.ew", E = -1 }
return case {
  scheme = arg.scheme, mesh = mesh.grid { x = {0, 1}, nx = 3, y = {0, 1}, ny = 2 },
  initial = { rho = 1, m = 0, E = arg.E },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { steps = 1 }, output = { vtu = false },
}
