-- What cells sum over their faces, computed patch by patch: on every device the same, bit by bit, as from a kernel over all faces.
local expect = require "expect"

local function wave(x, y) return 1 + 0.3*math.sin(2*x + 0.3)*math.cos(3*(y or 0) - 0.2) end
local function triangles(order)
  return mesh.rectangle { x = {0, 4}, nx = 11, y = {0, 2}, ny = 9, pattern = "alternating", jitter = 0.1, order = order }
end

local function differences(a, b)
  local n = 0
  for i = 1, #b do
    local x, y = a[i], b[i]
    if type(x) ~= "table" then x, y = {x}, {y} end
    for d = 1, #y do if not (x[d] == y[d]) then n = n + 1 end end
  end
  return n
end

local function compare(name, fields, ways, make)
  local function solve(way, faces)
    local c = make()
    c.device, c.schedule = way[1], { faces = faces }
    for k, v in pairs(way[2]) do c.schedule[k] = v end
    c.output = { folder = "patches_out", vtu = false }
    local r, values = run(case(c)), {}
    for _, f in ipairs(fields) do values[f] = r:field(f) end
    return values
  end
  for _, way in ipairs(ways) do
    local patch, store = solve(way, "patch"), solve(way, "store")
    for _, f in ipairs(fields) do
      local label = name.." on "..way[1]..": "..f
      for k, v in pairs(way[2]) do label = label.." "..k.."="..v end
      expect.below(label, differences(patch[f], store[f]), 0)
    end
  end
end

local few = { { "model-gpu", { group = 32 } }, { "c", { group = 16 } } }
local many = { { "model-gpu", { group = 128 } }, { "model-gpu", { group = 16, layout = "aos", select = "delta" } }, { "model", { group = 32 } },
               { "c", { group = 64 } }, { "c-openmp", { group = 32 } } }

for _, order in ipairs { "hilbert", "random" } do
  compare("shallow water, "..order, { "h", "q" }, order == "hilbert" and many or few, function()
    return {
      scheme = "shallow_water", mesh = triangles(order),
      given = { z = function(x, y) return 0.1*x end, n = 0.03 },
      initial = { h = function(x, y) return x < 2 and 1 or 0 end, q = {0, 0} },
      boundary = { { "left", "outflow" }, { {"right", "bottom", "top"}, "wall" } },
      time = { steps = 6 },
    }
  end)
end

compare("shallow water of second order", { "h", "q" }, few, function()
  return {
    scheme = "shallow_water_2", mesh = triangles("hilbert"),
    given = { z = function(x, y) return 0.1*x end, n = 0.03 },
    initial = { h = function(x, y) return x < 2 and 1 or 0.2 end, q = {0, 0} },
    boundary = { { "left", "outflow" }, { {"right", "bottom", "top"}, "wall" } },
    time = { steps = 3 },
  }
end)

compare("heat", { "T" }, few, function()
  return {
    scheme = "heat", mesh = triangles("rcm"),
    given = { power = wave }, initial = { T = wave },
    boundary = { { "left", "held", Tw = 1 }, { {"right", "bottom", "top"}, "insulated" } },
    time = { steps = 6 },
  }
end)

compare("heat in tetrahedra", { "T" }, few, function()
  return {
    scheme = "heat",
    mesh = mesh.box { x = {0, 1}, nx = 4, y = {0, 1}, ny = 4, z = {0, 1}, nz = 3, order = "hilbert" },
    given = { power = wave }, initial = { T = wave },
    boundary = { { "left", "held", Tw = 1 }, { {"right", "bottom", "top", "back", "front"}, "insulated" } },
    time = { steps = 4 },
  }
end)
