-- A channel with a cylinder a little off its middle: vortices leave it in turn (Schaefer and Turek 1996, test 2D-2).
local arg = arguments { size = 0.006, u = 1.5, stop = 6, cfl = 0.5 }
local height = 0.41

return case {
  scheme = "edge_navier_stokes",
  parameters = { nu = 1e-3, cfl = arg.cfl },
  mesh = mesh.gmsh { recipe = "channel.geo", size = arg.size },
  given = { b = {0, 0} },
  initial = { u = {0, 0}, p = 0 },
  -- Where rules meet at a node the first one named holds.
  boundary = {
    { {"walls", "cylinder"}, "fixed", U = {0, 0} },
    { "inlet", "fixed", U = function(x, y, t)
      local rise = math.min(1, t/0.2)  -- from rest, so that the start does not ring
      return {rise*4*arg.u*y*(height - y)/height^2, 0}
    end },
    { "outlet", "open", p_out = 0 },
  },
  solver = { preconditioner = "multigrid" },
  time = { stop = arg.stop },
  output = {
    every = 1,
    picture = { field = "u", size = 1100 },
    probes = { behind = {0.5, 0.2} },
    history = { "dt", "energy", "p.iterations" },
    sample = 10,
  },
}
