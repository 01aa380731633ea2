local a = arguments { source = "one", inflow = "one", stop = 2, steps = 0, step = 0 }
local function known(name, list) return list[name] end
local inflow = known(a.inflow, {
  one = 1,
  negative = function(t) return 1 - t end,
  shortly = function(t) return t > 1.1 and t < 1.2 and -1 or 1 end,
  by_place = function(x, y, t) return y > 0.5 and 1.5 - t or 1 end,
})
local source = known(a.source, {
  one = 1,
  nan = function(x, y, t) return x > 0.5 and t > 0.3 and 0/0 or 1 end,
  raises = function(x, y, t)
    if t > 0.3 then error("late") end
    return 1
  end,
  at_start = function(t) return -1 end,
})
return case {
  scheme = "decay.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 12, ny = 12 },
  given = { source = source },
  initial = { c = 1 },
  boundary = { { {"left", "right", "top", "bottom"}, "any", inflow = inflow } },
  time = { stop = a.stop > 0 and a.stop or nil, steps = a.steps > 0 and a.steps or nil, step = a.step > 0 and a.step or nil },
}
