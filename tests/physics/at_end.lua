-- `at t + dt { ... }`: formulas, givens and arguments of rules over time hold at the end of the step, `.prev` at its start.
local expect = require "expect"

local function try(place, given, args)
  return run(case {
    scheme = "at_end_"..place..".ew",
    device = expect.device or "c",
    mesh = place == "grid" and mesh.grid { x = {0, 1}, y = {0, 2}, nx = 4, ny = 3 }
        or mesh.rectangle { x = {0, 1}, y = {0, 2}, nx = 3, ny = 3 },
    initial = place == "nodes" and { u = 0 } or { u = 0, v = 0 },
    given = { s = given },
    boundary = args,
    time = { steps = 37, shorten = false },
    output = { folder = "at_end_out", vtu = false, fields = {"u"}, history = place ~= "nodes" and {"whole"} or nil },
  })
end

local function deepest(r, want)
  local worst = 0
  for _, v in ipairs(r:field "u") do worst = math.max(worst, math.abs(v - want)) end
  return worst
end

local T = 0.37
local function twice(x, y, t) return 2*t end
for _, way in ipairs { "function", "series" } do
  local g = way == "series" and series { {0, 0}, {1, 2} } or twice
  local cells = try("cells", function(x, y, t) return 2*t^2 end, { { {"left", "right", "bottom", "top"}, "fed", g = g } })
  expect.below("cells, u = t^2, "..way, deepest(cells, T^2), 1e-12)
  expect.near("cells, what comes in, "..way, cells:global "whole", 6*(1.25*T^2 + 0.25*0.01*T), 1e-12)
  local grid = try("grid", function(x, y, t) return 2*t^2 end,
    { { "left", "fed", g = g }, { "right", "fed", g = g, side = -1 }, { {"bottom", "top"}, "closed" } })
  expect.below("grid, u = t^2, "..way, deepest(grid, T^2), 1e-12)
  expect.near("grid, what comes in, "..way, grid:global "whole", 4*(1.25*T^2 + 0.25*0.01*T), 1e-12)
end
local nodes = try("nodes", function(x, y, t) return x*t end,
  { { {"left", "right", "bottom", "top"}, "held", Ta = function(x, y, t) return t^2*x end } })
local u, worst = nodes:field "u", 0
for i, p in ipairs(nodes:nodes()) do worst = math.max(worst, math.abs(u[i] - T^2*p[1])) end
expect.below("nodes, u = t^2 x", worst, 1e-11)
