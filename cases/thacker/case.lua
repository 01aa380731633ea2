-- Water swings in a round basin; its shore moves over dry ground. One period, compared with the exact solution.
--   edgewise run cases/thacker/case.lua -D n=200
local arg = arguments {
  n = 100,      -- squares along a side of the basin, each cut into two triangles
  periods = 1,  -- how long
}

local g = 9.81
local exact = require "basin"(1, 0.8, 0.1, g)
local wet = 1e-3  -- the shore, for the report: where the water is deeper than this [m]

-- The period, from the moment at which the water turns: behind it flows inwards, then outwards.
local turned
local before = { t = 0, u = 0 }
local start

-- The radius of a disc as large as all cells under water.
local function shore_of(run)
  local h, volume, area = run:field("h"), run:volumes(), 0
  for i = 1, run.cells do
    if h[i] > wet then area = area + volume[i] end
  end
  return math.sqrt(area/math.pi)
end

return case {
  name = "thacker",
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {-2, 2}, y = {-2, 2}, nx = arg.n, ny = arg.n, pattern = "alternating" },
  parameters = { g = g },
  given = { z = exact.bed, n = 0 },
  initial = { h = function(x, y) return exact.depth(x, y, 0) end, q = {0, 0} },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = (arg.periods + 0.25)*exact.period },
  output = {
    every = exact.period/4,
    fields = { "h", "z", "velocity" },
    picture = {
      field = "h", name = "depth", title = "depth [m]", map = "water", range = {0, 0.125},
      mask = "h", mask_below = wet, terrain = "z",
    },
    plot = {
      field = "h", name = "profile", title = "depth [m] through the middle, and Thacker's solution",
      from = {-2, 0.001}, to = {2, 0.001}, range = {0, 0.14}, exact = exact.depth,
    },
    probes = { centre = {0.001, 0.002}, way = {0.5, 0.002} },
  },
  on_step = function(run)
    local u = run:probe("way", "q.x")
    if before.u < 0 and u >= 0 then turned = before.t + (run.t - before.t)*before.u/(before.u - u) end
    before = { t = run.t, u = u }
  end,
  on_output = function(run, number)
    start = start or run:integral("h")
    print(string.format("t = %.2f periods: mean error of the depth %.2f %% of its mean, shore at %.3f m (exact %.3f)",
      number/4, 100*run:l1("h", exact.depth)*16/exact.volume, shore_of(run), exact.shore(run.t)))
  end,
  on_end = function(run)
    if not turned then print("the water never turned at (0.5, 0): too few cells, or too short") return end
    print(string.format("%d cells, %d steps: period %.4f of the exact one, volume lost %.1e",
      run.cells, run.step, turned/(arg.periods*exact.period), 1 - run:integral("h")/start))
  end,
}
