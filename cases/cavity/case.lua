-- A cube of water under a moving lid, Re 100: the flow that the paper measures its solver with, from rest to t = 0.1.
-- n = 14, 28, 56 blocks along a side make meshes like the paper's: 3 375, 24 389, 185 193 nodes.
local arg = arguments { n = 14, re = 100, stop = 0.1, cfl = 0.5, preconditioner = "jacobi" }

-- x-velocity on the vertical through the middle at t = 0.1, Re 100: a finite-difference solver on 128^3 cells, extrapolated
local REFERENCE = {
  [0.50] = -0.0321, [0.70] = -0.0542, [0.80] = -0.0662, [0.85] = -0.0705, [0.90] = -0.0489,
  [0.92] = 0.0002, [0.94] = 0.1106, [0.96] = 0.3129, [0.98] = 0.6184,
}

-- Where rules meet at a node the first one named holds: the lid's rim is at rest, as its walls are.
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
  solver = { preconditioner = arg.preconditioner },
  time = { stop = arg.stop },
  output = {
    picture = { field = "u", z = 0.5, contours = 8 },
    plot = { name = "profile", field = "u.x", from = {0.5, 0, 0.5}, to = {0.5, 1, 0.5} },
    history = { "dt", "energy", "p.iterations" },
  },
  on_end = function(run)
    local sum, n = 0, 0
    for y, u in pairs(REFERENCE) do
      sum, n = sum + (run:at("u.x", 0.5, y, 0.5) - u)^2, n + 1
    end
    local least, most, v_least = 0, 0, 0
    for i = 0, 200 do
      least = math.min(least, run:at("u.x", 0.5, i/200, 0.5))
      local v = run:at("u.y", i/200, 0.5, 0.5)
      most, v_least = math.max(most, v), math.min(v_least, v)
    end
    print(("%d steps; u least %.4f, v least %.4f, v most %.4f; mean difference at t = 0.1: %.4f"):format(run.step, least,
      v_least, most, math.sqrt(sum/n)))
  end,
}
