-- Equations that never change but for boundary rules: what rules replace, add, fix or say beyond changes with what they read.
local expect = require "expect"
local device = expect.device or "c"
local around = { "left", "right", "bottom", "top" }
local ramp = function(_, _, t) return t end
local one_cell = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, cells = "quads" }
local output = { folder = "replaced_out", vtu = false, history = "heat" }

local add = run(case {
  scheme = "replaced_nodes.ew", device = device, output = output,
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  initial = { T = 0 },
  boundary = { { around, "source", q = ramp } },
  time = { steps = 10 },
})
expect.near("an argument that is added to what is 0", add:global("heat"), 0.1*4*(0.1*(0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9)), 1e-12)

local flux = run(case {
  scheme = "replaced_flux.ew", device = device, output = output, mesh = one_cell,
  initial = { T = 1 },
  boundary = { { around, "leak", k = 1 } },
  time = { steps = 5 },
})
expect.near("a state in a flux that is constant inside", flux:global("heat"), 0.6^5, 1e-13)

-- One cell, c = 2 in it, q + T beyond each of its four faces.
local beyond = run(case {
  scheme = "replaced_ghost.ew", device = device, mesh = one_cell,
  output = { folder = "replaced_out", vtu = false },
  initial = { T = 0 },
  given = { c0 = 2 },
  boundary = { { around, "wall", q = ramp } },
  time = { steps = 4 },
})
local T = 0
for step = 0, 3 do T = T + 0.1*4*(2 + 0.1*step + T) end
expect.near("a state and an argument beyond the boundary", beyond:field("T")[1], T, 1e-12)

local grid = run(case {
  scheme = "replaced_grid.ew", device = device,
  output = { folder = "replaced_out", vtu = false, history = "heat", fields = { "flow" } },
  mesh = mesh.grid { x = {0, 1}, nx = 2 },
  initial = { T = 1 },
  given = { c0 = 2 },
  boundary = { { "left", "wall", q = function(x, t) return t end }, { "right", "wall", q = 0 } },
  time = { steps = 3 },
})
local left, heat = 1, 1
for step = 0, 2 do left, heat = left + 0.2*0.1*step*left, heat + 0.1*0.1*step*left end
expect.near("a fix of a grid", grid:global("heat"), heat, 1e-13)
-- The mean of the faces on both sides of the first cell; nobody stores them.
expect.near("what is shown of it", grid:field("flow")[1], 0.3*left/2, 1e-13)
