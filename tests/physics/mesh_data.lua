-- Values by name from a mesh file: depth = x + 2 y at nodes, speed = (0, 2 depth), rough by element, a tide of two steps, one with holes.
local expect = require "expect"
local sides = { {"wall", "in"}, "wall" }

local function field(c, name)
  c.scheme, c.device, c.boundary, c.time = "shallow_water", c.device or expect.device or "c", { sides }, { steps = 1 }
  c.mesh = mesh.gmsh { file = "mesh_data.msh", order = c.order }
  c.given = c.given or { z = 0, n = 0 }
  c.initial = c.initial or { h = 1, q = 0 }
  c.order, c.output = nil, { folder = "mesh_data_out", vtu = false, fields = { "z", "n", "h", "q" } }
  local got
  c.on_output = function(r) if r.step == 0 then got = r:field(name) end end
  local r = run(case(c))
  return got, r
end
local function depth(x) return x[1] + 2*x[2] end

for _, order in ipairs { "none", "rcm", "random" } do
  for _, device in ipairs { expect.device or "c", "reference" } do
    local h, r = field({ order = order, device = device, initial = { h = mesh_data("depth"), q = mesh_data "speed" } }, "h")
    for i, x in ipairs(r:centres()) do expect.near("a linear depth", h[i], depth(x), 1e-14) end
    local n = field({ order = order, device = device, given = { z = 0, n = mesh_data "rough" } }, "n")
    local sum = 0
    for i in ipairs(n) do sum = sum + n[i] end
    expect.near("roughness is one of three", (n[1]*100) % 1 < 1e-9 and 0 or 1 - (n[1]*100) % 1, 0, 1e-9)
    expect.above("all elements have one", sum, 0.01*#n)
  end
end
local q, r = field({ initial = { h = 1, q = mesh_data "speed" } }, "q")
for i, x in ipairs(r:centres()) do
  expect.near("a vector's x", q[i][1], 0, 0)
  expect.near("a vector's y", q[i][2], 2*depth(x), 1e-13)
end
expect.near("a step", field({ initial = { h = mesh_data { "tide", step = 2 }, q = 0 } }, "h")[1], 2, 0)
local below, at = field({ given = { z = mesh_data "depth", n = 0 }, initial = { h = level(mesh_data { "tide", step = 2 }), q = 0 } }, "h")
for i, x in ipairs(at:centres()) do expect.near("a level and a bed", below[i], math.max(0, 2 - depth(x)), 1e-14) end
local filled = field({ initial = { h = mesh_data { "gappy", fill = 3 }, q = 0 } }, "h")
local threes = 0
for i in ipairs(filled) do threes = threes + (filled[i] == 3 and 1 or 0) end
expect.near("elements without a value are filled", threes, 2, 0)

-- At nodes data of nodes is what it is, in arguments of rules too.
local p = run(case {
  scheme = "poisson", device = expect.device or "c", mesh = mesh.gmsh { file = "mesh_data.msh", nodes = "random" },
  given = { s = 0 }, initial = { phi = mesh_data "depth" }, boundary = { { {"wall", "in"}, "held", value = mesh_data "depth" } },
  time = { steps = 1 }, output = { folder = "mesh_data_out", vtu = false },
})
expect.below("what the boundary holds", p:linf("phi", function(x, y) return x + 2*y end), 1e-9)
