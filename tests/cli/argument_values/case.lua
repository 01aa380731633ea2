local arg = arguments { b = "raster", grid = false, n = 2 }
local values = {
  number = 1,
  ["function"] = function(x, y) return x + 10*y end,
  raster = raster "plane.asc",
  hole = raster "hole.asc",
  filled = raster { "hole.asc", fill = 0 },
  missing = raster "missing.asc",
  region = by_region { A = 1, B = 2 },
  other = by_region { A = 1, otherwise = 3 },
  nowhere = by_region { A = 1 },
  typo = by_region { A = 1, C = 2, otherwise = 0 },
  negative = by_region { A = 1, B = -2 },
  polygon = by_polygon { { 1, {0, 0}, {1, 0}, {1, 1}, {0, 1} }, otherwise = 5 },
}
return case {
  scheme = arg.grid and "wall.ew" or "put.ew",
  mesh = arg.grid and mesh.grid { x = {0, 2}, y = {0, 1}, nx = 2, ny = 1 } or mesh.gmsh { file = "two.msh" },
  initial = { T = 0 }, time = { steps = 1 }, output = { vtu = false },
  boundary = { { arg.grid and {"left", "right", "bottom", "top"} or "side", "put", b = values[arg.b] } },
  on_end = function(run) print(arg.b, table.concat(run:field("T"), " ")) end,
}
