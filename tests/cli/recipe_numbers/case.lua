local arg = arguments { recipe = "a.geo", size = 0.2 }
local odd = { nan = 0/0, inf = 1/0, text = "0.1" }
return case {
  scheme = "heat", given = { power = 0 }, initial = { T = 1 }, boundary = { {"bd", "insulated"} }, time = { steps = 1 },
  mesh = mesh.gmsh { recipe = arg.recipe, numbers = { size = odd[os.getenv("ODD")] or arg.size } }, output = { vtu = false },
}
