-- A rarefied gas between two plates that slide along each other; slip and temperature jump; the exact solution is known.
--   edgewise run cases/slip_couette/case.lua -D n=40
local arg = arguments {
  n = 20,        -- cells from plate to plate
  U = 1,         -- speed of one plate against the other
  Kn = 0.05,
  stop = 60,
  space = "upwind",
}

local exact = require "couette"(arg.U, arg.Kn)
local h = 1/arg.n

local function wall(at, speed) return { at, "wall", w = {speed, 0}, T_w = 1 } end

return case {
  name = "slip_couette",
  scheme = "simple_ts",
  variants = { space = arg.space },
  mesh = mesh.grid { x = {0, 4}, nx = 4, y = {-0.5, 0.5}, ny = arg.n, periodic = "x" },
  parameters = { Kn = arg.Kn, step_size = 0.14*h, tol = 1e-8 },
  initial = {
    p = exact.p,
    T = function(x, y) return exact.temperature(y) end,
    u = function(x, y) return exact.speed(y) end,
    v = 0,
  },
  boundary = { wall("bottom", -arg.U/2), wall("top", arg.U/2) },
  time = { stop = arg.stop },
  output = {
    plot = {
      { field = "u", name = "velocity", from = {2, -0.5}, to = {2, 0.5}, exact = function(x, y) return exact.speed(y) end },
      { field = "T", name = "temperature", from = {2, -0.5}, to = {2, 0.5}, exact = function(x, y) return exact.temperature(y) end },
    },
  },
  on_end = function(run)
    local p, T, u = run:at("p", 2, h/2), run:at("T", 2, 0.5 - h/2), run:at("u", 2, 0.5 - h/2)
    print(string.format("%d cells from plate to plate, %d steps", arg.n, run.step))
    print(string.format("pressure %.6f (exact %.6f)", p, exact.p))
    print(string.format("at the last cell: u %.6f (exact %.6f), T %.6f (exact %.6f)", u, exact.speed(0.5 - h/2), T,
      exact.temperature(0.5 - h/2)))
    print(string.format("mean errors: u %.3g, T %.3g", run:l2("u", function(x, y) return exact.speed(y) end),
      run:l2("T", function(x, y) return exact.temperature(y) end)))
  end,
}
