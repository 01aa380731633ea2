local arg = arguments { mesh = "good.msh", name = "wall", rule = "held" }
return case {
  scheme = "potential.ew",
  mesh = mesh.gmsh { file = arg.mesh },
  initial = { phi = 0 },
  boundary = { { arg.name, arg.rule } },
  time = { steps = 1 },
  device = "c",
  output = { folder = "out", vtu = false },
  on_end = function(run) print(string.format("phi %.4f to %.4f", run:min("phi"), run:max("phi"))) end,
}
