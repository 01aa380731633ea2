local arg = arguments { scheme = "plate", cells = "triangles", pattern = "right", jitter = 0, nx = 8, periodic = "" }
return case {
  scheme = arg.scheme,
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = arg.nx, ny = 8, periodic = arg.periodic ~= "" and arg.periodic or nil, cells = arg.cells, jitter = arg.jitter,
    pattern = arg.cells == "triangles" and arg.pattern or nil },
  given = { power = 0 }, initial = { T = 1 },
  boundary = { { ({ x = {"bottom", "top"}, y = {"left", "right"} })[arg.periodic] or {"left", "right", "bottom", "top"}, "insulated" } }, time = { steps = 1 }, output = { folder = "out", vtu = false },
}
