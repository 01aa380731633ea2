-- SIMPLE-TS against exact solutions of the equations with slip and temperature jump, and what a closed box must keep.
local expect = require "expect"

local function between_plates(n, exact, p, bottom, top, stop)
  return run(case {
    scheme = "simple_ts",
    device = expect.device or "c", -- kernels of many variants: the host compiles faster
    variants = { storage = "accelerated" },
    mesh = mesh.grid { x = {0, 4}, nx = 4, y = {0, 1}, ny = n, periodic = "x" },
    parameters = { Kn = 0.05, step_size = 0.5/n, tol = 1e-8 },
    initial = { p = p, T = function(x, y) return exact.T(y) end, u = function(x, y) return exact.u(y) end, v = 0 },
    boundary = { bottom, top },
    time = { stop = stop, unfinished = "stop" },
    output = { folder = "rarefied_out", vtu = false, history = { "mass", "iterations" } },
  })
end

local couette = require "couette"(1, 0.05)
expect.near("Couette, exact: slip", couette.slip, 0.44935342, 1e-7)
expect.near("Couette, exact: temperature in the middle", couette.temperature(0), 1.07703214, 1e-7)
local flow = { u = function(y) return couette.speed(y - 0.5) end, T = function(y) return couette.temperature(y - 0.5) end }
local eu, eT = {}, {}
for i, n in ipairs { 6, 12 } do
  local r = between_plates(n, flow, couette.p, { "bottom", "wall", w = {-0.5, 0} }, { "top", "wall", w = {0.5, 0} }, 12)
  eu[i] = r:l2("u", function(x, y) return flow.u(y) end)
  eT[i] = r:l2("T", function(x, y) return flow.T(y) end)
end
expect.order("Couette: velocity", eu, { 2e-4, 5e-5 }, 1.8)
expect.order("Couette: temperature", eT, { 2e-3, 5e-4 }, 1.8)

local fourier = require "fourier"(2, 0.05)
expect.near("Fourier, exact: temperature of the gas at the cold plate", fourier.T0, 1.07720891, 1e-7)
local rest = { u = function() return 0 end, T = fourier.temperature }
local e = {}
for i, n in ipairs { 6, 12 } do
  local r = between_plates(n, rest, fourier.p, { "bottom", "wall", T_w = 1 }, { "top", "wall", T_w = 2 }, 8)
  e[i] = r:l2("T", function(x, y) return fourier.temperature(y) end)
end
expect.order("Fourier: temperature", e, { 1.5e-3, 4e-4 }, 1.8)

-- Through a long channel between reservoirs: the asymptotic solution, slow and of one temperature, as Arkilic et al. (1997). A reservoir
-- holds its pressure half a cell outside. The model itself is off by less than a per cent here.
local Kn, L, ratio = 0.05, 10, 1.1
local B, k = 5*math.sqrt(math.pi)/16*Kn, 1.1466*Kn
local drop = ratio^2 - 1 + 12*k*(ratio - 1)
local mass_flow = drop/(48*B*L)
local function pressure(x) return -6*k + math.sqrt((6*k + ratio)^2 - x/L*drop) end
local function speed(x, y) return drop/(8*B*L*(pressure(x) + 6*k))*(y*(1 - y) + k/pressure(x)) end
expect.near("Poiseuille, asymptotic: mass flow", mass_flow, 2.09725066e-2, 1e-10)
expect.near("Poiseuille, asymptotic: pressure in the middle", pressure(L/2), 1.05089642, 1e-8)
expect.near("Poiseuille, asymptotic: slip at the outlet", speed(L, 0), 0.00536773, 1e-8)
expect.near("Poiseuille, asymptotic: speed at the outlet", speed(L, 0.5), 0.02877489, 1e-8)
local e_flow, e_speed = {}, {}
for i, n in ipairs { 4, 8, 16 } do
  local nx = 5*n//2
  local dx = L/(nx + 1)
  local r = run(case {
    scheme = "simple_ts",
    device = expect.device or "c",
    variants = { storage = "accelerated" },
    mesh = mesh.grid { x = {dx/2, L - dx/2}, nx = nx, y = {0, 1}, ny = n },
    parameters = { Kn = Kn, step_size = 0.6/n, tol = 1e-8 },
    initial = { p = pressure, T = 1, u = speed, v = 0 },
    boundary = { { "left", "reservoir", p_out = ratio }, { "right", "reservoir" }, { {"bottom", "top"}, "wall" } },
    time = { stop = 25, unfinished = "stop" },
    output = { folder = "rarefied_out", vtu = false, fields = { "rho" } },
  })
  local rho, u, sum = r:field("rho"), r:field("u"), 0
  for c = 1, r.cells do sum = sum + rho[c]*u[c] end
  e_flow[i], e_speed[i] = math.abs(sum/r.cells/mass_flow - 1), r:l2("u", speed)
  expect.below("Poiseuille: pressure along the channel", r:l2("p", pressure), 1e-4)
