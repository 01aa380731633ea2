return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 2}, nx = 4, ny = 8, cells = "quads" },
  given = { power = 0 },
  initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 1 },
  output = { every = 1, probes = { corner = {0.1, 0.1} } },
  on_output = function(run, number)
    if number > 0 then return end
    print("t, step, cells", run.t, run.step, run.cells)
    print("min, max", run:min("T"), run:max("T"))
    print("sum, integral", run:sum("T"), run:integral("T"))
    print("l1, l2, linf", run:l1("T", 0.5), run:l2("T", function(x, y, t) return x + t end), run:linf("T"))
    print("probe, at", run:probe("corner", "T"), run:at("T", 0.9, 1.9))
    print("at three", pcall(run.at, run, "T", 0.9, 1.9, 0))
    print("field", #run:field("T"), #run:centres(), run:volumes()[1])
  end,
}
