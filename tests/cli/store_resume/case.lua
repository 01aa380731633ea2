return case {
  name = "plate", scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 6, ny = 6, jitter = 0.2 },
  given = { power = 0.3 },
  initial = { T = function(x, y) return x*y end },
  boundary = { { {"left", "right"}, "held", Tw = 1.1 }, { {"bottom", "top"}, "insulated" } },
  time = { stop = 1 },
  output = { every = 1, checkpoint = 1e-6, fields = {"T"} },
}
