-- A linear system at the nodes of a mesh in space.
return case {
  name = "nodes", scheme = "poisson",
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2 },
  given = { s = function(x, y, z) return x + y*z end },
  initial = { phi = 0 },
  boundary = { { {"left", "right"}, "held", value = function(x, y, z) return y end }, { {"bottom", "top", "back"}, "inflow", qn = 0.1 },
               { "front", "inflow", qn = 0 } },
  time = { steps = 2 },
  output = { plot = { field = "phi", from = {0, 0.5, 0.5}, to = {1, 0.5, 0.5}, samples = 5 }, history = { "phi.iterations" } },
}
