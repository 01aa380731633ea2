return case {
  scheme = "edge_navier_stokes",
  parameters = { nu = 0.01, cfl = 0.5 },
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 8, ny = 8, nz = 8 },
  given = { b = {0, 0, 0} },
  initial = { u = {0, 0, 0}, p = 0 },
  boundary = {
    { {"left", "right", "bottom", "back", "front"}, "fixed", U = {0, 0, 0} },
    { "top", "fixed", U = {1, 0, 0} },
  },
  time = { steps = 2 },
  output = { vtu = false, history = { "dt", "energy" } },
}
