-- Cells of a mesh: VTU, pictures, plots, probes, history; values over time.
return case {
  name = "cells", scheme = "warm",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 40, ny = 40, pattern = "alternating" },
  given = { power = function(x, y, t) return 100*math.sin(1000*t)*x end },
  initial = { T = function(x, y) return x*y end },
  boundary = { { "left", "held", Tw = function(x, y, t) return 1 + y*t end }, { {"right", "bottom", "top"}, "insulated" } },
  time = { stop = 3e-3 },
  output = {
    every = 3e-4, times = { 1.234e-3, 2.5e-3 }, checkpoint = tonumber(os.getenv("KILLS_CHECKPOINT") or "0.004"), sample = 7,
    picture = { field = "T", size = 60 },
    plot = { field = "T", from = {0, 0.5}, to = {1, 0.5}, samples = 20 },
    probes = { middle = {0.5, 0.5}, corner = {0.1, 0.1} },
    history = { "dt", "fastest" },
  },
}
