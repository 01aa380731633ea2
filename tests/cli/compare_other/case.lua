local arg = arguments { n = 2 }
return case {
  scheme = "plate", name = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = arg.n, ny = 2, periodic = "xy", cells = "quads" },
  given = { power = 0 },
  initial = { T = 1 },
  time = { steps = 3 },
  output = { probes = { middle = {0.5, 0.4} }, history = "dt", raster = { size = 0.25, field = "T" } },
}
