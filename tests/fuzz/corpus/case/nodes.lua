-- Unknowns at the nodes of a mesh, with a linear system in every step.
return case {
  name = "nodes", scheme = "edge_navier_stokes",
  parameters = { nu = 0.01, cfl = 0.5 },
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 4, ny = 4, nz = 4 },
  given = { b = {0, 0, 0} },
  initial = { u = {0, 0, 0}, p = 0 },
  boundary = {
    { {"left", "right", "bottom", "back", "front"}, "fixed", U = {0, 0, 0} },
    { "top", "fixed", U = {1, 0, 0} },
  },
  solver = { preconditioner = os.getenv("KILLS_PRECONDITIONER") or "jacobi" },
  time = { stop = 1 },
  output = {
    every = 0.05, checkpoint = tonumber(os.getenv("KILLS_CHECKPOINT") or "0.004"),
    plot = { name = "profile", field = "u.x", from = {0.5, 0, 0.5}, to = {0.5, 1, 0.5}, samples = 20 },
    history = { "dt", "energy", "p.iterations" },
  },
}
