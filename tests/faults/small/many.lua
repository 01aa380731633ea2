-- Members of a sweep that make their steps in one launch.
local arg = arguments { kappa = 1 }
return case {
  name = "many", scheme = "heat", parameters = { kappa = arg.kappa },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 1 },
  initial = { T = function(x, y) return x*y end },
  boundary = { { "left", "held", Tw = 1 }, { {"right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.1 },
  output = { every = 0.04, history = { "dt" } },
}
