local arg = arguments { last = 1e9 }
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = arg.last },
  device = "reference",
  output = { folder = "out", history = "heat", vtu = false },
}
