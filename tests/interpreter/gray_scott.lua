local v = require "common"
local arg = arguments { periodic = false }

return case {
  scheme = "gray_scott",
  mesh = mesh.grid { x = {0, 7}, nx = 7, y = {0, 6}, ny = 6, periodic = arg.periodic and "xy" or nil,
    solids = { name = "block", x = {2, 4}, y = {2, 3} } },
  initial = { u = v.wave(0, 0.4, 1), v = v.wave(1, 0, 0.4) },
  boundary = arg.periodic and { { "block", "closed" } }
    or { { {"left", "right", "bottom", "top", "block"}, "closed" } },
  time = { stop = 100 },
}
