return case {
  scheme = "edge_navier_stokes", parameters = { nu = 0.01, cfl = 0.5 }, given = { b = {0, 0, 0} }, initial = { u = {0, 0, 0}, p = 0 },
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 14, ny = 14, nz = 14 },
  boundary = { { {"left", "right", "bottom", "back", "front"}, "fixed", U = {0, 0, 0} }, { "top", "fixed", U = {1, 0, 0} } },
  solver = { tolerance = 1e-11 }, time = { steps = 2 }, output = { vtu = false },
  on_end = function(run) print(run.step, ("%.6f %.6f"):format(run:max("p") - run:min("p"), run:min("u.x"))) end,
}
