-- A scheme at nodes: rules, systems and several work-items a node, in one or the other layout of edges.
local arg = arguments {
  scheme = "edge_navier_stokes", lanes = 1, edges = "apart", cells = "triangles", items = "each", preconditioner = "jacobi",
}

local sides = { "left", "right", "bottom", "top" }
local domain
if arg.cells == "tetrahedra" then
  domain = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2 }
  sides = { "left", "right", "bottom", "top", "back", "front" }
else
  domain = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 3 }
end
local function vector(a, b) return #sides == 6 and { a, b, 0 } or { a, b } end

local schemes = {
  edge_navier_stokes = {
    parameters = { nu = 0.02, drag_to = vector(1, 0) },
    history = { "drag", "energy" },
    given = { b = vector(0.1, 0) },
    initial = { u = vector(0.1, 0.2), p = 0 },
    rules = { { "fixed", U = vector(1, 0) }, { "open", p_out = 0.1 }, { "slip" }, { "body", U = vector(0, 0) } },
  },
  convection_diffusion = {
    solves = false,
    parameters = { kappa = 0.02 },
    given = { a = vector(1, 0.5) },
    initial = { phi = 1 },
    rules = { { "held", value = 0 }, { "flux_in", qn = 1 } },
  },
  poisson = {
    given = { s = 1 },
    initial = { phi = 0 },
    rules = { { "held", value = 0 }, { "inflow", qn = 1 } },
  },
}

local one = schemes[arg.scheme]
local boundary = {}
for i, side in ipairs(sides) do
  local rule = { side }
  for k, v in pairs(one.rules[(i - 1) % #one.rules + 1]) do rule[type(k) == "number" and k + 1 or k] = v end
  boundary[i] = rule
end

return case {
  scheme = arg.scheme,
  mesh = domain,
  parameters = one.parameters,
  given = one.given,
  initial = one.initial,
  boundary = boundary,
  schedule = { items = arg.items, group = 32, lanes = arg.lanes, edges = arg.edges, reads = "first" },
  solver = one.solves ~= false and { tolerance = 1e-3, preconditioner = arg.preconditioner } or nil,
  time = { steps = 2 },
  output = { vtu = false, history = one.history },
}
