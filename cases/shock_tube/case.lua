-- A membrane between gas of high and of low pressure breaks: Sod's problem for a gas that is nearly free of friction.
--   edgewise run cases/shock_tube/case.lua -D n=3200 -D Kn=0.001
local arg = arguments {
  n = 400,       -- cells along the tube, which is 1 long
  Kn = 0.0005,   -- shocks are a few mean free paths thick: see README.md
  stop = 0.25,
  space = "tvd",
}

local exact = require "riemann"({ rho = 1, p = 1 }, { rho = 0.125, p = 0.1 }, 5/3, 0.5)
local function similarity(x, t) return t > 0 and (x - 0.5)/t or (x < 0.5 and -math.huge or math.huge) end
local function density(x, y, t) return (exact(similarity(x, t))) end
local function pressure(x, y, t) return (select(2, exact(similarity(x, t)))) end
local function velocity(x, y, t) return (select(3, exact(similarity(x, t)))) end

return case {
  name = "shock_tube",
  scheme = "simple_ts",
  variants = { space = arg.space },
  mesh = mesh.grid { x = {0, 1}, nx = arg.n, y = {0, 4/arg.n}, ny = 4, periodic = "y" },
  parameters = { Kn = arg.Kn, step_size = 0.1/arg.n, tol = 1e-6 },
  initial = {
    p = function(x) return x < 0.5 and 1 or 0.1 end,
    T = function(x) return x < 0.5 and 1 or 0.8 end,
    u = 0, v = 0,
  },
  boundary = { { "left", "wall", T_w = 1 }, { "right", "wall", T_w = 0.8 } },
  time = { stop = arg.stop, unfinished = "stop" },
  output = {
    fields = { "p", "T", "u", "rho" },
    plot = {
      { field = "rho", name = "density", from = {0, 2/arg.n}, to = {1, 2/arg.n}, exact = density, range = {0, 1.1} },
      { field = "u", name = "velocity", from = {0, 2/arg.n}, to = {1, 2/arg.n}, exact = velocity, range = {-0.1, 0.8} },
    },
  },
  on_end = function(run)
    local y = 2/arg.n
    print(string.format("%d cells, %d steps: mean errors: density %.4f, pressure %.4f, velocity %.4f", arg.n, run.step,
      run:l1("rho", density), run:l1("p", pressure), run:l1("u", velocity)))
    local s = 0.5 + 0.4*run.t   -- between the contact and the tail of the fan; and between contact and shock
    local r = 0.5 + 0.95*run.t
    print(string.format("behind the fan: density %.4f (exact %.4f), u %.4f (%.4f); behind the shock: density %.4f (%.4f), p %.4f (%.4f)",
      run:at("rho", s, y), density(s, y, run.t), run:at("u", s, y), velocity(s, y, run.t),
      run:at("rho", r, y), density(r, y, run.t), run:at("p", r, y), pressure(r, y, run.t)))
  end,
}
