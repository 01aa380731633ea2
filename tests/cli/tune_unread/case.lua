return case {
  scheme = "carried.ew",
  parameters = { b = {1, 0.5} },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 6, ny = 6 },
  given = { s = function(x, y) return 1 + x - y^2 end },
  initial = { c = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "free" } },
  time = { steps = 1 },
  device = "c",
  output = { vtu = false },
}
