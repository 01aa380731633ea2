local told = false
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 },
  initial = { T = function() -- never ends
    if not told then print("begun") told = true end
    while true do end
  end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 1 },
  device = "c",
}
