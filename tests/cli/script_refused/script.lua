local arg = arguments { k = 1 }
for run_number = 1, 2 do
  run(case {
    scheme = "plate",
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3, cells = "quads" },
    given = { power = 0 },
    initial = { T = arg.k },
    boundary = { { {"left", "right", "top", "bottom"}, "insulated" } },
    time = { steps = 1 },
    output = { folder = "a" .. run_number },
  })
end
