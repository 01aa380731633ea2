return case {
  scheme = "carried.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = "xy" },
  initial = { T = function(x, y) return math.sin(x + y) end },
  given = { u = {1, 0} },
  time = { steps = 1 },
  output = { folder = "out", vtu = false },
}
