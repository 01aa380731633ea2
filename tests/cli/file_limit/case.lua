return case {
  name = "plate", scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 20, ny = 20 },
  given = { power = 0 },
  initial = { T = function(x, y) return x*y end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 2 },
  output = { folder = "out", fields = {"T"} },
}
