local arg = arguments { depth = 2, g = 9.81, nx = 8 }
return case {
  scheme = "shallow_water", parameters = { g = arg.g },
  mesh = mesh.rectangle { x = {0, 100}, y = {0, 50}, nx = arg.nx, ny = 4, jitter = 0.2 },
  given = { n = 0.02, z = 0 },
  initial = { h = function(x) return x < 50 and arg.depth or 0.5 end, q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 6 },
  output = { folder = "out", every = 2, history = { "dt" } },
}
