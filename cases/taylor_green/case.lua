-- Taylor-Green vortices: an exact solution of the Navier-Stokes equations that decays.
local arg = arguments { n = 32, nu = 0.01, stop = 1.0, jitter = 0.2 }
local sin, cos, exp, pi = math.sin, math.cos, math.exp, math.pi
local function decay(t) return exp(-2*arg.nu*t) end

local function speed(x, y, t) return decay(t)*math.sqrt((sin(x)*cos(y))^2 + (cos(x)*sin(y))^2) end
local function pressure(x, y, t) return decay(t)^2*(cos(2*x) + cos(2*y))/4 end

return case {
  scheme = "edge_navier_stokes",
  parameters = { nu = arg.nu },
  mesh = mesh.rectangle {
    x = {0, 2*pi}, y = {0, 2*pi}, nx = arg.n, ny = arg.n, jitter = arg.jitter, seed = 1, periodic = "xy",
  },
  given = { b = {0, 0} },
  initial = {
    u = function(x, y) return {sin(x)*cos(y), -cos(x)*sin(y)} end,
    p = function(x, y) return pressure(x, y, 0) end,
  },
  boundary = {},
  time = { stop = arg.stop },
  output = {
    picture = { field = "p", contours = 10, map = "diverging" },
    history = { "dt", "p.iterations" },
  },
  on_end = function(run)
    print(("velocity %.3e, pressure %.3e, %d steps"):format(run:l2("u.x", function(x, y, t)
      return sin(x)*cos(y)*decay(t)
    end), run:l2("p", pressure), run.step))
  end,
}
