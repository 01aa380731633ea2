-- A channel with a bed and Manning's friction, for which the steady depth is known. Discharge given upstream, level down.
--   edgewise run cases/macdonald/case.lua -D friction=cell
local arg = arguments {
  n = 100,             -- squares along the channel, each cut into two triangles
  friction = "mixed",  -- where friction acts: cell, edge or mixed
}

local g, length, q, manning = 9.81, 1000, 2, 0.033
local exact = require "channel"(q, manning, length, g)
local dx = length/arg.n

-- The outer level meets the bed of the last cells, at their centres, not that of the channel's end.
local last = exact.bed(length - dx/3)

return case {
  name = "macdonald",
  scheme = "shallow_water",
  variants = { friction = arg.friction },
  mesh = mesh.rectangle { x = {0, length}, y = {0, 2*dx}, nx = arg.n, ny = 2 },
  parameters = { g = g },
  given = { z = exact.bed, n = manning },
  initial = { h = 0.8, q = {q, 0} },
  boundary = {
    { "left", "inflow", discharge = q },
    { "right", "level", eta = exact.depth(length) + last },
    { {"bottom", "top"}, "wall" },
  },
  time = { stop = 4000 },
  output = {
    fields = { "h", "z", "velocity" },
    plot = {
      field = "h", name = "profile", title = "depth [m] along the channel, and the exact solution",
      from = {0, dx/3}, to = {length, dx/3}, range = {0.7, 1.2}, exact = exact.depth,
    },
  },
  on_end = function(run)
    local error = run:l1("h", exact.depth)
    print(string.format("%d cells, %d steps: mean error of the depth %.3g mm, %.3g %% of the mean depth",
      run.cells, run.step, 1000*error, 100*error/(run:integral("h")/(length*2*dx))))
    print(string.format("discharge between %.5f and %.5f m^2/s (exact %.5f)", run:min("q.x"), run:max("q.x"), q))
  end,
}
