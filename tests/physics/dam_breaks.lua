-- Dam breaks on wet and on dry ground, 5 mm deep (SWASHES 4.1.1, 4.1.2): the mean error of the depth, relative to the
-- depth behind the dam, below that of the solver with which the design was verified:
-- 1.30e-2, 8.05e-3, 4.58e-3 and 1.27e-2, 8.9e-3, 5.5e-3 on triangles cut all in one direction.
local expect = require "expect"
local g, hl, x0, length, t = 9.81, 0.005, 5, 10, 6

local function solve(n, hr, depth)
  local function exact(x, y, time) return depth(x - x0, y, time) end
  local r = run(case {
    scheme = "shallow_water",
    device = expect.device,
    mesh = mesh.rectangle { x = {0, length}, y = {0, 4*length/n}, nx = n, ny = 4, pattern = "alternating" },
    parameters = { g = g, froude = 1000 },
    given = { z = 0, n = 0 },
    initial = { h = function(x) return x < x0 and hl or hr end, q = {0, 0} },
    boundary = { { {"left", "right"}, "outflow" }, { {"bottom", "top"}, "wall" } },
    time = { stop = t },
    output = { folder = "dam_breaks_out", vtu = false },
  })
  return r, r:l1("h", exact)/hl
end

local stoker = require "stoker"(hl, 0.001, g)
local errors, r = {}, nil
for i, n in ipairs { 100, 200, 400 } do r, errors[i] = solve(n, 0.001, stoker.depth) end
expect.order("Stoker", errors, { 7.5e-3, 4.4e-3, 2.6e-3 }, 0.65)
expect.near("Stoker: largest depth", r:max("h"), hl, 1e-12)

local ritter = require "ritter"(hl, g)
for i, n in ipairs { 100, 200, 400 } do r, errors[i] = solve(n, 0, ritter.depth) end
expect.order("Ritter", errors, { 6.8e-3, 4.5e-3, 2.9e-3 }, 0.55)
expect.above("Ritter: least depth", r:min("h"), 0)

-- The tip, at 1 % of the depth behind: first order lags, and comes nearer with the mesh.
local function tip_of(run)
  local h, centres, tip = run:field("h"), run:centres(), 0
  for i = 1, run.cells do
    if h[i] > 0.01*hl then tip = math.max(tip, centres[i][1]) end
  end
  return tip
end
local exact_tip = x0 + t*math.sqrt(g*hl)*(2 - 3*0.1)
expect.near("Ritter: where 1 % of the depth is reached", tip_of(r), exact_tip, 0.25)
