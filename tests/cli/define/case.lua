local arg = arguments { n = 4, order = "rcm", fine = false }
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = arg.n, ny = arg.n, order = arg.order, pattern = "alternating" },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.01 },
  on_end = nil,
}
