-- An integrator of several stages beside a repeat that looks at what its pass began with.
local expect = require "expect"
local one = run(case {
  scheme = "starts.ew", device = expect.device or "c",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, cells = "quads" },
  initial = { s = 2, r = 1 },
  boundary = { { { "left", "right", "bottom", "top" }, "w" } },
  time = { steps = 1 },
  output = { folder = "starts_out", vtu = false },
})
-- s + dt*r, then twice dt; r + dt*s
expect.near("s", one:field("s")[1], 2 + 0.05 + 0.05 + 0.05, 1e-15)
expect.near("r", one:field("r")[1], 1 + 0.05*2.15, 1e-15)
