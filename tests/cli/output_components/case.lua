local arg = arguments { field = "s.yx" }
return case {
  scheme = "stress.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, periodic = "xy" },
  initial = { s = {1, 2, 3, 4}, v = {5, 6} },
  time = { steps = 1 },
  output = { vtu = false, run_json = false, plot = { field = arg.field, from = {0, 0}, to = {1, 1} } },
  on_end = function(run) print(run:max("s.xx"), run:max("s.yx"), run:max("s.2"), run:max("v.y")) end,
}
