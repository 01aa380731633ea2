return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 10}, y = {0, 1}, nx = 10, ny = 1, cells = "quads" },
  given = { z = 0.5, n = level(function(x, y, t) return 1 + t end) }, initial = { h = 0.5, q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 2 }, output = { vtu = false },
}
