return case {
  name = "b", scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 },
  initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.02 },
  output = { history = "heat", probes = { p = {0.5, 0.5} } },
}
