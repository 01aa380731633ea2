-- Answers do not depend on how often output is written: errors of exact solutions, and a pressure that a channel settles at, as a table.
local expect = require "expect"
local device = expect.device or "c"
local pi, sin, cos, exp = math.pi, math.sin, math.cos, math.exp
local nu = 0.01

local function output(every) return { folder = "output_times_out", vtu = false, every = every } end

local function vortices(every)
  local function decay(t) return exp(-2*nu*t) end
  local function pressure(x, y, t) return decay(t)^2*(cos(2*x) + cos(2*y))/4 end
  local r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = nu },
    mesh = mesh.rectangle { x = {0, 2*pi}, y = {0, 2*pi}, nx = 24, ny = 24, jitter = 0.2, seed = 1, periodic = "xy" },
    given = { b = 0 }, boundary = {},
    initial = { u = function(x, y) return {sin(x)*cos(y), -cos(x)*sin(y)} end, p = function(x, y) return pressure(x, y, 0) end },
    time = { stop = 1 }, output = output(every),
  })
  return r:l2("u.x", function(x, y, t) return sin(x)*cos(y)*decay(t) end), r:l2("p", pressure)
end

local function channel(every)
  local r = run(case {
    scheme = "edge_navier_stokes", device = device, parameters = { nu = nu },
    mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 20, ny = 10, jitter = 0.2, seed = 1 },
    given = { b = 0 }, initial = { u = 0, p = 0 },
    boundary = { { {"bottom", "top"}, "fixed", U = 0 }, { "left", "fixed", U = function(x, y) return {4*y*(1 - y), 0} end }, { "right", "open" } },
    time = { stop = 8 }, output = output(every),
  })
  return r:max("p"), r:max("u.x")
end

-- Schaefer and Turek's cylinder on 350 triangles: drag and lift coefficients, 2D-1 (Re 20) and 2D-2 (Re 100), at the end. The mesh makes an error
-- of a tenth in 2D-1's drag and of more in 2D-2's lift.
local function cylinder(most, stop)
  return function(every)
    local height, unit = 0.41, (2*most/3)^2*0.1/2
    local options = output(every)
    options.history = { "drag", "lift" }
    local r = run(case {
      scheme = "edge_navier_stokes", device = device, parameters = { nu = 1e-3, drag_to = {1, 0}, lift_to = {0, 1} },
      mesh = mesh.gmsh { file = "cylinder.msh.gz" }, given = { b = 0 }, initial = { u = 0, p = 0 },
      boundary = {
        { "walls", "fixed", U = 0 }, { "cylinder", "body", U = 0 }, { "outlet", "open" },
        { "inlet", "fixed", U = function(x, y, t) return {math.min(1, t/0.2)*4*most*y*(height - y)/height^2, 0} end },
      },
      solver = { preconditioner = "multigrid" }, time = { stop = stop }, output = options,
    })
    return r:global "drag"/unit, r:global "lift"/unit
  end
end

-- A leapfrog: outputs wait for the step that reaches them.
local function box(every)
  local n, k, omega = 40, pi, pi*math.sqrt(2)
  local r = run(case {
    scheme = "maxwell_yee", device = device, mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = n, ny = n }, given = { eps = 1 },
    initial = { Hz = function(x, y) return cos(k*x)*cos(k*y)*cos(omega*0.5*0.99/n/math.sqrt(2)) end, Ex = 0, Ey = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "conductor" } },
    time = { stop = 1, shorten = false }, output = output(every),
  })
  local function Ex(x, y, t) return -k/omega*cos(k*x)*sin(k*y)*sin(omega*t) end
  return r:l2("Ex", Ex), r:l2("Ey", function(x, y, t) return -Ex(y, x, t) end)
end

-- Three levels of time: a standing wave, its older level at the time of a step before the start.
local function three_levels(every)
  local n = 50
  local step = 0.8/n
  local function wave(x, t) return cos(2*pi*x)*cos(2*pi*t) end
  local r = run(case {
    scheme = "three_levels.ew", device = device, mesh = mesh.grid { x = {0, 1}, nx = n },
    initial = { p = function(x) return wave(x, 0) end, old = function(x) return wave(x, -step) end },
    boundary = { { {"left", "right"}, "wall" } }, time = { stop = 1.3, shorten = false }, output = output(every),
  })
  return r:l2("p", wave), r:l2("old", function(x, t) return wave(x, t - step) end)
end

-- `within`: what both values may differ by from those without output, over them: less than the scheme's own error.
for _, case_of in ipairs { { "vortices: errors of u, p", vortices, 0.25 }, { "channel: largest p, u", channel, 0.01 }, { "Yee: errors of Ex, Ey", box, 0.01 },
    { "three levels: errors of both", three_levels, 1e-9 },
    { "cylinder 2D-1: drag, lift", cylinder(0.3, 2), 0.01 }, { "cylinder 2D-2: drag, lift", cylinder(1.5, 0.8), 0.03 } } do
  local name, solve, within = table.unpack(case_of)
  local first, second = solve(nil)
  print(string.format("%s, no output: %.4e %.4e", name, first, second))
  for _, every in ipairs { 0.25, 0.0517, 0.0131 } do
    local a, b = solve(every)
    expect.near(string.format("%s, every %g: first", name, every), a/first, 1, within)
    expect.near(string.format("%s, every %g: second", name, every), b/second, 1, within)
  end
end
