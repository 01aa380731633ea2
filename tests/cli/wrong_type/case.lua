return case {
  scheme = "plate",
  mesh = mesh.rectangle {
    x = {0, 1}, y = {1, 0},
    nx = "ten", ny = 2.5,
  },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.01 },
  output = { history = {} },
}
