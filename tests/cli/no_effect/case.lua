local a = arguments { what = "nothing", device = "c" }
local square = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, cells = "quads" }
local wrong = {
  nothing = { output = { picture = { field = "h", mask = "h", mask_below = 0.1, terrain = "z" }, probes = { p = {0.5, 0.5} }, probe_fields = "h",
    elevation = "z", raster = { field = "h", size = 1, mask = "h", mask_below = 1 } } },
  probe_fields = { output = { probe_fields = { "nosuch" } } },
  mask_below = { output = { picture = { field = "h", mask_below = 0.1 }, raster = { field = "h", size = 1, mask_below = 1 } } },
  terrain = { output = { picture = { field = "h", terrain = "z" } } },
  view = { output = { picture = { field = "h", view = {1, 1, 1} } } },
  height = { output = { picture = { field = "h", z = 0 } } },
  no_files = { output = { vtu = false, elevation = "z" } },
  vector = { output = { elevation = "q" } },
  component = { output = { elevation = "q.x" } },
  repeats = { output = { history = "iterations" } },
  single = { output = { vtu = false, single_precision = true } },
  size = { mesh = mesh.gmsh { recipe = "none.geo", numbers = { size = 0.3 }, size = 0.2 } },
}
local it = wrong[a.what]
return case {
  scheme = "shallow_water", device = a.device,
  mesh = it.mesh or square,
  given = { z = 0, n = 0.03 }, initial = { h = 1, q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 1 },
  output = it.output,
}
