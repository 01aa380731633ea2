return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 8, ny = 8 },
  given = { power = 0 },
  initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = arguments { stop = 1e9 }.stop },
  device = "c",
  output = { folder = "out", vtu = false, history = "heat" },
}
