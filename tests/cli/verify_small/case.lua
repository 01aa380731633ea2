local arg = arguments { which = "small" }
return case {
  scheme = "tie.ew",
  variants = { which = arg.which },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 7, ny = 5, pattern = "alternating" },
  initial = { p = function(x, y) return 1e5 + x + y*y end, s = 0 },
  boundary = { { { "left", "right", "bottom", "top" }, "wall" } },
  time = { steps = 3 },
}
