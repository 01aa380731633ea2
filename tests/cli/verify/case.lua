return case {
  scheme = "thin.ew",
  mesh = mesh.grid { x = {0, 1}, nx = 9 },
  initial = { s = function(x) return x end },
  boundary = { { {"left", "right"}, "wall" } },
  time = { steps = 5 },
}
