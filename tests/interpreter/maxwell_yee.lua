local v = require "common"
local arg = arguments { periodic = "" }

return case {
  scheme = "maxwell_yee",
  mesh = mesh.grid { x = {0, 1}, nx = 7, y = {0, 1}, ny = 6, ratio = { x = 1.1 }, periodic = arg.periodic ~= "" and arg.periodic or nil,
    solids = { name = "block", x = {0.4, 0.7}, y = {0.3, 0.5} } },
  given = { eps = v.wave(2, 1, 2) },
  initial = { Hz = v.wave(0, -1, 1), Ex = v.wave(1, -1, 1), Ey = v.wave(2, -1, 1) },
  boundary = { { arg.periodic == "" and {"left", "right", "bottom", "top", "block"}
    or arg.periodic == "x" and {"bottom", "top", "block"} or {"block"}, "conductor" } },
  time = { stop = 100 },
}
