local a = arguments { nx = 1, scheme = "open" }
return case {
  scheme = a.scheme .. ".ew",
  mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = a.nx, ny = 3 },
  initial = { u = function(x, y) return math.sin(4*x + y) end },
  boundary = { { {"left", "right"}, "through" }, { {"bottom", "top"}, "through" } },
  time = { steps = 1 },
}
