-- Numbers by chance and the meshes of hard_steps.lua: boxes stretched up to 1:1000 with lines at random distances, triangles and tetrahedra
-- jittered to slivers, parallelograms sheared up to 30 (made by sheared.awk), uneven grids.
local hard = {}

local state
function hard.seed(n)
  state = (n*7919 + 104729) % 2147483647
  for _ = 1, 5 do hard.random(0, 1) end
end
-- Uniform in [a, b).
function hard.random(a, b)
  state = state*48271 % 2147483647
  return a + (b - a)*state/2147483647
end
local random = hard.random
function hard.among(list) return list[1 + math.floor(random(0, #list))] end
function hard.decades(a, b) return 10^random(a, b) end
function hard.tenths(value) return string.format("%.2g", value) end
local among, decades, tenths = hard.among, hard.decades, hard.tenths

-- From a place and a number: in [0, 1), without any order.
function hard.noise(k, x, y, z)
  local s = math.sin(x*127.1 + (y or 0)*311.7 + (z or 0)*74.7 + k)*43758.5453
  return s - math.floor(s)
end

-- n + 1 grid lines from 0 to `length`, each distance up to 10^spread times another
local function lines(length, n, spread)
  local at, sum = { 0 }, 0
  for i = 1, n do
    sum = sum + decades(0, spread)
    at[i + 1] = sum
  end
  for i = 1, n + 1 do at[i] = at[i]/sum*length end
  return at
end

function hard.square(number, cells)
  local stretch, spread = decades(0, 3), among { 0, 0.5, 1.5 }
  return mesh.rectangle {
    x = lines(1, math.floor(random(6, 14)), spread), y = lines(stretch, math.floor(random(6, 14)), spread),
    jitter = random(0, 0.45), pattern = among { "right", "alternating" }, cells = cells, seed = number,
  }, string.format("1 by %s m", tenths(stretch))
end

local function box(number)
  local b, c, spread = decades(-1.5, 1.5), decades(-1.5, 1.5), among { 0, 0.5, 1 }
  return mesh.box {
    x = lines(1, 5, spread), y = lines(b, 5, spread), z = lines(c, 5, spread), jitter = random(0, 0.3), seed = number,
  }, string.format("1 by %s by %s m", tenths(b), tenths(c))
end

hard.sheared_files = 0 -- sheared_1.msh to sheared_N.msh lie here
local function sheared()
  local file = string.format("sheared_%d.msh", math.floor(random(1, hard.sheared_files + 1)))
  return mesh.gmsh { file = file }, file
end

function hard.any(number)
  local kind = random(0, 3)
  if kind < 1 and hard.sheared_files > 0 then return sheared() end
  if kind < 2 then return hard.square(number) else return box(number) end
end

function hard.plane_grid(most)
  local stretch, spread = decades(0, most), among { 0, 0.5, 1.5 }
  return mesh.grid { x = lines(1, math.floor(random(6, 14)), spread), y = lines(stretch, math.floor(random(6, 14)), spread) },
    string.format("1 by %s m", tenths(stretch))
end

function hard.line_grid() return mesh.grid { x = lines(decades(-2, 2), math.floor(random(10, 40)), among { 0, 0.5, 2 }) }, "a line" end

function hard.box_grid()
  local b, c, spread = decades(-1.5, 1.5), decades(-1.5, 1.5), among { 0, 0.5, 1 }
  return mesh.grid { x = lines(1, 6, spread), y = lines(b, 6, spread), z = lines(c, 6, spread) },
    string.format("1 by %s by %s m", tenths(b), tenths(c))
end

-- 1 and 0 in turn on the cells of a plane grid
function hard.chequer(m)
  local function index(list, at)
    local i = 1
    while i < #list - 1 and at > list[i + 1] do i = i + 1 end
    return i
  end
  return function(x, y) return (index(m.x, x) + index(m.y, y)) % 2 end
end

return hard
