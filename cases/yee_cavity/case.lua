-- An electromagnetic wave stands in a box with conducting walls; the exact solution is known.
--   edgewise run cases/yee_cavity/case.lua -D n=160
local arg = arguments {
  n = 80,         -- cells along x, an even number; half as many along y
  m1 = 3, m2 = 2, -- half waves along x and y
  periods = 3,
}

local a, b = 2, 1
local kx, ky = arg.m1*math.pi/a, arg.m2*math.pi/b
local omega = math.sqrt(kx^2 + ky^2)
local stop = (arg.periods + 0.25)*2*math.pi/omega  -- where the electric field is largest

-- As many steps as fill the time between two outputs evenly: a leapfrog that changes its stride loses its order.
local outputs, h = 13, a/arg.n
local longest = h/math.sqrt(2)
local steps = outputs*math.ceil(stop/(0.99*longest*outputs))
local dt = stop/steps

local exact = {
  Hz = function(x, y) return math.cos(kx*x)*math.cos(ky*y) end,
  Ex = function(x, y, t) return -ky/omega*math.cos(kx*x)*math.sin(ky*y)*math.sin(omega*t) end,
  Ey = function(x, y, t) return kx/omega*math.sin(kx*x)*math.cos(ky*y)*math.sin(omega*t) end,
}

return case {
  name = "yee_cavity",
  scheme = "maxwell_yee",
  mesh = mesh.grid { x = {0, a}, y = {0, b}, nx = arg.n, ny = arg.n//2 },
  given = { eps = 1 },
  parameters = { cfl = dt/longest },
  initial = {
    Hz = function(x, y) return exact.Hz(x, y)*math.cos(omega*dt/2) end,  -- half a step before the electric field
    Ex = 0, Ey = 0,
  },
  boundary = { { {"left", "right", "bottom", "top"}, "conductor" } },
  time = { stop = stop },
  output = {
    every = stop/outputs,
    picture = {
      { field = "Ex", map = "diverging", range = {-1, 1} },
      { field = "Hz", map = "diverging", range = {-1, 1} },
    },
    plot = {
      field = "Ex", name = "profile", title = "Ex across the box at x = 0.02, and the exact solution",
      from = {0.02, 0}, to = {0.02, b}, range = {-1, 1}, exact = exact.Ex,
    },
  },
  on_end = function(run)
    print(string.format("%d cells, %d steps: mean errors of Ex %.3g, of Ey %.3g", run.cells, run.step,
      run:l2("Ex", exact.Ex), run:l2("Ey", exact.Ey)))
  end,
}
