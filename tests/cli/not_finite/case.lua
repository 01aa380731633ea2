return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  parameters = { cfl = 40 },
  given = { power = 0 },
  initial = { T = function(x, y) return 1e300*x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 4000 },
  output = { vtu = false },
}
