local v = require "common"
local arg = arguments { periodic = "" }

return case {
  scheme = "yee_3d",
  mesh = mesh.grid { x = {0, 1}, nx = 6, y = {0, 1}, ny = 5, z = {0, 1}, nz = 4, ratio = { x = 1.1 },
    periodic = arg.periodic ~= "" and arg.periodic or nil,
    solids = { name = "block", x = {0.4, 0.7}, y = {0.3, 0.7}, z = {0.2, 0.6} } },
  given = { eps = v.wave(2, 1, 2) },
  initial = { Ex = v.wave(0, -1, 1), Ey = v.wave(1, -1, 1), Ez = v.wave(2, -1, 1),
    Hx = v.wave(2, -1, 1), Hy = v.wave(0, -1, 1), Hz = v.wave(1, -1, 1) },
  boundary = { { arg.periodic == "" and {"left", "right", "bottom", "top", "back", "front", "block"}
    or {"bottom", "top", "back", "front", "block"}, "conductor" } },
  time = { stop = 100 },
}
