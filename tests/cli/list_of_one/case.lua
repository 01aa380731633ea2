return case {
  scheme = "one.ew", mesh = mesh.grid { x = { 0, 2 }, nx = 4, periodic = "x" },
  initial = { a = 1, b = 2 }, time = { steps = 1 }, output = { vtu = false, run_json = false },
  on_end = function(r) print(r:sum("a"), r:sum("b")) end,
}
