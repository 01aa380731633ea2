return case {
  scheme = "plate",
  mesh = mesh.grid {
    x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, ratio = { y = 1.05, 2 }, tanh = { 3 },
    solids = { { x = {0, 0.1} }, b = { x = {0, 0.2} } },
    patches = { { name = "door", side = "left" }, { name = "window", side = "left", 5 } },
  },
  time = { stop = 0.01 },
}
