-- Kernels of grids: unfused, and windowed by work-groups of columns, which share rows in local memory.
local arg = arguments { scheme = "chained", window = "off", items = "each", space = "upwind", solid = true }
local common = require "common"
local chained = arg.scheme == "chained"
local function wave(mean, height) return function(x, y) return mean + height*math.sin(2*x + mean)*math.cos(3*y) end end

local schedule = { items = arg.items, ["grid.window"] = arg.window, ["grid.columns"] = 16, ["grid.rows"] = 4 }
if chained and arg.window ~= "off" then schedule.lap = "window" schedule.square = "window" end

return case {
  scheme = chained and "../physics/chained.ew" or arg.scheme,
  variants = not chained and { space = arg.space } or nil,
  schedule = schedule,
  mesh = mesh.grid { x = {0, 2.2}, y = {0, 1.3}, nx = 19, ny = 7, periodic = chained and "x" or nil,
    solids = arg.solid and { { name = "block", x = {0.9, 1.4}, y = {0.5, 0.8} } } or nil },
  parameters = not chained and { Kn = 0.05 } or nil,
  initial = chained and { u = wave(0, 0.2), w = 0 } or { p = wave(1, 0.1), T = wave(1, 0.1), u = wave(0, 0.1), v = wave(0, 0.1) },
  boundary = chained and { { "bottom", "closed" }, { "top", "held", value = 0.1 }, { "block", "closed" } }
    or { { "left", "inlet", vel = {0.1, 0} }, { "right", "outlet" }, { {"bottom", "top", "block"}, "wall" } },
  time = chained and common.steps or { steps = 1 },
}
