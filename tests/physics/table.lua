-- Tables are linear between their points and constant beyond, in kernels and in the interpreter; points may be parameters.
local expect = require "expect"

local function depth(x, y) return 5*x - 0.7 end
local function rated(h, full, peak)
  if h < 0 then return 0.5 elseif h < 1 then return 0.5 + 1.5*h elseif h < full then return 2 + (peak - 2)*(h - 1)/(full - 1) end
  return peak
end

local function look(device, full, peak)
  return run(case {
    scheme = "table", device = device, parameters = { full = full, peak = peak },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 60, ny = 2 },
    initial = { h = depth }, boundary = { { {"left", "right", "bottom", "top"}, "none" } }, time = { steps = 1 },
    output = { folder = "table_out", vtu = false, fields = { "rated" } },
  })
end

for _, device in ipairs { expect.device or "c", "reference" } do
  for _, last in ipairs { {3, 7}, {1.5, 1} } do
    local r = look(device, last[1], last[2])
    local function exact(x, y) return rated(depth(x, y), last[1], last[2]) end
    expect.below(string.format("%s: from the table to (%g, %g)", device, last[1], last[2]), r:linf("rated", exact), 1e-14)
    expect.near("beyond", r:max("rated"), math.max(2, last[2]), 0.2)
  end
end
if pcall(look, expect.device, 0.5, 7) then error "points that do not rise were taken" end
