-- Values of many numbers: the last of them are computed as the first, wherever a value passes through.
local expect = require "expect"

local function list(n, of)
  local t = {}
  for k = 1, n do t[k] = of(k) end
  return t
end

local function all_near(what, field, n, wanted, tolerance)
  local worst = 0
  for k = 1, n do worst = math.max(worst, math.abs(field[1][k] - wanted(k))) end
  expect.below(string.format("%s, %d numbers", what, n), worst, tolerance)
end

local cells = run(case {
  scheme = "many_components.ew",
  device = expect.device or "c",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, cells = "quads" },
  parameters = { weight = list(12, function(k) return k end) },
  given = { source = list(12, function(k) return 100*k end) },
  initial = { f = list(18, function(k) return k end), g = list(12, function(k) return k*k end) },
  boundary = { { {"left", "right", "bottom", "top"}, "open", a = list(18, function(k) return 3*k end) } },
  time = { steps = 1 },
  output = { folder = "many_components_out", vtu = false },
})
all_near("update with fluxes", cells:field("f"), 18, function(k) return k + 0.125*4*2*k end, 1e-12)
all_near("stages, and back", cells:field("g"), 12, function(k)
  local rate = 101*k
  local first = rate - k*k
  local second = rate - (k*k + 0.125*first)
  return k*k + 0.125*(first + second)/4
end, 1e-11)

local grid = run(case {
  scheme = "many_components_grid.ew",
  device = expect.device or "c",
  mesh = mesh.grid { x = {0, 4}, nx = 4, y = {0, 4}, ny = 4 },
  parameters = { weight = list(12, function(k) return k end) },
  initial = { f = list(20, function(k) return k end), g = list(12, function(k) return k end) },
  boundary = { { {"left", "right", "bottom", "top"}, "open", a = list(20, function(k) return 5*k end),
                 b = list(12, function(k) return 7*k end) } },
  time = { steps = 1 },
  output = { folder = "many_components_out", vtu = false },
})
all_near("update of a grid", grid:field("f"), 20, function(k) return 6*k end, 1e-12)
all_near("stages of a grid", grid:field("g"), 12, function(k) return k + 0.125*(7*k + k) end, 1e-12)
