-- Points beside a solid that are reached around it: windows keep the rows that they look at. And what a rule fixes from the point
-- inside where that lies on another wall.
local expect = require "expect"

local function T0(x, y) return 1 + 0.1*x*y + 0.3*y*y end
local function temperatures(window, device)
  local r = run(case {
    scheme = "rib.ew",
    device = device,
    schedule = { ["grid.window"] = window },
    mesh = mesh.grid { x = {0, 8}, nx = 8, y = {0, 4}, ny = 4, solids = { name = "rib", x = {4, 6}, y = {0, 2} } },
    initial = { T = T0 },
    boundary = { { {"left", "right", "bottom", "top", "rib"}, "wall" } },
    time = { steps = 1 },
    output = { folder = "ribs_out", vtu = false },
  })
  return r:field("T")
end

-- Beside the rib q[4,1] lies beyond it: the mirror image across x, and, from above, the negative one across y.
local function q(i, j)
  local d = T0(i + 0.5, j + 0.5) - T0(i + 0.5, j - 0.5)
  return d/math.sqrt(1 + d*d)
end
local wanted = T0(3.5, 1.5) + 0.01*((q(3, 1) - q(4, 3))/2 - q(2, 1))
for _, device in ipairs { "c", "cpu" } do
  local off = temperatures("off", device)
  local auto = temperatures("auto", device)
  expect.near("beside the rib, "..device, off[8 + 4], wanted, 1e-12)
  for k = 1, 32 do expect.near("with and without windows", auto[k], off[k], 1e-12) end
end

local outlet = run(case {
  scheme = "outlet_at_rib.ew",
  device = "c",
  mesh = mesh.grid { x = {0, 6}, nx = 6, y = {0, 3}, ny = 3, solids = { name = "rib", x = {3, 5}, y = {1, 2} } },
  initial = { u = 1, p = 2 },
  boundary = { { {"left", "bottom", "top", "rib"}, "wall" }, { "right", "outlet" } },
  time = { steps = 1 },
  output = { folder = "ribs_out", vtu = false, fields = { "uo" } },
})
expect.near("an outlet one cell behind a rib", outlet:field("uo")[12], 0, 1e-14)
expect.near("an outlet in the open", outlet:field("uo")[6], 5, 1e-14)
