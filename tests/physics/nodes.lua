-- Schemes on nodes: orders against exact solutions on shaken meshes, water at rest, slip, the order of the unknowns.
local expect = require "expect"
local sin, cos, pi = math.sin, math.cos, math.pi

local function shaken(n, periodic)
  return mesh.rectangle { x = {0, 2*pi}, y = {0, 2*pi}, nx = n, ny = n, jitter = 0.2, seed = 1, periodic = periodic }
end

-- ---- Poisson: values at two sides, fluxes at the others

local function poisson(n, nodes)
  local function exact(x, y) return sin(x/2)*cos(y) end
  local r = run(case {
    scheme = "poisson",
    device = expect.device,
    mesh = mesh.rectangle { x = {0, pi}, y = {0, pi}, nx = n, ny = n, jitter = 0.3, seed = 2, nodes = nodes },
    given = { s = function(x, y) return 1.25*exact(x, y) end },
    initial = { phi = 0 },
    boundary = {
      { "left", "held", value = 0 },
      { {"right", "top", "bottom"}, "inflow", qn = 0 }, -- of sin(x/2) cos(y) nothing flows out there
    },
    time = { steps = 1 },
    output = { folder = "nodes_out", vtu = false },
  })
  return r:l2("phi", exact)
end
expect.order("Poisson", { poisson(8), poisson(16), poisson(32) }, { 2.3e-2, 5.7e-3, 1.5e-3 }, 1.8)
expect.near("Poisson in another order", poisson(16, "random"), poisson(16, "none"), 1e-9)

-- ---- Taylor and Green's vortices

local function vortices(n)
  local nu = 0.01
  local r = run(case {
    scheme = "edge_navier_stokes",
    device = expect.device,
    parameters = { nu = nu, tol = 1e-8 },
    mesh = shaken(n, "xy"),
    given = { b = {0, 0} },
    initial = {
      u = function(x, y) return {sin(x)*cos(y), -cos(x)*sin(y)} end,
      p = function(x, y) return (cos(2*x) + cos(2*y))/4 end,
    },
    boundary = {},
    time = { stop = 1 },
    output = { folder = "nodes_out", vtu = false },
  })
  return r:l2("u.x", function(x, y, t) return sin(x)*cos(y)*math.exp(-2*nu*t) end),
    r:l2("p", function(x, y, t) return (cos(2*x) + cos(2*y))/4*math.exp(-4*nu*t) end)
end
local u, p = {}, {}
for i, n in ipairs { 16, 32, 64 } do u[i], p[i] = vortices(n) end
expect.order("Taylor-Green, velocity", u, { 2.7e-2, 6e-3, 1.2e-3 }, 1.9)
expect.order("Taylor-Green, pressure", p, { 2e-2, 5.3e-3, 1.5e-3 }, 1.5)

-- ---- water at rest between walls, and between walls that let it slip

for _, rule in ipairs { "fixed", "slip" } do
  local r = run(case {
    scheme = "edge_navier_stokes",
    device = expect.device,
    parameters = { nu = 0.01, tol = 1e-10 },
    mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 5, ny = 4, nz = 5, jitter = 0.3, seed = 3 },
    given = { b = {0, 0, -9.81} },
    initial = { u = {0, 0, 0}, p = function(_, _, z) return -9.81*z end },
    boundary = { { {"left", "right", "bottom", "top", "back", "front"}, rule, U = rule == "fixed" and {0, 0, 0} or nil } },
    time = { steps = 20 },
    output = { folder = "nodes_out", vtu = false },
  })
  expect.below("water at rest, "..rule, r:linf("u"), 1e-12)
end

-- ---- a stream past walls that let it slip stays as it is

