-- A dam breaks over shallow water, and the depth is compared with the exact solution.
--   edgewise run cases/dam_break/case.lua -D size=0.06
local arg = arguments {
  size = 0.12,    -- length of the triangles' sides [m]
  mesh = "auto",  -- gmsh; generated: without that program; auto: with it if it is there
}

local g, length, width = 9.81, 40, 8
local behind, before = 1, 0.1
local exact = require "stoker"(behind, before, g)

local function installed(program)
  for folder in os.getenv("PATH"):gmatch("[^:]+") do
    if io.open(folder.."/"..program, "r") then return true end
  end
  return false
end

local triangles
if arg.mesh == "gmsh" or arg.mesh == "auto" and installed("gmsh") then
  triangles = mesh.gmsh { recipe = "channel.geo", size = arg.size }
else
  triangles = mesh.rectangle {
    x = {-length/2, length/2}, nx = math.ceil(length/arg.size),
    y = {0, width}, ny = math.ceil(width/arg.size),
    pattern = "alternating", jitter = 0.1,
  }
end

return case {
  name = "dam_break",
  scheme = "shallow_water",
  mesh = triangles,
  parameters = { g = g },
  given = { z = 0, n = 0 },
  initial = { h = function(x) return exact.depth(x, 0, 0) end, q = {0, 0} },
  boundary = {
    { {"left", "right"}, "outflow" },
    { {"bottom", "top"}, "wall" },
  },
  time = { stop = 5 },
  output = {
    every = 1,
    fields = { "h", "velocity" },
    picture = { field = "h", name = "depth", title = "depth [m]", map = "water", range = {0, behind} },
    plot = {
      field = "h", name = "profile", title = "depth [m] along the channel, and Stoker's solution",
      from = {-length/2, width/2}, to = {length/2, width/2}, range = {0, 1.1*behind}, exact = exact.depth,
    },
    history = { "dt" },
  },
  on_end = function(run)
    local error = run:l1("h", exact.depth)
    print(string.format("%d cells, %d steps: mean error of the depth %.2f mm", run.cells, run.step, 1000*error))
    print(string.format("plateau %.4f m (exact %.4f), its velocity %.4f m/s (exact %.4f)",
      run:at("h", 8, width/2), exact.hm, run:at("velocity.x", 8, width/2), exact.um))
  end,
}
