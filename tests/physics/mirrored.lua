-- What mirrors show behind walls is what lies there in a plane twice as wide and high: equations of equations, however they are computed.
local expect = require "expect"
local n, m = 14, 11

local function even(x, y) return math.sin(0.7*x + 0.3) + 0.2*x*math.cos(0.9*y) end
local function odd(x, y) return math.sin(math.pi*x/n)*(1 + 0.3*math.cos(y)) end

local function s_of(device, schedule, twice)
  local function of(f, sign)
    return function(x, y)
      local s = x > n and sign or 1
      return s*f(x > n and 2*n - x or x, y > m and 2*m - y or y)
    end
  end
  local k = twice and 2 or 1
  return run(case {
    scheme = "mirrored.ew",
    device = device,
    schedule = schedule,
    mesh = mesh.grid { x = {0, k*n}, nx = k*n, y = {0, k*m}, ny = k*m, periodic = twice and "xy" or nil },
    initial = { T = of(even, 1), u = of(odd, -1), s = 0 },
    boundary = twice and {} or { { {"left", "right", "bottom", "top"}, "mirror" } },
    time = { steps = 3 },
    output = { folder = "mirrored_out", vtu = false },
  }):field("s")
end

local wanted = s_of("c", {}, true)
local function compare(what, device, schedule)
  local s, apart = s_of(device, schedule), 0
  for j = 0, m - 1 do
    for i = 0, n - 1 do apart = math.max(apart, math.abs(s[j*n + i + 1] - wanted[j*2*n + i + 1])) end
  end
  expect.below(what, apart, 1e-11)
end

compare("c", "c", {})
compare("c, windowed", "c", { ["grid.window"] = "auto" })
for _, walls in ipairs { "calls", "tables", "auto" } do
  for _, window in ipairs { "off", "auto" } do
    for _, form in ipairs { "inline", "store" } do
      compare(walls..", window "..window..", "..form, expect.device or "cpu",
        { items = "each", ["grid.walls"] = walls, ["grid.window"] = window, split = form, wide = form })
    end
  end
end
