-- Heat goes through a rarefied gas between two plates; temperature jump at both; the exact solution is known.
--   edgewise run cases/fourier/case.lua -D n=40
local arg = arguments {
  n = 20,     -- cells from plate to plate
  Th = 2,     -- temperature of the upper plate; the lower one's is 1
  Kn = 0.05,
  stop = 20,
}

local exact = require "fourier"(arg.Th, arg.Kn)
local function temperature(x, y) return exact.temperature(y) end
local h = 1/arg.n

return case {
  name = "fourier",
  scheme = "simple_ts",
  variants = { storage = "accelerated" },
  mesh = mesh.grid { x = {0, 4}, nx = 4, y = {0, 1}, ny = arg.n, periodic = "x" },
  parameters = { Kn = arg.Kn, step_size = 0.4*h, tol = 1e-9 },
  initial = { p = exact.p, T = temperature, u = 0, v = 0 },
  boundary = { { "bottom", "wall", T_w = 1 }, { "top", "wall", T_w = arg.Th } },
  time = { stop = arg.stop },
  output = {
    plot = { field = "T", name = "temperature", from = {2, 0}, to = {2, 1}, exact = temperature },
  },
  on_end = function(run)
    print(string.format("%d cells from plate to plate, %d steps", arg.n, run.step))
    local function T(y)  -- linear between the cells' centres
      local j = math.floor(y/h - 0.5)
      local below, above = run:at("T", 2.1, (j + 0.5)*h), run:at("T", 2.1, (j + 1.5)*h)
      return below + (above - below)*(y/h - 0.5 - j)
    end
    print(string.format("pressure %.6f (exact %.6f)", run:at("p", 2.1, 0.5), exact.p))
    for _, y in ipairs { 0.25, 0.5, 0.75 } do
      print(string.format("T at y = %.2f: %.5f (exact %.5f)", y, T(y), exact.temperature(y)))
    end
    print(string.format("mean error of T %.3g", run:l2("T", temperature)))
  end,
}
