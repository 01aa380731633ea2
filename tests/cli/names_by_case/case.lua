return case {
  scheme = "s.ew", device = "c", mesh = mesh.grid { x = {0, 1}, nx = 2, y = {0, 1}, ny = 2 },
  parameters = { k = 3, K = 5 }, given = { b = 7, B = 11 }, initial = { v = 13, V = 17 },
  boundary = { { {"left", "bottom"}, "wall", a = 19, A = 23 }, { {"right", "top"}, "Wall" } },
  time = { steps = 1 },
  output = { history = { "sum_v", "Sum_v" }, probes = { p = {0.3, 0.3} }, fields = { "v", "V" } },
}
