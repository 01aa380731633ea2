return case {
  scheme = "heat",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, cells = "quads" },
  given = { power = function(z) return z end },
  initial = { T = function(y, t) return y end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 1 },
  output = { plot = { field = "T", from = {0, 0}, to = {1, 1}, exact = function(y) return y end } },
}
