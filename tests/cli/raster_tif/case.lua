local a = arguments { bed = "bed.tif", format = "tif", srs = "EPSG:25832" }
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 2}, nx = 4, ny = 2, cells = "quads" },
  given = { z = raster(a.bed), n = 0 }, initial = { h = level(0.5), q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 1 },
  products = { { name = "deepest", max = "h" } },
  output = { vtu = false, raster = { field = { "deepest", "z" }, size = 1, format = a.format, srs = a.format == "tif" and a.srs or nil } },
}
