local arg = arguments { out = "whole", halt = 0 }
return case {
  scheme = "shallow_water", mesh = mesh.rectangle { x = {0, 40}, y = {0, 2}, nx = 20, ny = 1, cells = "quads" },
  given = { z = 0, n = 0.02 }, initial = { h = 0, q = 0 },
  boundary = { { {"right", "bottom", "top"}, "wall" }, { "left", "inflow", discharge = function(t) return math.max(0, 0.01*(t - 20)) end } },
  time = { stop = 60 }, output = { folder = arg.out, every = 25, history = { "dt" }, vtu = false },
  on_step = function(r) if r.step == arg.halt then r:stop() end end,
}
