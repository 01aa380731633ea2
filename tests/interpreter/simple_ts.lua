local v = require "common"
local arg = arguments { time = "implicit", space = "upwind", slip = "wall_form", storage = "accelerated", open = false }
local U = 1.2

return case {
  scheme = "simple_ts",
  variants = { space = arg.space, time = arg.time, slip = arg.slip, storage = arg.storage },
  mesh = mesh.grid { x = {0, 3}, nx = 12, y = {0, 2}, ny = 10, solids = { name = "square", x = {1, 1.75}, y = {0.8, 1.4} } },
  parameters = { Kn = 0.05, step_size = 0.01, tol = 1e-8 },
  initial = { p = v.wave(0, 0.9, 1.1), T = v.wave(1, 0.9, 1.1), u = v.wave(2, 0.5, 1.2), v = v.wave(3, -0.2, 0.2) },
  boundary = not arg.open and { { {"left", "right", "bottom"}, "wall" }, { "top", "wall", w = {0.5, 0}, T_w = 1.1 }, { "square", "wall" } } or {
    { "left", "inlet", vel = {U, 0}, p_in = 1, T_in = 1 }, { "right", "outlet" },
    { "bottom", "wall", w = {U, 0} }, { "top", "reservoir", p_out = 0.95, T_out = 1.02 }, { "square", "wall" },
  },
  time = { stop = 10 },
}
