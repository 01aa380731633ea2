local arg = arguments { west = -1 }
local walls = { {"bottom", "top"}, "wall" }
local falling = series { {0, 1}, {1, 0.5}, {2, -0.25} }
local boundary = {
  { { "left", "inflow", discharge = arg.west }, { "right", "torrent", depth = 0, discharge = falling }, walls },
  { { "left", "inflow", discharge = function(x, y) return y - 0.5 end }, { "right", "outflow" }, walls },
  { { "left", "inflow", discharge = function(x, y, t) return 0.1 - t end }, { "right", "outflow" }, walls },
}
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 10}, y = {0, 1}, nx = 10, ny = 2 },
  given = { z = 0, n = 0.03 },
  initial = { h = 1, q = {0, 0} },
  boundary = boundary[math.abs(arg.west)],
  time = { stop = 0.5 },
}
