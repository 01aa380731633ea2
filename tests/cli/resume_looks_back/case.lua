return case {
  name = "b", scheme = "scheme.ew",
  mesh = mesh.grid { x = {0, 3}, nx = 3, y = {0, 3}, ny = 3, periodic = "xy" },
  initial = { u = 1 },
  time = { steps = 5, look = 1 },
  output = { checkpoint = 1e-9, fields = {"u", "moved", "eased"}, history = "greatest" },
  on_end = function(run) print(run:at("moved", 0.5, 0.5), run:at("eased", 0.5, 0.5)) end,
}
