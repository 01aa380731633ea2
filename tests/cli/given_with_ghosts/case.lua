local arg = arguments { rising = false }
return case {
  scheme = "g.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1 },
  given = { z = 0 },
  initial = { s = 0 },
  boundary = {
    { {"left", "right", "bottom", "top"}, "outside",
      v = arg.rising and function(x, y, t) return t end or 1 },
  },
  time = { steps = 50 },
  output = { vtu = false },
  -- four sides of 1 m around 1 m^2: 4*0.5 in 0.5 s, or 4*0.01*(0 + 0.01 + ... + 0.49)
  on_end = function(run) print(string.format("%.10g %.10g", run:min("s"), run:max("s"))) end,
}
