return case {
  scheme = "sound.ew",
  mesh = mesh.grid { x = {0, 2}, nx = 4, y = {0, 1.5}, ny = 3, z = {0, 1}, nz = 2 },
  initial = { p = 0, u = 0, v = 0, w = 0 },
  boundary = { { {"left", "right", "bottom", "top", "back", "front"}, "wall" } },
  time = { stop = 1, step = 0.1 }, output = { vtu = false },
}
