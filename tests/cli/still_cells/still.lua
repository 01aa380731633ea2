return case {
  scheme = "advection", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { a = function(x, y) if y < 0.5 then return 1, 0 end return 0, 0 end }, initial = { s = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "outflow" } }, time = { stop = 1 }, output = { vtu = false },
  on_end = function(run) print(run.t, run.step, run:max("s")) end,
}
