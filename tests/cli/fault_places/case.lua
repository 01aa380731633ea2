local arg = arguments { of = "nodes" }
local at = function(x, y) return x > 0.6 and y > 0.6 and 1e60 or 1 end
local on_grid = arg.of ~= "nodes"
return case {
  scheme = on_grid and "grid.ew" or "nodes.ew", device = "c",
  mesh = on_grid and mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = "xy" }
    or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = "xy" },
  initial = on_grid and { v = arg.of == "v" and at or 1, w = arg.of == "w" and at or 1, c = arg.of == "c" and at or 1 }
    or { phi = at },
  time = { steps = 20 },
  output = { vtu = false, run_json = false },
}
