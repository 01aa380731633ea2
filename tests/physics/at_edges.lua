-- Values at edges of a mesh are those at their middles: of a case's givens, also over time, and of states at the start.
local expect = require "expect"

local function try(m, sides, w, what)
  local r = run(case {
    scheme = "at_edges.ew",
    device = expect.device or "c",
    mesh = m,
    initial = { s = function(x, y) return 2*(x + 10*y) end, worst = 0 },
    given = {
      g = function(x, y) return x + 10*y end,
      w = w,
    },
    boundary = { { sides, "none" } },
    time = { steps = 2 },
    output = { folder = "at_edges_out", vtu = false },
  })
  local worst = 0
  for _, v in ipairs(r:field("worst")) do worst = math.max(worst, math.abs(v)) end
  expect.below(what..": values at edges against those at their middles", worst, 1e-12)
end

local plane, box = {"left", "right", "bottom", "top"}, {"left", "right", "bottom", "top", "front", "back"}
try(mesh.rectangle { x = {0, 1}, y = {0, 2}, nx = 11, ny = 7, jitter = 0.3, seed = 3, nodes = "random" }, plane,
  function(x, y, t) return x, y + t end, "triangles")
try(mesh.box { x = {0, 1}, y = {0, 2}, z = {0, 1}, nx = 3, ny = 4, nz = 3, jitter = 0.2, seed = 4 }, box,
  function(x, y, z, t) return x, y + t, 0*z end, "tetrahedra")
