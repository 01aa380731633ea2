local arg = arguments { halt = "", folder = "f%d" }
for n = 1, 3 do
  local r = run(case {
    name = "c"..n, scheme = "heat", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = 2 },
    given = { power = 1 }, initial = { T = 0 }, boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
    time = { steps = 8 }, output = { folder = string.format(arg.folder, n), history = { "dt" }, vtu = false },
    on_step = function(r) if arg.halt == n..":"..r.step then r:stop() end end,
  })
  print(n, r.step, string.format("%.15g", r:integral("T")))
end
