return case {
  scheme = "plate", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, pattern = "alternating" }, device = "c", given = { power = 0 },
  initial = { T = 1 }, boundary = { { {"left", "right", "bottom", "top"}, "insulated" } }, time = { stop = 0.01 }, output = { folder = "out" },
}
