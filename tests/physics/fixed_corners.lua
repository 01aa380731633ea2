-- The wall at x = 0 ends at the corners (0, 3, 3): the faces of the wall that touch them lie below, the points inside do not.
local expect = require "expect"

local r = run(case {
  scheme = "fixed_corners.ew",
  device = expect.device or "c",
  mesh = mesh.grid { x = {0, 3}, nx = 3, y = {0, 3}, ny = 3, z = {0, 3}, nz = 3 },
  initial = {
    c = function(x, y, z) return x + 10*y + 100*z end, d = 0, e = 0,
    u = function(x, y, z) return x + 10*y + 100*z end, v = function(x, y, z) return x + 10*y + 100*z end,
    seen = 0, facing = 0, along = 0,
  },
  boundary = { { {"left", "right", "bottom", "top", "front", "back"}, "wall" } },
  time = { steps = 1 },
  output = { folder = "fixed_corners_out", vtu = false },
})
local function cell(i, j, k) return 1 + i + 3*(j + 3*k) end
for j = 0, 2 do for k = 0, 2 do
  local at = ("the corner 0,%d,%d: "):format(j + 1, k + 1)
  expect.near(at.."what lives there", r:field("seen")[cell(0, j, k)], 1 + 10*(j + 1) + 100*(k + 1), 1e-12)
  -- the mean of what the faces of the wall say: four within it, two on its edges, one at its ends
  local y, z = j < 2 and j + 1 or j + 0.5, k < 2 and k + 1 or k + 0.5
  expect.near(at.."faces across the wall", r:field("facing")[cell(0, j, k)], 1 + 10*y + 100*z, 1e-12)
  expect.near(at.."faces along the wall", r:field("along")[cell(0, j, k)], 0.5 + 10*(j + 1) + 100*z, 1e-12)
end end
