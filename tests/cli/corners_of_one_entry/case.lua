local arg = arguments { file = "" }
return case {
  scheme = "inward.ew", device = "c", mesh = mesh.gmsh { file = arg.file },
  initial = { w = function(x, y) return 1, 2 end }, boundary = { { "wall", "through" } },
  time = { steps = 1 }, output = { vtu = false, run_json = false },
  on_end = function(run)
    for _, x in ipairs(run:nodes()) do
      local at = { x[1], x[2] }
      if (x[2] == 0 or x[2] == 1) and ({ [0] = true, [1] = true, [0.5] = true, [1.5] = true })[x[1]] then
        print(string.format("%g %g  %.6f %.6f", x[1], x[2], run:at("w.x", x[1], x[2]), run:at("w.y", x[1], x[2])))
      end
    end
  end,
}
