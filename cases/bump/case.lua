-- Subcritical flow over a bump: starts with water at rest and runs until the flow is steady.
--   edgewise run cases/bump/case.lua -D n=400
local arg = arguments { n = 100 }  -- squares along the channel, each cut into two triangles

local g, length, q, level = 9.81, 25, 4.42, 2
local exact = require "bump"(q, level, g)

return case {
  name = "bump",
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, length}, y = {0, 4*length/arg.n}, nx = arg.n, ny = 4, pattern = "alternating" },
  parameters = { g = g },
  given = { z = exact.bed, n = 0 },
  initial = { h = function(x) return level - exact.bed(x) end, q = {0, 0} },
  boundary = {
    { "left", "inflow", discharge = q },
    { "right", "level", eta = level },
    { {"bottom", "top"}, "wall" },
  },
  time = { stop = 200 },
  output = {
    fields = { "h", "z", "velocity" },
    plot = {
      field = "h", name = "profile", title = "depth [m] along the channel, and the exact solution",
      from = {0, 2*length/arg.n}, to = {length, 2*length/arg.n}, range = {1.6, 2.1}, exact = exact.depth,
    },
    probes = { crest = {10, 2*length/arg.n} },
    sample = 20,
  },
  on_end = function(run)
    print(string.format("%d cells, %d steps: mean error of the depth %.3g mm, on the crest %.4f m (exact %.4f)",
      run.cells, run.step, 1000*run:l1("h", exact.depth), run:probe("crest", "h"), exact.depth(10)))
    print(string.format("discharge between %.5f and %.5f m^2/s (exact %.5f)", run:min("q.x"), run:max("q.x"), q))
  end,
}
