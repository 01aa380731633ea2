-- A cube of water under a moving lid, Re 100: the flow that the paper measures its solver with, from rest to t = 0.1.
-- n = 14, 28, 56 blocks along a side make meshes like the paper's: 3 375, 24 389, 185 193 nodes. An even n has nodes on the lines
-- through the middle.
local profile = require "profile"
local arg = arguments { n = 14, re = 100, stop = 0.1, cfl = 0.5, preconditioner = "jacobi" }

-- At t = 0.1, Re 100: u on x = z = 1/2 and v on y = z = 1/2, as place, value; a finite-difference solver on up to 128^3 cells,
-- extrapolated
local U = { .50, -.0321, .70, -.0542, .80, -.0662, .85, -.0705, .90, -.0489, .92, .0002, .94, .1106, .96, .3129, .98, .6184 }
local V = { .05, .0264, .10, .0300, .25, .0217, .75, -.0217, .90, -.0307, .95, -.0270 }

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
    local line = profile.lines(run, arg.n)
    print(("%d steps; u least %.4f, v least %.4f, v most %.4f"):format(run.step, profile.extreme(line.u, 1),
      profile.extreme(line.v, 1), profile.extreme(line.v, -1)))
    if arg.re ~= 100 or arg.stop ~= 0.1 then return end
    local u, u_most = profile.difference(line.u, U)
    local v, v_most = profile.difference(line.v, V)
    print(("from the reference: u %.4f, at most %.4f; v %.4f, at most %.4f"):format(u, u_most, v, v_most))
  end,
}
