-- error[E0299]: after `launches`: section `step`, operation 8: `sum_2` reads ghosts of `check`, which are not made
return case {
  scheme = "scheme.ew",
  schedule = { ["faces"] = "patch" },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, jitter = 0, cells = "triangles", pattern = "alternating", order = "none", faces = "none", nodes = "none", seed = 362 },
  initial = {
    s0 = function(x, y) return 0.20000000000000001 + 0.80000000000000004*math.sin(5.6499964000862519*x + 3.3010503902315311*y + 3.1910878399084233 + 0.7*0) end, 
    s1 = function(x, y) return 0.20000000000000001 + 0.80000000000000004*math.sin(2.1132936708513821*x + 1.270866121754002*y + 3.9818025884986108 + 0.7*0) end, 
  },
  boundary = {
    { "left", "r0", },
    { "right", "r0", },
    { "bottom", "r0", },
    { "top", "r0", },
  },
  time = { steps = 1 },
  output = { folder = "out", vtu = false },
}
