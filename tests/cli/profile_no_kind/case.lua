local arg = arguments { power = 0 }
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = arg.power },
  initial = { T = function(x, y) return 300 + 0.1*x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 3 },
}
