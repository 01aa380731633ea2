-- dt.free: the step as it would be without outputs, the end and knots of series, with what the case says of its size; and that a scheme which
-- is interpreted makes the steps that a compiled one makes.
local expect = require "expect"

local function steps(device, bound, time, every)
  local made = {}
  run(case {
    scheme = "free_step.ew", variants = { bound = bound }, device = device, mesh = mesh.grid { x = {0, 1}, nx = 4 },
    initial = { made = 0, free = 0, past = 0 }, boundary = { { {"left", "right"}, "closed" } }, time = time,
    output = { folder = "free_step_out", vtu = false, every = every, fields = {"shown"} },
    on_step = function(r)
      table.insert(made, { dt = r.dt, t = r.t, made = r:max("made"), free = r:min("free"), shown = r:max("shown") })
    end,
  })
  return made
end

local times = {
  { "outputs", { stop = 1 }, 0.23 },
  { "the largest", { stop = 0.5, largest = 0.03 }, 0.23 },
  { "a fixed one", { stop = 0.5, step = 0.05 }, 0.12 },
  { "the first", { stop = 0.6, first = 0.01 }, 0.25 },
  { "whole ones", { stop = 0.5, shorten = false }, 0.23 },
  { "whole and fixed ones", { stop = 0.5, shorten = false, step = 0.03 }, 0.2 },
  { "a number of steps", { steps = 7, largest = 0.03 } },
}

for _, bound in ipairs { "constant", "falling" } do
  for _, try in ipairs(times) do
    local what, time = try[1]..", "..bound, try[2]
    local list, shortened, before = steps(expect.device or "c", bound, time, try[3]), 0, 0
    for k, s in ipairs(list) do
      local own = 0.1/(bound == "constant" and 1 or 1 + before)
      local most = math.min(time.largest or 1, time.step or 1, time.first and time.first*2^(k - 1) or 1)
      expect.near(what..": the free step "..k, s.free, math.min(own, most), 1e-14)
      expect.near(what..": as it is shown", s.shown, s.free, 0)
      expect.near(what..": the step itself", s.made, s.dt, 0)
      expect.below(what..": it is not longer", s.dt, s.free*(1 + 1e-12))
      expect.above(what..": no sliver", s.dt, 1e-3)
      if s.dt < 0.999*s.free then shortened = shortened + 1 end
      before = s.t
    end
    if try[1] == "outputs" then expect.above(what..": steps that were shortened", shortened, 4) end
    if time.shorten == false then expect.near(what..": steps that were shortened", shortened, 0, 0) end
    local other = steps("reference", bound, time, try[3])
    expect.near(what..": steps that the interpreter makes", #other, #list, 0)
    for k, s in ipairs(list) do
      expect.near(what..": the interpreter's step "..k, other[k].dt, s.dt, 1e-14)
      expect.near(what..": and its free one", other[k].free, s.free, 1e-14)
    end
  end
end
