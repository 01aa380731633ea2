-- Integrators over parts of dt: the time that rates and rules see.
local expect = require "expect"

local sides = {"left", "right", "bottom", "top"}
local function start(names)
  local initial = {}
  for _, name in ipairs(names) do initial[name] = 0 end
  return initial
end

-- ---- rates

local states = {"once", "twice", "whole", "other", "factor", "stored"}
local r = run(case {
  scheme = "stages_cells.ew",
  device = expect.device,
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 },
  initial = start(states),
  boundary = { { sides, "wall" } },
  schedule = { f = "store", away = "store" },
  time = { stop = 1 },
  output = { folder = "stages_out", vtu = false, fields = states },
})
local first_half = 0 -- of every step
for k = 0, 3 do first_half = first_half + (k/4 + 1/8)^4 - (k/4)^4 end
for name, wanted in pairs { once = first_half, twice = 1, whole = 1, other = first_half, factor = first_half, stored = 1 } do
  expect.near("4 t^3: "..name..", least", r:min(name), wanted, 1e-14)
  expect.near("4 t^3: "..name..", most", r:max(name), wanted, 1e-14)
end

-- ---- what rules fix: the inside has come as far as the boundary says, but where only half of each step is made

for _, on in ipairs { "nodes", "grid" } do
  r = run(case {
    scheme = "stages_"..on..".ew",
    device = expect.device,
    mesh = on == "grid" and mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 }
        or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
    initial = start { "half", "twice", "first", "whole" },
    boundary = { { sides, "clock" } },
    time = { steps = 4 },
    output = { folder = "stages_out", vtu = false },
  })
  for name, inside in pairs { half = 0.5, twice = 1, first = 0.5, whole = 1 } do
    local values = r:field(name)
    local least, most = math.huge, -math.huge
    for _, v in ipairs(values) do least, most = math.min(least, v), math.max(most, v) end
    local outside = (name == "twice" or name == "whole") and 1 or 0.875
    expect.near(on..": "..name..", least", least, inside, 1e-14)
    if on == "grid" then outside = (inside + outside)/2 end -- cells at the boundary have the mean of their two faces
    expect.near(on..": "..name..", most", most, math.max(inside, outside), 1e-14)
  end
end
