local a = arguments { s = 3e-50, T = 1, packed = 1 }
return case {
  scheme = "small.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  given = { s = function(x, y) return a.s*(x + y) end, r = function(x, y, t) return 1e-50 end },
  initial = { T = a.T },
  boundary = { { {"left", "right", "bottom", "top"}, "open" } },
  time = { steps = 2 },
  output = { vtu = false },
  device = "c",
  on_end = function(run) print(run:max("T")) end,
}
