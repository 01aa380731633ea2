-- Sums over the faces of a boundary rule on a grid: on sides, solids and beside periodic sides, on all devices, however `if` is computed.
local expect = require "expect"

local function sums(device, select, window)
  local r = run(case {
    scheme = "wall_sums.ew",
    device = device,
    schedule = { select = select, ["grid.window"] = window },
    mesh = mesh.grid {
      x = {0, 10}, nx = 20, y = {0, 6}, ny = 12, z = {0, 4}, nz = 4, periodic = "z",
      solids = { { name = "post", x = {3, 5}, y = {2, 4} }, { name = "block", x = {8, 9}, y = {0, 1}, z = {0, 2} } },
    },
    initial = { p = function(x, y, z) return 3*x + 5*y + z end },
    boundary = { { {"post", "block"}, "body" }, { {"left", "right", "bottom", "top"}, "side" } },
    time = { steps = 1 },
    output = { folder = "wall_sums_out", vtu = false,
      history = { "surface", "push_x", "push_y", "push_z", "largest", "smallest", "outside" } },
  })
  local function is(name, wanted) expect.near(device.." "..select..": "..name, r:global(name), wanted, 1e-11) end
  is("surface", (2 + 2)*2*4 + 2*1*2 + 1*2 + 2*1*1)     -- the block stands on the bottom
  is("push_x", -3*2.5*2*4 - 3*1.5*1*2)                 -- values half a cell beside the surfaces
  is("push_y", -5*2.5*2*4 - (3*8.5 + 5*1.25 + 1)*2)
  is("push_z", (3*8.5 + 5*0.5 + 3.5) - (3*8.5 + 5*0.5 + 2.5))
  is("largest", 3*5.25 + 5*3.75 + 3.5)
  is("smallest", (3*0.25 + 5*0.25 + 0.5 + 7)/2)
  is("outside", 0)
end

for _, device in ipairs { "c", expect.device or "cpu" } do
  for _, select in ipairs { "ternary", "branch", "delta" } do sums(device, select, "auto") end
end
