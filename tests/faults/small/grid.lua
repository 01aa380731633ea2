-- A grid with a solid in it, and an argument that `edgewise sweep` varies.
local arg = arguments { F = 0.037 }
return case {
  name = "grid", scheme = "gray_scott", parameters = { F = arg.F },
  mesh = mesh.grid { x = {0, 6}, nx = 6, y = {0, 5}, ny = 5, solids = { { name = "block", x = {2, 4}, y = {2, 3} } } },
  initial = { u = 1, v = function(x, y) return 0.25*x/(1 + y) end },
  boundary = { { {"left", "right", "bottom", "top", "block"}, "closed" } },
  time = { stop = 4 },
  output = {
    every = 2,
    picture = { field = "v", size = 20 },
    plot = { field = "u", from = {0.5, 2}, to = {5.5, 2}, samples = 5 },
    probes = { inside = {1, 1} },
    history = { "dt" },
  },
}
