local a = arguments { start = 1 }
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = a.start },
  initial = { T = a.start },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 40 },
  output = { vtu = false },
}
