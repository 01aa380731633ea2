return case {
  scheme = "plate",
  mesh = mesh.gmsh { file = "two.msh" },
  given = { power = 0 },
  initial = { T = function(x, y, tt) return x end },
  boundary = { { {"wall", "sea"}, "held", Tw = function(x, y, z, t) return z + 1 end } },
  time = { stop = 0.01 },
}
