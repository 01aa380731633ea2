local value = arguments { value = 0.0 }.value

return case {
  scheme = "drift.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  parameters = { wind = value },
  given = { g = value },
  initial = { u = value },
  boundary = { { {"left", "right", "bottom", "top"}, "moving", U = value } },
  time = { steps = 5 },
  output = { vtu = false },
  on_end = function(run) print(run:min("u.x"), run:max("u.y")) end,
}
