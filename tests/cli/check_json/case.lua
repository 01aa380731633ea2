return case {
  scheme = "paltes",
  mesh = mesh.rectangle {
    x = {0, 1}, y = {0, 1},
    nx = 0, ny = 4,
    jitter = 0.9,
  },
  parameters = { kappa = true },
  given = { power = 0 },
  initial = {
    T = "warm",
  },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = -1 },
}
