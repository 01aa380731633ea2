-- Distances to plane sides are coordinates, whatever the mesh.
local expect = require "expect"

local function try(m, boundary, what, exact)
  local r = run(case {
    scheme = "distances.ew",
    device = expect.device or "c",
    mesh = m,
    initial = { a = 0, b = 0, c = 0, n = 0 },
    boundary = boundary,
    time = { steps = 1 },
    output = { folder = "distances_out", vtu = false },
  })
  for name, f in pairs(exact) do
    local at, worst = name == "n" and r:nodes() or r:centres(), 0
    for i, v in ipairs(r:field(name)) do worst = math.max(worst, math.abs(v - f(at[i][1], at[i][2]))) end
    expect.below(what..": "..name, worst, 1e-14)
  end
end

local exact = {
  a = function(x) return x end,
  b = function(x, y) return math.min(x, y) end,
  c = function(x, y) return math.min(x, 2 - y) end,
  n = function(x) return 1 - x end,
}
local sides = { { {"left", "right", "bottom", "top"}, "none" } }
try(mesh.rectangle { x = {0, 1}, y = {0, 2}, nx = 31, ny = 17, jitter = 0.3, seed = 3 }, sides, "triangles", exact)
try(mesh.box { x = {0, 1}, y = {0, 2}, z = {0, 1}, nx = 5, ny = 4, nz = 3, jitter = 0.2, seed = 4 },
  { { {"left", "right", "bottom", "top", "front", "back"}, "none" } }, "tetrahedra", exact)
