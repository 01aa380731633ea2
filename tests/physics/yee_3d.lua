-- A standing wave in a conducting box: the electric field along edges, the magnetic field across faces, of second order.
local expect = require "expect"
local cos, sin, pi, sqrt = math.cos, math.sin, math.pi, math.sqrt

local size, waves, amplitude = {1, 0.75, 0.5}, {1, 2, 1}, {1, 1}
local k = {}
for d = 1, 3 do k[d] = waves[d]*pi/size[d] end
amplitude[3] = -(k[1]*amplitude[1] + k[2]*amplitude[2])/k[3] -- without charges
local omega = sqrt(k[1]^2 + k[2]^2 + k[3]^2)

-- Of component d: a cosine along its own axis, sines along the others, and the other way round.
local function shape(d, own, other)
  return function(x, y, z)
    local at, product = {x, y, z}, 1
    for a = 1, 3 do product = product*(a == d and own or other)(k[a]*at[a]) end
    return product
  end
end

local function E(d)
  local s = shape(d, cos, sin)
  return function(x, y, z, t) return amplitude[d]*s(x, y, z)*cos(omega*t) end
end

local function H(d, t)
  local e, f = d % 3 + 1, (d + 1) % 3 + 1
  local s, c = shape(d, sin, cos), -(k[e]*amplitude[f] - k[f]*amplitude[e])/omega*sin(omega*t)
  return function(x, y, z) return c*s(x, y, z) end
end

local function cavity(n)
  local stop, longest = 0.85, size[1]/n/sqrt(1 + 1 + 1)
  local dt = stop/math.ceil(stop/(0.9*longest))
  local initial = {}
  for d, name in ipairs { "x", "y", "z" } do
    local e = E(d)
    initial["E"..name] = function(x, y, z) return e(x, y, z, 0) end
    initial["H"..name] = H(d, -dt/2) -- half a step before the electric field
  end
  local r = run(case {
    scheme = "yee_3d",
    device = expect.device,
    mesh = mesh.grid { x = {0, size[1]}, y = {0, size[2]}, z = {0, size[3]}, nx = n, ny = 3*n//4, nz = n//2 },
    parameters = { cfl = dt/longest },
    given = { eps = 1 },
    initial = initial,
    boundary = { { {"left", "right", "bottom", "top", "back", "front"}, "conductor" } },
    time = { stop = stop },
    output = { folder = "yee_3d_out", vtu = false },
  })
  return r:l2("Ex", E(1)), r:l2("Ey", E(2)), r:l2("Ez", E(3))
end

local errors = { {}, {}, {} }
for i, n in ipairs { 8, 16, 32 } do errors[1][i], errors[2][i], errors[3][i] = cavity(n) end
for d, name in ipairs { "Ex", "Ey", "Ez" } do
  expect.order("Yee in 3D: "..name, errors[d], { 0.13, 0.031, 0.0076 }, 1.95)
end
