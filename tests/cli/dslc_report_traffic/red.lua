return case {
  scheme = "red.ew", mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = 200, ny = 200 }, initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "w" } }, time = { stop = 1e9 }, output = { vtu = false },
}
