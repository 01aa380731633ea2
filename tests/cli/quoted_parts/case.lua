local arg = arguments { scheme = "parts.ew" }
return case {
  scheme = arg.scheme, mesh = mesh.gmsh { file = "mesh.msh" }, initial = { T = 1 },
  boundary = { { {"out, let", "left", "a (b)", "2nd side"}, "wall" } }, time = { steps = 2 },
  output = { vtu = false, history = { "through", "bank", "farthest" } },
  on_end = function(run)
    for _, name in ipairs { "through", "bank", "farthest" } do print(name, run:global(name)) end
    print(string.format("T %.12f", run:max("T")))
  end,
}
