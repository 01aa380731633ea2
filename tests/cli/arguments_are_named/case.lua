-- What a method is called with is named in its errors, and so is the method, also where Lua does not know what it is called.
local matrix = edgewise.linear.laplacian { n = 3 }
local bed = raster "bed.asc"
local function try(what, f, ...) print(what, (select(2, pcall(f, ...)))) end
return case {
  scheme = "heat",
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2 },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top", "back", "front"}, "insulated" } },
  time = { steps = 1 },
  output = { vtu = false, run_json = false },
  on_end = function(run)
    for _, method in ipairs { "global", "probe", "at", "field", "min", "max", "sum", "integral", "l1", "l2", "linf" } do
      try("no run", run[method], "T")
      try("nothing", run[method], run)
      try("a table", run[method], run, {})
    end
    for _, method in ipairs { "centres", "volumes", "nodes", "node_volumes", "stop", "error_if" } do try("no run", run[method], "T") end
    for _, method in ipairs { "l1", "l2", "linf" } do
      try("a list", run[method], run, "T", {1})
      try("a string", run[method], run, "T", "x")
    end
    try("a probe's field", run.probe, run, "T", 5)
    try("no z", run.at, run, "T", 0.5, 0.5)
    try("y", run.at, run, "T", 0.5, {}, 0.5)
    try("message", run.error_if, run, true, {})
    try("key", function() return run[true] end)
    try("matrix", matrix.multiply, {1})
    try("matrix", function() return matrix[{}] end)
    try("vector", matrix.multiply, matrix, 1)
    try("vector", edgewise.linear.write_vector, "x.mtx", 1)
    try("raster", bed, 1)
    try("raster", bed, 1, 2, {})
    try("level", level)
    try("level", level, 1, {})
  end,
}
