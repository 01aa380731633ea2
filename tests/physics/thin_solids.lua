-- The first wall on the way decides: what lies behind a solid one cell thick is what the rule of its near side gives.
local expect = require "expect"

for _, device in ipairs { "c", "cpu" } do
  local function x(x, y) return x end
  local function y(x, y) return y end
  local r = run(case {
    scheme = "thin_solids.ew",
    device = device,
    mesh = mesh.grid { x = {0, 7}, nx = 7, y = {0, 7}, ny = 7, solids = { name = "rib", x = {3, 4}, y = {3, 4} } },
    initial = { u = x, v = y, c = x, right = 0, left = 0, above = 0, corner = 0, next = 0 },
    boundary = { { {"left", "right", "bottom", "top", "rib"}, "wall" } },
    time = { steps = 1 },
    output = { folder = "thin_solids_out", vtu = false },
  })
  local function at(field, i, j) return r:field(field)[1 + i + 7*j] end
  expect.near("to the right through the rib", at("right", 2, 3), 100, 0)
  expect.near("as far as its surface", at("right", 1, 3), 3, 0)
  expect.near("to the right beside the rib", at("right", 2, 2), 4, 0)
  expect.near("to the right behind the rib", at("right", 4, 3), 6, 0)
  expect.near("to the left through the rib", at("left", 5, 3), 100, 0)
  expect.near("as far as its other surface", at("left", 6, 3), 4, 0)
  expect.near("upwards through the rib", at("above", 3, 2), 200, 0)
  expect.near("upwards, two cells before", at("above", 3, 1), 200, 0)
  expect.near("upwards as far as its surface", at("above", 3, 0), 3, 0)
  expect.near("corners have gas beside the way", at("corner", 2, 3), 4, 0)
end
