local arg = arguments { scheme = "potential.ew", rule = "held", tune = 0 }
return case {
  scheme = arg.scheme,
  mesh = mesh.gmsh { file = "good.msh" },
  initial = { phi = 0 },
  boundary = { { "wall", arg.rule } },
  solver = arg.tune > 0 and { tune = arg.tune } or nil,
  time = { steps = 1 },
}
