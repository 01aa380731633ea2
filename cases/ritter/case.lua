-- A dam breaks over dry ground, and the depth is compared with the exact solution.
--   edgewise run cases/ritter/case.lua -D size=0.06
local arg = arguments {
  size = 0.12,    -- length of the triangles' sides [m]
  mesh = "gmsh",  -- or generated: without the program gmsh
}

local g, length, width, behind = 9.81, 40, 8, 1
local wet = 0.001  -- the computed tip: where the water is deeper than this [m]
local exact = require "ritter"(behind, g)

local triangles
if arg.mesh == "gmsh" then
  triangles = mesh.gmsh { recipe = "../dam_break/channel.geo", size = arg.size }
else
  triangles = mesh.rectangle {
    x = {-length/2, length/2}, nx = math.ceil(length/arg.size),
    y = {0, width}, ny = math.ceil(width/arg.size),
    pattern = "alternating", jitter = 0.1,
  }
end

local function tip_of(run)
  local h, centres, tip = run:field("h"), run:centres(), -length/2
  for i = 1, run.cells do
    if h[i] > wet then tip = math.max(tip, centres[i][1]) end
  end
  return tip
end

return case {
  name = "ritter",
  scheme = "shallow_water",
  mesh = triangles,
  parameters = { g = g, froude = 1000 },  -- the default, 20, holds thin films back: see README.md
  given = { z = 0, n = 0 },
  initial = { h = function(x) return exact.depth(x, 0, 0) end, q = {0, 0} },
  boundary = {
    { {"left", "right"}, "outflow" },
    { {"bottom", "top"}, "wall" },
  },
  time = { stop = 3 },
  output = {
    every = 0.6,
    fields = { "h", "velocity" },
    picture = { field = "h", name = "depth", title = "depth [m]", map = "water", range = {0, behind} },
    plot = {
      field = "h", name = "profile", title = "depth [m] along the channel, and Ritter's solution",
      from = {-length/2, width/2}, to = {length/2, width/2}, range = {0, 1.1*behind}, exact = exact.depth,
    },
  },
  on_end = function(run)
    print(string.format("%d cells, %d steps: mean error of the depth %.2f mm, depths >= %.1g",
      run.cells, run.step, 1000*run:l1("h", exact.depth), run:min("h")))
    print(string.format("water at the dam %.4f m (exact %.4f), 1 mm deep up to x = %.2f m (exact %.2f)",
      run:at("h", 0, width/2), 4/9*behind, tip_of(run),
      (2*math.sqrt(g*behind) - 3*math.sqrt(g*wet))*run.t))
  end,
}
