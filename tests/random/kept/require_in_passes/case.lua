-- inf at 3 and 1 steps: none failed; the solution failed a check in step 1, pass 2 of its repeat, t = 0.03 s, dt = 0.03 s
return case {
  scheme = "scheme.ew",
  variants = { way = "one" },
  mesh = mesh.grid { x = {0, 1, 2, 3}, y = {0, 1, 2}, z = {0, 1, 2, 3, 4, 5, 6} },
  initial = {
    s0 = function(x, y, z) return 0.20000000000000001 + 0.80000000000000004*math.sin(0.98866370563890504*x + 0.57251657226832198*y + 0.46141990706970026*z + 4.0760481970491567 + 0.7*0) end, 
    u2 = function(x, y, z) return 0.20000000000000001 + 0.80000000000000004*math.sin(0.21830878229419751*x + 0.17793018831220153*y + 0.58770096825487961*z + 3.2528876498817541 + 0.7*0) end, 
  },
  boundary = {
    { "left", "z", },
    { "right", "z", },
    { "bottom", "z", },
    { "top", "z", },
    { "back", "z", },
    { "front", "z", },
  },
  time = { steps = 3 },
  output = { folder = "out", vtu = false },
}
