-- A standing wave between hard walls: upwind fluxes, first order.
local expect = require "expect"
local pi, c = math.pi, 2

local function pressure(x, y, t) return math.cos(pi*x)*math.cos(pi*c*t) end

local triangles, tetrahedra = {}, {}
local function error_of(domain, sides, zero)
  local r = run(case {
    scheme = "acoustics",
    device = expect.device,
    parameters = { rho0 = 1, c0 = c },
    mesh = domain,
    initial = { p = function(x) return pressure(x, 0, 0) end, u = zero },
    boundary = { { sides, "hard" } },
    time = { stop = 0.35 },
    output = { folder = "acoustics_out", vtu = false },
  })
  return r:l1("p", function(x) return pressure(x, 0, 0.35) end)
end

for i, n in ipairs { 20, 40, 80 } do
  triangles[i] = error_of(mesh.rectangle { x = {0, 1}, y = {0, 0.25}, nx = n, ny = n//4, jitter = 0.2, seed = 5 },
    { "left", "right", "bottom", "top" }, {0, 0})
end
for i, n in ipairs { 12, 24 } do
  tetrahedra[i] = error_of(mesh.box { x = {0, 1}, y = {0, 0.25}, z = {0, 0.25}, nx = n, ny = n//4, nz = n//4 },
    { "left", "right", "bottom", "top", "back", "front" }, {0, 0, 0})
end
expect.order("acoustics, triangles", triangles, { 0.028, 0.014, 0.007 }, 0.9)
expect.order("acoustics, tetrahedra", tetrahedra, { 0.028, 0.014 }, 0.9)
