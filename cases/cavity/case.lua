-- A cube of water under a moving lid, Re 100: the flow that the paper measures its solver with.
local arg = arguments { n = 14, re = 100, stop = 0.1, cfl = 0.5 }

-- The lid's rim is at rest, as its walls are: it stands behind them in the list.
return case {
  scheme = "edge_navier_stokes",
  parameters = { nu = 1/arg.re, cfl = arg.cfl },
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = arg.n, ny = arg.n, nz = arg.n },
  given = { b = {0, 0, 0} },
  initial = { u = {0, 0, 0}, p = 0 },
  boundary = {
    { {"left", "right", "bottom", "back", "front"}, "fixed", U = {0, 0, 0} },
    { "top", "fixed", U = {1, 0, 0} },
  },
  time = { stop = arg.stop },
  output = {
    picture = { field = "u", z = 0.5, contours = 8 },
    plot = { name = "profile", field = "u.x", from = {0.5, 0, 0.5}, to = {0.5, 1, 0.5} },
    history = { "dt", "energy", "p.iterations" },
  },
  on_end = function(run)
    for _, y in ipairs { 0.5, 0.7, 0.8, 0.85, 0.9, 0.92, 0.94, 0.96, 0.98 } do
      print(("u(0.5, %.2f, 0.5) = %8.4f"):format(y, run:at("u.x", 0.5, y, 0.5)))
    end
  end,
}
