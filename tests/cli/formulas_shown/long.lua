local arg = arguments { x = 1 }
return case {
  scheme = "long.ew", mesh = mesh.rectangle { x = {0, 1}, nx = 1, y = {0, 1}, ny = 1 },
  initial = { T = {arg.x, 2} }, boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { steps = 1 }, output = { vtu = false },
}
