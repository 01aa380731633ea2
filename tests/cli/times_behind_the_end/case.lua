local arg = arguments { stop = 0.3, every = 0, times = "", steps = 0 }
local times = {}
for t in arg.times:gmatch "[%d.]+" do times[#times + 1] = tonumber(t) end
return case {
  scheme = "heat",
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 3}, nx = 4, ny = 4, cells = "quads" },
  given = { power = 0 },
  initial = { T = function(x, y) return x + 10*y end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = arg.stop > 0 and arg.stop or nil, largest = 0.05, steps = arg.steps > 0 and arg.steps or nil },
  output = { vtu = false, history = "dt", every = arg.every > 0 and arg.every or nil, times = times[1] and times },
}
