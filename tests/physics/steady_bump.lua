-- Subcritical flow over a bump (SWASHES 3.1.3), from water at rest to the steady state.
local expect = require "expect"
local q, level, length = 4.42, 2, 25
local exact = require "bump"(q, level, 9.81)

local errors, r = {}, nil
for i, n in ipairs { 50, 100 } do
  r = run(case {
    scheme = "shallow_water",
    device = expect.device or "c",  -- small and many steps
    mesh = mesh.rectangle { x = {0, length}, y = {0, 2*length/n}, nx = n, ny = 2 },
    given = { z = exact.bed, n = 0 },
    initial = { h = function(x) return level - exact.bed(x) end, q = {0, 0} },
    boundary = {
      { "left", "inflow", discharge = q },
      { "right", "level", eta = level },
      { {"bottom", "top"}, "wall" },
    },
    time = { stop = 150 },
    output = { folder = "bump_out", vtu = false },
  })
  errors[i] = r:l1("h", exact.depth)
end
expect.order("Bump, depth [m]", errors, { 8e-4, 4e-4 }, 0.9)
expect.near("Bump: least discharge", r:min("q.x"), q, 0.02)
expect.near("Bump: largest discharge", r:max("q.x"), q, 0.02)
