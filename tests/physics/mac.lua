-- Incompressible flow on a staggered grid: decaying vortices and a channel, both with exact solutions.
local expect = require "expect"
local pi = math.pi

local function draughtboard(n) return function(x, y) return (math.floor(x*n) + math.floor(y*n)) % 2 end end

-- ---- Taylor and Green's vortices -----------------------------------------------------------------------------------------

local nu = 0.05
local function U(x, y, t) return 0.3 - math.cos(2*pi*(x - 0.3*t))*math.sin(2*pi*y)*math.exp(-8*pi^2*nu*t) end
local function V(x, y, t) return math.sin(2*pi*(x - 0.3*t))*math.cos(2*pi*y)*math.exp(-8*pi^2*nu*t) end

local function vortices(n, schedule)
  local r = run(case {
    scheme = "mac", device = expect.device, schedule = schedule,
    parameters = { nu = nu, tol = 1e-8, omega = 1.6 },
    mesh = mesh.grid { x = {0, 1}, nx = n, y = {0, 1}, ny = n, periodic = "xy" },
    given = { red = draughtboard(n) },
    initial = { u = function(x, y) return U(x, y, 0) end, v = function(x, y) return V(x, y, 0) end, p = 0 },
    time = { stop = 0.05, unfinished = "stop" },
    output = { folder = "mac_out", vtu = false, history = "residual" },
  })
  return r:l2("u", U), r:l2("v", V), r
end

local u, v = {}, {}
for i, n in ipairs { 12, 24 } do u[i], v[i] = vortices(n) end
expect.order("vortices: u", u, { 0.02, 0.005 }, 1.9)
expect.order("vortices: v", v, { 0.02, 0.005 }, 1.9)

local _, _, plain = vortices(12)
local _, _, other = vortices(12, { ["force.x"] = "store", ["force.y"] = "store", ["grid.window"] = "auto" })
local a, b, apart = plain:field("u"), other:field("u"), 0
for i = 1, #a do apart = math.max(apart, math.abs(a[i] - b[i])) end
expect.below("vortices: another schedule", apart, 1e-13)

-- ---- a channel, in through the left, out through the right ---------------------------------------------------------------------

local function parabola(_, y) return 6*y*(1 - y) end

local function channel(n)
  local r = run(case {
    scheme = "mac", device = expect.device,
    parameters = { nu = 0.05, tol = 1e-9, omega = 1.8 },
    mesh = mesh.grid { x = {0, 2}, nx = 2*n, y = {0, 1}, ny = n },
    given = { red = draughtboard(n) },
    initial = { u = parabola, v = 0, p = 0 },
    boundary = { { "left", "inlet", speed = parabola }, { "right", "outlet" }, { {"bottom", "top"}, "wall" } },
    time = { stop = 1 },
    output = { folder = "mac_out", vtu = false, history = "residual", probes = { first = {0.5/n, 0.5} } },
  })
  expect.below("channel: divergence left", r:global("residual"), 1e-6)
  return r:linf("u", parabola), math.abs(r:probe("first", "p") - 12*0.05*(2 - 0.5/n))
end

local flow, drop = {}, {}
for i, n in ipairs { 8, 16 } do flow[i], drop[i] = channel(n) end
expect.order("channel: u", flow, { 0.03, 0.008 }, 1.6)
expect.order("channel: drop of pressure", drop, { 0.06, 0.016 }, 1.6)
