-- time.largest, first and step bound a step and do nothing else: they are no times to be met, so a bound above the scheme's own changes nothing, however
-- often the run is looked at, by whom, and whether steps are shortened; below it all steps but the last have it. Cases drawn at random, each run
-- with and without a hook, with other `look`s, and interpreted.
local expect = require "expect"
local device = expect.device or "c"

local function try(o)
  local n, sum, least, most = 0, 0, math.huge, 0
  local r = run(case {
    scheme = "bounded_steps.ew", device = o.device, mesh = mesh.grid { x = {0, 1}, nx = 2 }, parameters = { own = o.own }, initial = { past = 0, free = 0 },
    boundary = { { {"left", "right"}, "closed" } },
    time = { stop = o.stop, shorten = o.shorten, largest = o.largest, first = o.first, look = o.look },
    output = { folder = "bounded_steps_out", vtu = false, every = o.every },
    on_step = o.hook and function(run) n, least, most = n + 1, math.min(least, run.dt), math.max(most, run.dt) end or nil,
  })
  return r, n, least, most
end

math.randomseed(20261130)
local function pick(...) return (select(math.random(select("#", ...)), ...)) end
for k = 1, 120 do
  local own = pick(0.1, 0.02, 0.05, 0.3)*pick(1, 1.5, 0.7)
  local n = math.random(3, 200)
  local o = { own = own, stop = own*(n + pick(0, 0.25, 0.5, 0.9)), shorten = math.random() < 0.5, every = math.random() < 0.4 and own*(math.random(2, 9) + pick(0, 0.3)) or nil,
              device = math.random() < 0.2 and "reference" or device, hook = math.random() < 0.5, look = pick(1, 2, 16, 100) }
  local plain = try { own = o.own, stop = o.stop, shorten = o.shorten, every = o.every, device = device }
  o[pick("largest", "first")] = own*pick(1.01, 1.3, 1.5, 1.99, 2.5, 7, 1)
  local what = string.format("own %g to %g, %s%s%s%s", own, o.stop, o.largest and "largest "..o.largest or "first "..o.first, o.shorten and ", shortened" or "",
                             o.every and ", every "..o.every or "", o.hook and ", looked at" or "")
  local r = try(o)
  expect.near(what..": as many steps as without", r.step, plain.step, 0)
  expect.near(what..": the end", r.t, plain.t, 0)
  -- a bound below the scheme's
  o.largest, o.first, o.hook, o.every = own*pick(0.3, 0.5, 0.77), nil, true, nil
  local below, steps, least, most = try(o)
  expect.below(what..": the largest", most, o.largest*(1 + 1e-3))
  expect.near(what..": steps", steps, o.shorten and math.ceil(o.stop/o.largest - 1e-3) or math.ceil(o.stop/o.largest - 1e-3), 0)
  expect.near(what..": dt.free", below:min "free", o.largest, 1e-3*o.largest)
  if not o.shorten then expect.near(what..": all of one size", least, o.largest, 1e-12) end
end