local r = run(case {
  scheme = "edge_navier_stokes",
  device = expect.device,
  parameters = { nu = 0.01, tol = 1e-10 },
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 4, ny = 4, nz = 4, jitter = 0.3, seed = 4, periodic = "x" },
  given = { b = {0, 0, 0} },
  initial = { u = {1, 0.5, 0.25}, p = 0 },
  boundary = { { {"bottom", "top", "back", "front"}, "slip" } },
  time = { steps = 1 },
  output = { folder = "nodes_out", vtu = false, probes = { low = {0.5, 0, 0.5}, side = {0.5, 0.5, 1}, edge = {0.5, 1, 1} } },
})
expect.below("slip: nothing through a wall", math.abs(r:probe("low", "u.y")) + math.abs(r:probe("side", "u.z")), 1e-12)
expect.below("slip: nothing through two walls that meet", math.abs(r:probe("edge", "u.y")) + math.abs(r:probe("edge", "u.z")), 1e-12)
expect.above("slip: along them it goes on", r:probe("edge", "u.x"), 0.5)

-- ---- a hill carried around keeps its mass

local hill = run(case {
  scheme = "convection_diffusion",
  device = expect.device,
  parameters = { kappa = 1e-3 },
  mesh = shaken(40, "xy"),
  given = { a = {1, 0.5} },
  initial = { phi = function(x, y) return math.exp(-4*((x - pi)^2 + (y - pi)^2)) end },
  boundary = {},
  time = { stop = 2 },
  output = { folder = "nodes_out", vtu = false, history = {"mass"} },
})
expect.near("mass of a hill", hill:global("mass"), pi/4, 2e-4)

-- ---- fibres that turn from node to node: by gradients at nodes what is spread out only spreads; by edges it may gather again, and the run ends there

local function noise(k, x, y)
  local s = sin(x*127.1 + y*311.7 + k)*43758.5453
  return s - math.floor(s)
end
local function fibres(form, turn, watch)
  return run(case {
    scheme = "anisotropic_diffusion",
    device = expect.device,
    variants = { form = form },
    parameters = { k_cross = 1e-4 },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 4}, nx = 9, ny = 9, jitter = 0.3, seed = 3 },
    given = { fibre = function(x, y) return cos(turn*noise(1, x, y)), sin(turn*noise(1, x, y)) end },
    initial = { u = function(x, y) return noise(2, x, y) end },
    boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
    time = { steps = 2000 },
    output = { folder = "nodes_out", vtu = false, history = { "all_lost" } },
    on_step = watch,
  })
end
local least, before = 0, math.huge
fibres("nodal", 6, function(r)
  local square = r:l2("u", 0)
  least, before = math.max(least, square - before), square
end)
expect.below("turning fibres, nodal: the square grows in no step by", least, 1e-13)
local ok, message = pcall(fibres, "compact", 6)
expect.near("turning fibres, compact: refused", ok and 1 or 0, 0, 0)
expect.above("and says by what", tostring(message):find("failed a check", 1, true) or 0, 1)
expect.near("fibres that lie alike, compact", fibres("compact", 0).step, 2000, 0)

-- Both are of second order where fibres lie alike.
local function spread(form, n)
  local kx, ky, along = 5, 2, { cos(0.5), sin(0.5) }
  local decay = 0.01*(kx^2 + ky^2) + 0.99*(kx*along[1] + ky*along[2])^2
  local function exact(x, y, t) return math.exp(-decay*t)*cos(kx*x + ky*y) end
  local r = run(case {
    scheme = "anisotropic_diffusion",
    device = expect.device,
    variants = { form = form },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, jitter = 0.2 },
    given = { fibre = along },
    initial = { u = function(x, y) return exact(x, y, 0) end },
    boundary = { { {"left", "right", "bottom", "top"}, "held", value = exact } },
    time = { stop = 0.02 },
    output = { folder = "nodes_out", vtu = false },
  })
  return r:l2("u", exact)
end
expect.order("fibres, compact", { spread("compact", 10), spread("compact", 20), spread("compact", 40) }, { 7e-3, 1.7e-3, 4.5e-4 }, 1.8)
expect.order("fibres, nodal", { spread("nodal", 10), spread("nodal", 20), spread("nodal", 40) }, { 3.2e-2, 8.5e-3, 2.1e-3 }, 1.8)
