return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 8, ny = 8 },
  given = { power = 0 },
  initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 1e9 },
  device = "c",
  output = { folder = "out", vtu = false, every = 1e-3, raster = { field = "T", size = 0.5, format = "tif" } },
}
