-- Periodic in x: the node at (1, 0.4) is the one at (0, 0.4), and a pin at either place is at it.
local a = arguments { x = 1 }
return case {
  scheme = "poisson",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 5, ny = 5, periodic = "x" },
  initial = { phi = 0 },
  given = { s = function(x, y) return math.sin(2*math.pi*x)*math.cos(math.pi*y) + y - 0.5 end },
  boundary = { { {"bottom", "top"}, "inflow", qn = 0 } },
  solver = { pin = { field = "phi", at = { a.x, 0.4 }, value = 7 } },
  time = { steps = 1 },
  device = "c",
  on_end = function(run) print(string.format("%.6f %.6f", run:at("phi", 0, 0.4), run:at("phi", 1, 0.4))) end,
}
