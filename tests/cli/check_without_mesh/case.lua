local wrong = arguments { wrong = "none" }.wrong
return case {
  scheme = wrong == "scheme" and "plat.ew" or "plate.ew",
  mesh = mesh.gmsh { recipe = "plate.geo" },
  given = wrong ~= "given" and { power = 0 } or nil,
  initial = { T = 1 },
  boundary = { { "rim", wrong == "rule" and "hold" or "held", Tw = 2 } },
  products = { { name = "hot", duration = wrong == "unit" and "T > 3 [m]" or "T > 3 [K]" } },
  time = { stop = 0.01 },
}
