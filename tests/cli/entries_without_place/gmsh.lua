return case {
  scheme = "plate",
  mesh = mesh.gmsh { recipe = "a.geo", numbers = { 1 }, periodic = { {"left", "right", x = "top"}, y = {"a", "b"} } },
  time = { stop = 0.01 },
}
