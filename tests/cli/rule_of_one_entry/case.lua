local arg = arguments { second = "river" }
local before
return case {
  scheme = "river",
  mesh = mesh.rectangle { x = {0, 20}, y = {0, 4}, nx = 20, ny = 4, cells = "quads" },
  given = { z = 0, n = 0.02 }, initial = { h = 0.3, q = 0 },
  boundary = {
    { "left", "river", discharge = 1 },
    { "right", arg.second, discharge = 3 },
    { {"top", "bottom"}, "wall" },
  },
  time = { stop = 10 }, output = { vtu = false },
  on_output = function(run)
    local volume = run:integral("h")
    if before then print(("%.9f m^3 came in"):format(volume - before)) end
    before = volume
  end,
}
