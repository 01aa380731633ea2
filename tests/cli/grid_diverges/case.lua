return case {
  name = "hot",
  scheme = "warm",
  mesh = mesh.grid { x = {0, 2}, nx = 8, y = {0, 1}, ny = 4 },
  parameters = { step_size = arguments { step = 0.3 }.step },
  initial = { T = function(x, y) return x > 1 and 1 or 0 end },
  boundary = { { {"left", "right", "bottom", "top"}, "held" } },
  time = { stop = 400 },
  output = { every = 10 },
}
