local arg = arguments { stop = 0.02 }
return case {
  name = "k", scheme = "heat", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 }, initial = { T = 300 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = arg.stop }, output = { history = "dt" },
}
