print("read")
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, pattern = "alternating" },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 2 },
  output = { vtu = false },
  on_end = function(run) print("ended") end,
}
