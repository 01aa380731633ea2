return case {
  scheme = "fibres.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 10, ny = 10 },
  initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "bottom", "top"}, "free" } },
  time = { steps = 5 },
  device = "c",
  output = { folder = "out", vtu = false, probes = { middle = {0.5, 0.5} } },
}
