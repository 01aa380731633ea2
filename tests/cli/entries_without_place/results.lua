-- What functions return.
return case {
  scheme = "shallow_water",
  parameters = { g = 9.81 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { z = 0, n = 0 },
  initial = { h = 1, q = function(x, y) return { x, y, z = 1 } end },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 0.01 },
}
