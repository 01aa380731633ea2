-- Two quadrangles that are not convex make a square: points are found in both, and nowhere in the square is there none.
return case {
  scheme = "heat", parameters = { kappa = 1e-9 }, mesh = mesh.gmsh { file = "darts.msh" },
  given = { power = 0 }, initial = { T = function(x, y) return x > y and 1 or 2 end },
  boundary = { { "unnamed", "insulated" } }, time = { steps = 1 },
  output = { vtu = false, raster = { field = "T", size = 0.4 }, probes = { corner = {0.1, 0.02} } },
  on_end = function(run)
    print(run:probe("corner", "T") > 1.5, run:at("T", 1.9, 0.1) > 1.5, run:at("T", 1.5, 0.5) > 1.5, run:at("T", 1.6, 0.4) > 1.5)
    print(pcall(run.at, run, "T", 5567890.25, 3512345.5))
  end,
}
