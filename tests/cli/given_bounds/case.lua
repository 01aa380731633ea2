local arg = arguments { n = 0.03, ground = 0.4, rain = "steady" }
local rains = {
  steady = 1e-6, ends = function(x, y, t) return 1e-6*(2.5 - t) end,
  falls = series { {0, 1e-6}, {5, -1e-6} },
}
return case {
  scheme = "soil", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  given = {
    n = arg.n, moisture = 0.2, rain = rains[arg.rain],
    porosity = function(x, y) return arg.ground + x/2 end,
  },
  initial = { h = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "none" } },
  time = { steps = 4 },
}
