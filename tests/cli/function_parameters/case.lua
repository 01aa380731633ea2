return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 },
  initial = { T = function(...) return 1 end },
  boundary = { { {"left", "right", "bottom", "top"}, "held",
      Tw = function(x, y, z) return 1 end } },
  time = { stop = 0.01 },
}
