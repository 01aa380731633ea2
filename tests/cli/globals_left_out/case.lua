local way = arguments { way = "named" }.way
local r = run(case {
  scheme = "doubled",
  mesh = mesh.grid { x = {0, 1}, nx = 2, periodic = "x" },
  initial = { w = 1 },
  time = { steps = 2 },
  output = { vtu = false, history = way == "named" and {"total"} or nil },
  on_end = function(run) if way == "hook" then print(run:global("total")) end end,
})
print(way, r:global("total"))
