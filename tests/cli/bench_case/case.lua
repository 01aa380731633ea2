local arg = arguments { wrong = false }
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = "xy" },
  given = { power = 0 },
  initial = { T = 1 },
  [arg.wrong and "corner_angel" or "corner_angle"] = 40,
  time = { stop = 0.01 },
}
