return case {
  scheme = "plate",
  mesh = mesh.gmsh { file = "valley.msh" },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.01 },
}
