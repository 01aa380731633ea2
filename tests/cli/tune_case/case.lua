local arg = arguments { scheme = "potential.ew", rule = "held" }
return case {
  scheme = arg.scheme,
  mesh = mesh.gmsh { file = "good.msh" },
  initial = { phi = 0 },
  boundary = { { "wall", arg.rule } },
  time = { steps = 1 },
}
