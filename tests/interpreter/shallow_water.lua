local v = require "common"
local arg = arguments { friction = "mixed", periodic = "" }

local boundary = {
  { "left", "inflow", discharge = function(x, y, t) return 0.3 + 0.1*y + t end },
  { "right", "level", eta = series { {0, 0.9}, {0.01, 0.8}, {1, 1} } },
  { "top", "outflow" },
  { "bottom", "wall" },
}
local periodic = { { {"bottom", "top"}, "wall" } }

return case {
  scheme = "shallow_water",
  variants = { friction = arg.friction },
  mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 8, ny = 6, jitter = 0.2, seed = 3,
    periodic = arg.periodic ~= "" and arg.periodic or nil },
  given = { z = v.wave(1, 0, 0.4), n = v.wave(2, 0.01, 0.05) },
  initial = {
    h = function(x, y) return x > 1.2 and y > 0.5 and 0 or 0.6 + 0.3*math.sin(3*x + y) end,
    q = function(x, y) if x > 1.2 and y > 0.5 then return 0, 0 end return 0.2*math.cos(2*x), 0.1*math.sin(3*y) end,
  },
  boundary = arg.periodic == "x" and periodic or arg.periodic == "xy" and {} or boundary,
  time = { stop = 10 },
}
