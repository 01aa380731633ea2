-- Beyond several walls the rules hold one axis after the other; where the orders differ, their mean.
local expect = require "expect"

for _, setting in ipairs {
  { device = "c" }, { device = "c", ["grid.window"] = "auto" }, { device = "c-openmp" }, { device = "cpu" },
  { device = "cpu", ["grid.walls"] = "tables", items = "each" },
  { device = "cpu", ["grid.walls"] = "tables", items = "each", ["grid.window"] = "auto" },
} do
  local schedule = {}
  for key, value in pairs(setting) do if key ~= "device" then schedule[key] = value end end
  local r = run(case {
    scheme = "corners.ew",
    device = setting.device,
    schedule = schedule,
    mesh = mesh.grid { x = {0, 4}, nx = 4, y = {0, 3}, ny = 3 },
    initial = { s = function(x, y) return x + 10*y end, p = function(x, y) return x*y end, m = 0, far = 0, average = 0, later = 0 },
    boundary = { { {"left", "right"}, "wall" }, { {"bottom", "top"}, "wall", a = 0.5 } },
    time = { steps = 1 },
    output = { folder = "corners_out", vtu = false },
  })
  local function cell(i, j) return 4*(j - 1) + i end
  local function s(i, j) return (i - 0.5) + 10*(j - 0.5) end
  local function beyond(inside) return (2*(10.5 + inside) + (10.5 + 2*inside))/2 end
  local at = function(field, i, j) return r:field(field)[cell(i, j)] end
  expect.near("beyond both", at("m", 1, 1), beyond(s(1, 1)), 1e-12)
  expect.near("beyond one", at("m", 2, 1), 10.5 + s(1, 1), 1e-12)
  expect.near("two cells beyond", at("far", 4, 3), beyond(s(4, 3)), 1e-12)
  expect.near("one of them beyond", at("far", 3, 3), beyond(s(4, 3)), 1e-12)
  -- The four corners of the first cell, whose mean field() gives.
  local first = beyond(s(1, 1)) + 10.5 + s(1, 1) + 2*s(1, 1) + s(1, 1)
  local right = 2*10.5 + 2*s(1, 1) + 2*s(2, 1)
  local above = 3*s(1, 1) + 3*s(1, 2)
  local inside = s(1, 1) + s(2, 1) + s(1, 2) + s(2, 2)
  expect.near("read from the corner", r:field("average")[1], (first + right + above + inside)/16, 1e-12)
  local function mix(i, j, before) return s(i, j)^2 + before end
  expect.near("an equation with ghosts", at("later", 4, 3), -mix(4, 3, s(3, 2)), 1e-11)
  local function p(i, j) return (i - 0.5)*(j - 0.5) end
  expect.near("what a rule reads of others", at("p", 1, 3), p(1, 3) + (s(1, 3) + 10.5 + s(1, 3))/2, 1e-12)
end

local box = run(case {
  scheme = "corners_box.ew",
  device = "c",
  mesh = mesh.grid { x = {0, 3}, nx = 3, y = {0, 3}, ny = 3, z = {0, 3}, nz = 3 },
  initial = { s = 50, three = 0, two = 0 },
  boundary = { { {"left", "right", "bottom", "top", "front", "back"}, "wall" } },
  time = { steps = 1 },
  output = { folder = "corners_out", vtu = false },
})
expect.near("beyond three walls", box:field("three")[1], 11150, 1e-9)
expect.near("beyond two of a box", box:field("two")[27], 11050, 1e-9)

local bounce = run(case {
  scheme = "bounce.ew",
  device = "c",
  mesh = mesh.grid { x = {0, 5}, nx = 5, y = {0, 3}, ny = 3, periodic = "x" },
  initial = { a = function(x, y) return x*y end, b = function(x, y) return 1 + x*x + y end },
  boundary = { { {"bottom", "top"}, "wall" } },
  time = { steps = 2 },
  output = { folder = "corners_out", vtu = false },
})
local a, b = {}, {}
for j = 0, 2 do for i = 0, 4 do
  a[5*j + i], b[5*j + i] = (i + 0.5)*(j + 0.5), 1 + (i + 0.5)^2 + j + 0.5
end end
local function take(t, i, j) return t[5*j + i % 5] end
for _ = 1, 2 do
  local next_a, next_b = {}, {}
  for j = 0, 2 do for i = 0, 4 do
    next_a[5*j + i] = j > 0 and take(a, i - 1, j - 1) or take(b, i, 0)
    next_b[5*j + i] = j < 2 and take(b, i + 1, j + 1) or take(a, i, 2)
  end end
  a, b = next_a, next_b
end
local worst = 0
for k = 0, 14 do
  worst = math.max(worst, math.abs(bounce:field("a")[k + 1] - a[k]), math.abs(bounce:field("b")[k + 1] - b[k]))
end
expect.below("bounced back between two walls", worst, 1e-12)
