-- Air around Ahmed's body at 60 m/s, Re 4.2e6 by its length: a measure of computing, not of drag (see the README).
local arg = arguments { size = 0.0125, slant = 25, speed = 60, stop = 0.02, cfl = 0.5 }

-- half the square of the speed times the frontal area with the stilts
local unit = arg.speed^2/2*0.115
local most = 0

return case {
  scheme = "edge_navier_stokes",
  variants = { stabilisation = "nodal" },  -- the paper's form: it keeps the flow bounded on meshes as coarse as this
  parameters = { nu = 1.5e-5, cfl = arg.cfl, drag_to = {1, 0, 0}, lift_to = {0, 0, 1} },
  mesh = mesh.gmsh { recipe = "tunnel.geo", numbers = { size = arg.size, slant = arg.slant } },
  given = { b = {0, 0, 0} },
  initial = { u = {arg.speed, 0, 0}, p = 0 },
  -- Where rules meet at a node the first one named holds; the ground moves with the air.
  boundary = {
    { "body", "body", U = {0, 0, 0} },
    { {"inlet", "ground"}, "fixed", U = {arg.speed, 0, 0} },
    { {"top", "sides"}, "slip" },
    { "outlet", "open", p_out = 0 },
  },
  solver = { preconditioner = "multigrid" },
  time = { stop = arg.stop },
  output = {
    picture = {
      { field = "u", z = 0.2, size = 1100 },
      { field = "u", name = "surface", surface = "body", view = {1, -1, 0.6}, size = 1100, title = "speed beside the body" },
    },
    history = { "dt", "energy", "p.iterations", "drag", "lift" },
    sample = 10,
  },
  on_step = function(run) most = math.max(most, run:max("u")) end,
  on_end = function(run)
    print(("%d steps; largest speed %.1f m/s on the way, %.1f m/s now; drag coefficient %.3f, lift coefficient %.3f"):format(run.step,
      most, run:max("u"), run:global("drag")/unit, run:global("lift")/unit))
  end,
}
