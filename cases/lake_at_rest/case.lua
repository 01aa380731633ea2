-- A lake with islands on a distorted mesh: nothing moves, not by rounding errors, not after thousands of steps.
--   edgewise run cases/lake_at_rest/case.lua -D steps=100000
local arg = arguments { n = 36, steps = 10000, jitter = 0.3 }

local level = 0.6

local function hill(x, y, height, width) return height*math.exp(-(x^2 + y^2)/width^2) end

-- Three islands, and rough ground everywhere.
local function bed(x, y)
  return hill(x - 2.2, y - 1.4, 1.1, 0.8) + hill(x - 5, y - 2.9, 0.9, 0.7) + hill(x - 4.6, y - 0.7, 0.7, 0.4)
    + 0.02*math.sin(17*x + 3*y)*math.cos(11*y - 5*x) + 0.08
end

return case {
  name = "lake_at_rest",
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 7}, y = {0, 4}, nx = 7*arg.n//4, ny = arg.n, jitter = arg.jitter, seed = 1 },
  given = { z = bed, n = 0.03 },
  initial = { h = function(x, y) return math.max(0, level - bed(x, y)) end, q = {0, 0} },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = arg.steps },
  output = {
    fields = { "h", "z", "velocity" },
    picture = {
      field = "h", name = "depth", title = "depth [m]", map = "water", range = {0, level}, cells = true, size = 330,
      mask = "h", mask_below = 1e-6, terrain = "z",
    },
  },
  on_end = function(run)
    print(string.format("%d cells, %d steps, t = %.1f s: largest discharge %.1e m^2/s", run.cells, run.step, run.t,
      run:max("q")))
    print(string.format("largest change of the depth %.1e m",
      run:linf("h", function(x, y) return math.max(0, level - bed(x, y)) end)))
  end,
}
