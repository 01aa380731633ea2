-- Rules hold as far from walls as somebody reads, whatever the formula of the quantity reads itself.
local expect = require "expect"

local r = run(case {
  scheme = "far_rules.ew",
  device = expect.device or "c",
  mesh = mesh.grid { x = {0, 6}, nx = 6 },
  initial = { r = function(x) return 10 + x end, two = 0, three = 0, back = 0, next = 0 },
  boundary = { { {"left", "right"}, "wall" } },
  time = { steps = 1 },
  output = { folder = "far_rules_out", vtu = false },
})
-- r at the six cells; beyond the wall at the right end e and f are the mirror image of it.
local c = {}
for i = 1, 6 do c[i] = 9.5 + i end
for name, wanted in pairs {
  two = { 1, 1, 1, 1, c[6], c[5] },
  three = { 1, 1, 1, c[6], c[5], c[4] },
  back = { c[1], c[2], c[3], c[4], c[6], c[5] },
} do
  for i = 1, 6 do expect.near(("%s at cell %d"):format(name, i), r:field(name)[i], wanted[i], 1e-14) end
end
for i = 1, 4 do expect.near("a formula that reads it", r:field("next")[i], 1, 0) end
expect.near("a formula that reads it, beyond the wall", r:field("next")[5], c[6], 1e-14)
