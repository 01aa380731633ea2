-- The tsunami of 1993 at Monai, Okushiri, in a wave tank at 1:400: a measured wave comes in on the left and runs up a narrow valley.
-- The README says where the data come from.
local arg = arguments { nx = 196, ny = 122, stop = 22.5, scheme = "shallow_water_2" }  -- cells of 2.8 cm, as often used; [s]
local gauges = { ch5 = {4.521, 1.196}, ch7 = {4.521, 1.696}, ch9 = {4.521, 2.196} }
local seen = { {}, {}, {} }

return case {
  name = "monai", scheme = arg.scheme,
  mesh = mesh.rectangle { x = {0, 5.488}, y = {0, 3.402}, nx = arg.nx, ny = arg.ny, cells = "quads" },
  given = { z = raster "data/Benchmark_2_Bathymetry.asc", n = 0.01 },
  initial = { h = level(0), q = 0 },
  boundary = { { "left", "level", eta = series "data/Benchmark_2_input.txt" }, { {"right", "bottom", "top"}, "wall" } },
  time = { stop = arg.stop },
  products = { { name = "highest", max = "if h > 0.001 [m] then surface else 0" } },
  output = { every = 2.5, probes = gauges, probe_fields = "surface", fields = { "h", "z", "surface", "highest" },
    sample = 5, picture = { field = "surface", map = "water", range = {-0.02, 0.05}, mask = "h", mask_below = 0.001, terrain = "z" } },
  on_step = function(run)
    for i, name in ipairs { "ch5", "ch7", "ch9" } do table.insert(seen[i], { run.t, 100*run:probe(name, "surface") }) end
  end,
  on_end = function(run) require("compare")(seen) end,
}
