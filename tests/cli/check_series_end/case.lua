-- The first series is still rising at its end, which is before the run's; the second one has come to rest; the third is as long as the run.
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 40}, y = {0, 4}, nx = 4, ny = 2 },
  given = { z = 0, n = 0.03 },
  initial = { h = 1, q = {0, 0} },
  boundary = {
    { "left", "inflow", discharge = series { {0, 0}, {60, 2.5} } },
    { "right", "inflow", discharge = series { {0, 1}, {30, 0}, {60, 0} } },
    { "top", "inflow", discharge = series { {0, 1}, {300, 2} } },
    { "bottom", "wall" },
  },
  time = { stop = 300 },
}
