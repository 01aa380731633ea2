local arg = arguments { depth = "plain" }
local depth = {
  plain = function(x, y, t) return 0.5 + t end,
  of_place = level(function(x, y, t) return 1 + t end),
  alone = level(function(t) return 1 + t end),
  series = level(series { {0, 1}, {10, 11} }),
}
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 10}, y = {0, 1}, nx = 10, ny = 1, cells = "quads" },
  given = { z = 0.5, n = 0 }, initial = { h = 0.5, q = {2, 0} },
  boundary = {
    { "left", "torrent", depth = depth[arg.depth], discharge = 2 }, { "right", "outflow" }, { {"bottom", "top"}, "wall" },
  },
  time = { stop = 2 }, output = { vtu = false },
  on_end = function(run) print(("%-8s %.9f"):format(arg.depth, run:at("h", 0.5, 0.5))) end,
}
