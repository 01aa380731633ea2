-- A case that reads files: a mesh, a raster, a series.
return case {
  name = "files", scheme = "warm",
  mesh = mesh.gmsh { file = "square.msh" },
  given = { power = raster { "bed.asc", fill = "nearest" } },
  initial = { T = 1 },
  boundary = { { "wall", "held", Tw = series { file = "flow.csv", column = "Q", scale = 0.5 } }, { "sea", "insulated" } },
  time = { stop = 1 },
  output = { every = 0.4, history = { "dt" } },
}
