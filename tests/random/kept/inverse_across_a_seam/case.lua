-- 0.889 at c0, number 36: 2 and 0.22222222222222221
return case {
  scheme = "scheme.ew",
  mesh = mesh.grid { x = {0, 1, 2, 3}, y = {0, 1, 2, 3, 4}, z = {0, 1, 2, 3, 4},
    solids = { { name = "block", x = {2, 3}, y = {2, 4}, z = {2, 3} } }, periodic = "xyz" },
  initial = {
    c0 = function(x, y, z) return 0.20000000000000001 + 0.80000000000000004*math.sin(2.0943951023931953*x + 1.5707963267948966*y + 1.5707963267948966*z + 1.998336349922629 + 0.7*0) end, 
  },
  boundary = {
    { "block", "r0", },
  },
  time = { steps = 1 },
  output = { folder = "out", vtu = false },
}
