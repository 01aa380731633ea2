-- A grid with a solid in it: VTI, and values that are never computed.
return case {
  name = "grid", scheme = "simple_ts",
  variants = { space = "tvd" },
  mesh = mesh.grid { x = {0, 1}, nx = 12, y = {0, 1}, ny = 12, solids = { { name = "block", x = {0.4, 0.6}, y = {0.4, 0.6} } } },
  parameters = { Kn = 0.05, sigma = 1, step_size = 0.02, tol = 1e-4 },
  initial = { p = 1, T = 1, u = function(x, y) return 0.1*y end, v = 0 },
  boundary = { { "top", "wall", w = {0.2, 0} }, { {"left", "right", "bottom", "block"}, "wall" } },
  time = { stop = 0.6 },
  output = {
    every = 0.03, checkpoint = tonumber(os.getenv("KILLS_CHECKPOINT") or "0.004"),
    picture = { field = "u", size = 60 },
    probes = { inside = {0.2, 0.2} },
    history = { "iterations", "mass" },
  },
}
