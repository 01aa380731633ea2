-- Lakes on random ground over random meshes: rock stands out, shores are films, neighbours differ in depth a hundredfold. A disturbance of
-- 1e-10 m must die away at the default cfl; where the depth of the face pushes the shallow side's water too, it swings up to millimetres.
-- All: -D first=0 -D lakes=50 -D steps=30000.
local expect = require "expect"
local arg = arguments { lakes = 5, steps = 6000, first = 14 }

local function number(x, y) local s = math.sin(x*127.1 + y*311.7)*43758.5453; return s - math.floor(s) end

for lake = arg.first, arg.first + arg.lakes - 1 do
  local rough = 0.1 + 0.2*number(lake, 1)
  local eta = rough*(0.3 + 0.9*number(lake, 2))  -- from 30 % under water to none above
  local function bed(x, y) return rough*number(x + lake, y) end
  local r = run(case {
    scheme = "shallow_water", device = expect.device or "c",
    mesh = mesh.rectangle { x = {0, 12}, y = {0, 5}, nx = 30, ny = 12, jitter = 0.45, pattern = "alternating", seed = lake,
                            cells = lake % 3 == 2 and "quads" or "triangles" },
    given = { z = bed, n = 0 },
    initial = { h = function(x, y)
      local h = eta - bed(x, y)
      return h > 0 and h + 1e-10*(number(y, x) - 0.5)*math.min(1, h/0.01) or 0
    end, q = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
    time = { steps = arg.steps }, output = { folder = "rough_lakes_out", vtu = false },
  })
  expect.below("lake "..lake..": largest discharge", r:max("q"), 5e-11)
end
