local arg = arguments { hook = false }
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3, cells = "quads" },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { step = 0.0009765625, steps = 23 },
  output = { folder = "out", vtu = false, every = 0.009765625, sample = 4, history = "heat" },
  on_step = arg.hook and function(run) print(run.step) end or nil,
}
