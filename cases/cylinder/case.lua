-- A channel with a cylinder a little off its middle: vortices leave it in turn (Schaefer and Turek 1996, test 2D-2).
local arg = arguments { size = 0.006, u = 1.5, stop = 6, cfl = 0.5 }
local height, diameter = 0.41, 0.1
local mean = 2*arg.u/3
local unit = mean^2*diameter/2 -- of drag and lift: coefficients are multiples of it

-- What the lift tells of the vortices: the times at which it rises through zero, and the extremes since the first third before the end.
local seen = { rises = {}, drag = 0, lift = 0 }
local function watch(run)
  local drag, lift, t = run:global("drag")/unit, run:global("lift")/unit, run.t
  if seen.last and seen.last < 0 and lift >= 0 then
    table.insert(seen.rises, t - (t - seen.t)*lift/(lift - seen.last))
  end
  seen.last, seen.t = lift, t
  if t > 2/3*arg.stop then seen.drag, seen.lift = math.max(seen.drag, drag), math.max(seen.lift, lift) end
end

return case {
  scheme = "edge_navier_stokes",
  parameters = { nu = 1e-3, cfl = arg.cfl, drag_to = {1, 0}, lift_to = {0, 1} },
  mesh = mesh.gmsh { recipe = "channel.geo", size = arg.size },
  given = { b = {0, 0} },
  initial = { u = {0, 0}, p = 0 },
  -- Where rules meet at a node the first one named holds.
  boundary = {
    { "walls", "fixed", U = {0, 0} },
    { "cylinder", "body", U = {0, 0} },
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
    history = { "dt", "energy", "p.iterations", "drag", "lift" },
    sample = 10,
  },
  on_step = watch,
  on_end = function(run)
    local r = seen.rises
    local strouhal = #r > 4 and ("%.4f"):format(diameter/mean*3/(r[#r] - r[#r - 3])) or "not known, too few vortices were seen"
    print(("%d steps; drag coefficient %.4f at the end, at most %.4f; lift coefficient at most %.4f; Strouhal number %s"):format(
      run.step, run:global("drag")/unit, seen.drag, seen.lift, strouhal))
  end,
}