end
expect.order("Poiseuille: mass flow", e_flow, { 0.1, 0.025, 0.007 }, 1.9)
expect.order("Poiseuille: velocity", e_speed, { 1.6e-3, 4e-4, 1e-4 }, 1.9)

-- A closed box with a lid and a block in it: mass to the inner tolerance; and mirrored, the flow is mirrored.
local function box(space, time, sign)
  local before
  local r = run(case {
    scheme = "simple_ts",
    device = expect.device or "c", -- kernels of many variants: the host compiles faster
    variants = { space = space, time = time },
    mesh = mesh.grid {
      x = {-0.65, 0.65}, nx = 13, y = {0, 1.1}, ny = 11,
      solids = { name = "block", x = {sign > 0 and -0.35 or 0.15, sign > 0 and -0.15 or 0.35}, y = {0.3, 0.6} },
    },
    parameters = { Kn = 0.02, step_size = 5e-3, tol = 1e-13 },
    initial = { p = function(x, y) return 1 + 0.1*math.cos(3*(x*sign + y)) end, T = 1, u = 0, v = 0 },
    boundary = { { "top", "wall", w = {0.5*sign, 0} }, { {"left", "right", "bottom", "block"}, "wall" } },
    time = { steps = 20 },
    output = { folder = "rarefied_out", vtu = false, history = "mass" },
    on_output = function(run) before = before or run:global("mass") end,
  })
  return r, before
end

for _, space in ipairs { "upwind", "tvd" } do
  for _, time in ipairs { "implicit", "explicit" } do
    local r, before = box(space, time, 1)
    local name = string.format("box, %s %s: ", time, space)
    expect.below(name.."drift of the mass", math.abs(r:global("mass")/before - 1), 2e-12)
    local there, T, mirrored, worst = box(space, time, -1), r:field("T"), nil, 0
    mirrored = there:field("T")
    local centres, volumes = r:centres(), r:volumes()
    for j = 0, 10 do
      for i = 0, 12 do
        local here, other = j*13 + i + 1, j*13 + 12 - i + 1
        if volumes[here] > 0 then worst = math.max(worst, math.abs(T[here] - mirrored[other])) end
      end
    end
    expect.below(name.."against its mirror image", worst, 1e-12)
  end
end

-- Periodic both ways, no wall anywhere: figures of an independent solver after ten steps (as printed, density of the first cell).
local dx, dy, X, Y = 0.1, 0.08, 2*math.pi/16, 2*math.pi/12
local function waves(space, time, p_most, p_least, T_most, T_least)
  local r = run(case {
    scheme = "simple_ts",
    device = expect.device or "c",
    variants = { space = space, time = time, slip = "first_cell" },
    mesh = mesh.grid { x = {0, 16*dx}, nx = 16, y = {0, 12*dy}, ny = 12, periodic = "xy" },
    parameters = { Kn = 0.05, step_size = 0.005, tol = 1e-12 },
    initial = {
      p = function(x, y) return 1 + 0.2*math.sin(X*x/dx)*math.cos(Y*y/dy) end,
      T = function(x, y) return 1 + 0.1*math.cos(X*x/dx + Y*y/dy) end,
      u = function(x, y) return 0.3 + 0.6*math.sin(X*x/dx)*math.cos(Y*y/dy) end,
      v = function(x, y) return -0.2 - 0.5*math.cos(X*x/dx)*math.sin(Y*y/dy) end,
    },
    time = { steps = 10 },
    output = { folder = "rarefied_out", vtu = false },
  })
  local name = string.format("waves, %s %s: ", time, space)
  expect.near(name.."largest p", r:max("p"), p_most, 2e-12)
  expect.near(name.."least p", r:min("p"), p_least, 2e-12)
  expect.near(name.."largest T", r:max("T"), T_most, 2e-12)
  expect.near(name.."least T", r:min("T"), T_least, 2e-12)
end
waves("upwind", "implicit", 1.19526117455141, 0.81402707669138, 1.15434190377663, 0.91353594617714)
waves("tvd", "implicit", 1.20239569257363, 0.81384785568561, 1.15832547073913, 0.911316667460675)
waves("upwind", "explicit", 1.19458298615302, 0.813778556796996, 1.15320710150672, 0.915298378025518)
waves("tvd", "explicit", 1.2008695849158, 0.813461608216955, 1.156367487866, 0.913287011270363)
