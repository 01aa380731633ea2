-- What equations are in the first cell behind a wall, whichever of them are stored: of u across x, and of v across y.
local expect = require "expect"
local device = expect.device or "c"
local n, m = 4, 3
local function start(x) return 1 + x + math.sin(x) end

-- normal and twice in cell k of n, cells of width 1, the two behind the walls included
local function at(k, n)
  local function u(i) return (i < 0 or i > n) and 2*start(i < 0 and 0 or n) + 1 or start(i) end
  local mid = (u(k - 1) + u(k))/2
  local normal = 0.1*(u(k) - u(k - 1)) - mid^2
  return normal, 2*normal + mid
end

local function wanted(k, n)
  local normal, _ = at(k - 1, n)
  local _, twice = at(k + 1, n)
  return twice - 3*normal
end

local schedules = {
  {},
  { ["along.x"] = "store", ["along.y"] = "store" },
  { ["along.x"] = "store", ["along.y"] = "store", ["twice.x"] = "store", ["twice.y"] = "store" },
  { ["twice.x"] = "store", ["twice.y"] = "store" },
  { ["twice.x"] = "store", ["mid.x"] = "store", ["mid.y"] = "store", ["strain.y"] = "store" },
}
for number, schedule in ipairs(schedules) do
  local r = run(case {
    scheme = "behind.ew", device = device, output = { folder = "behind_out", vtu = false },
    schedule = schedule,
    mesh = mesh.grid { x = {0, n}, nx = n, y = {0, m}, ny = m },
    initial = { u = function(x, y) return start(x) end, v = function(x, y) return start(y) end, s = 0, r = 0 },
    boundary = { { { "left", "right", "bottom", "top" }, "open" } },
    time = { steps = 1 },
  })
  local s, t = r:field("s"), r:field("r")
  for j = 1, m do
    for i = 1, n do
      local what = string.format("schedule %d, cell %d %d", number, i, j)
      expect.near(what .. ": along x", s[i + (j - 1)*n], wanted(i, n), 1e-12)
      expect.near(what .. ": along y", t[i + (j - 1)*n], wanted(j, m), 1e-12)
    end
  end
end
