-- Heat conduction against decaying modes: second order on squares and cubes, insulated and held at their sides.
local expect = require "expect"
local pi = math.pi

local function error_of(domain, sides, rule, wall, mode)
  local r = run(case {
    scheme = "heat",
    device = expect.device,
    mesh = domain,
    given = { power = 0 },
    initial = { T = mode },
    boundary = { { sides, rule, Tw = wall } },
    time = { stop = 0.05 },
    output = { folder = "heat_out", vtu = false },
  })
  return r:l2("T", mode)
end

local four = { "left", "right", "bottom", "top" }
local six = { "left", "right", "bottom", "top", "back", "front" }
local insulated, held, cubes = {}, {}, {}
for i, n in ipairs { 10, 20, 40 } do
  local squares = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, cells = "quads" }
  insulated[i] = error_of(squares, four, "insulated", nil, function(x, y, t)
    return math.exp(-5*pi^2*t)*math.cos(2*pi*x)*math.cos(pi*y)
  end)
  held[i] = error_of(squares, four, "held", 0, function(x, y, t)
    return math.exp(-2*pi^2*t)*math.sin(pi*x)*math.sin(pi*y)
  end)
end
for i, n in ipairs { 8, 16 } do
  cubes[i] = error_of(mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = n, ny = n, nz = n, cells = "hexahedra" }, six,
    "insulated", nil, function(x, y, z, t) return math.exp(-3*pi^2*t)*math.cos(pi*x)*math.cos(pi*y)*math.cos(pi*z) end)
end
expect.order("heat, insulated squares", insulated, { 4e-3, 1e-3, 2.6e-4 }, 1.85)
expect.order("heat, held squares", held, { 4e-3, 1e-3, 2.6e-4 }, 1.85)
expect.order("heat, insulated cubes", cubes, { 3.5e-3, 9e-4 }, 1.85)
