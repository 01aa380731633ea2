local v = require "common"
local arg = arguments { solid = true, outlet = false }
local n, m = 8, 7

return case {
  scheme = "mac",
  parameters = { nu = 0.05, omega = 1, tol = 1e-9 },
  mesh = mesh.grid { x = {0, 1}, nx = n, y = {0, 1}, ny = m, ratio = { y = 1.1 },
    solids = arg.solid and { name = "block", x = {0.35, 0.66}, y = {0.35, 0.6} } or nil },
  given = { red = function(x, y) return (math.floor(x*n) + math.floor(y*m)) % 2 end },
  initial = { u = v.wave(0, -1, 1), v = v.wave(1, -1, 1), p = v.wave(2, -1, 1) },
  boundary = not arg.outlet and { { {"left", "right", "bottom"}, "wall" }, { "top", "wall", speed = 1 }, arg.solid and { "block", "wall" } or nil }
    or { { "left", "inlet", speed = function(x, y, t) return (1 + t)*y*(1 - y) end }, { "right", "outlet" },
    { "bottom", "wall" }, { "top", "wall", speed = 1 }, arg.solid and { "block", "wall" } or nil },
  time = { stop = 10 },
}
