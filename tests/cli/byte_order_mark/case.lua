local ground = raster "ground.asc"
return case {
  scheme = "plate.ew",
  mesh = mesh.gmsh { file = "mesh.msh" },
  given = { power = 0 },
  initial = { T = function(x, y) return ground(x, y) end },
  boundary = { { "all", "held", Tw = series "table.csv" } },
  time = { stop = 0.01 },
}
