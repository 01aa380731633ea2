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
