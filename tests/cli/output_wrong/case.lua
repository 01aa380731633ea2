return case {
  scheme = "fields.ew",
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2 },
  initial = { T = 1, u = {1, 2, 3}, s = 1, F = {1, 0, 0, 0, 1, 0, 0, 0, 1} },
  time = { stop = 1 },
  boundary = { { {"left", "right", "bottom", "top", "back", "front"}, "still" } },
  output = {
    times = {0.5, 0.25},
    fields = {"T", "s"},
    picture = { { field = "T.x" }, { field = "u.xy" }, { field = "F.x", size = 4294967296 } },
    history = {"s", "T", "dt", "shown", "dt"},
    raster = { field = "T", size = 0.5 },
    probes = { history = {0.5, 0.5, 0.5}, ["a/b"] = {0.5, 0.5, 0.5} },
  },
}
