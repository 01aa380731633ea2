local a = arguments { nodes = "none", seed = 0 }
return case {
  scheme = "held.ew",
  mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 5, ny = 4, periodic = "x", nodes = a.nodes, seed = a.seed },
  initial = { u = 7 },
  boundary = { { {"bottom", "top"}, "ra", aa = function(x, y) return 1 + x end } },
  time = { steps = 1 },
  output = { folder = "out", vtu = false, history = { "at_seam" } },
}
