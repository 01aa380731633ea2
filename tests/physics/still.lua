-- Globals that keep their value in a run are computed once; a checkpoint needs none of them. What changes through time, a given over time,
-- the state or the step's length is computed when it is asked for.
local expect = require "expect"

local r = run(case {
  scheme = "still.ew",
  device = expect.device,
  mesh = mesh.rectangle { x = {0, 3}, y = {0, 2}, nx = 6, ny = 4 },
  given = { speed = function(x, y, t) return t end },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "closed" } },
  time = { stop = 0.55, step = 0.1 },
  output = { folder = "still_out", vtu = false, history = { "mean_T", "share", "fastest", "last" } },
})
local T = 1
for _, step in ipairs { { 0, 0.1 }, { 0.1, 0.1 }, { 0.2, 0.1 }, { 0.3, 0.1 }, { 0.4, 0.075 }, { 0.475, 0.075 } } do T = T*(1 + step[1]*step[2]) end
expect.near("a mean that changes", r:global("mean_T"), T, 1e-12)
expect.near("made of what does not", r:global("share"), 1/6, 1e-15)
expect.near("a given over time, at the time of the output", r:global("fastest"), 0.55, 1e-12)
expect.near("the last step's length", r:global("last"), 0.075, 1e-12)
