-- Times that only rounding keeps apart are one: knots of series, outputs and the end, each computed in its own way. No step is as short as
-- rounding, every moment has one output, and a jump counts from where it stands.
local arg = arguments { seed = 1 }
math.randomseed(arg.seed)
local unit = ({ 0.1, 0.3, 1/3, 0.7, 1e-3, 86400.1, 1/86400 })[math.random(7)]
local function time_of(i) -- one of some ways to say i*unit
  local sum = 0
  for _ = 1, i do sum = sum + unit end
  return ({ i*unit, sum, i/(1/unit), (i + 1)*unit - unit, i*unit*(1 + 2e-16), i*unit*(1 - 1e-16) })[math.random(6)]
end
local last = math.random(4, 9)
local rows, level, fed, jump = { {0, 0} }, 0, 0, ({ 0, 1e-16, 1e-14, 1e-13, 1e-10 })[math.random(5)]
for i = 1, last - 1 do
  if math.random(2) == 1 then
    local t = time_of(i)
    rows[#rows + 1] = { t, level }
    level = math.random(-3, 3)
    local behind = t*(1 + jump)
    if behind <= t then behind = t*(1 + 2.3e-16) end
    if behind > t then rows[#rows + 1] = { behind, level } end
  end
  fed = fed + level*unit
end
local marked, times = {}, {}
for i = 1, last do
  if math.random(3) == 1 then
    times[#times + 1] = time_of(i)
    marked[i] = true
  end
end
local every = math.random(2)
for i = every, last, every do marked[i] = true end
marked[last] = true
local expected = 1
for i = 1, last do expected = expected + (marked[i] and 1 or 0) end
if times[#times] and times[#times] > last*unit then times[#times] = nil end
local outputs = 0
return case {
  scheme = "fed.ew", device = "c", parameters = { bound = unit*({ 1, 0.37, 1/7 })[math.random(3)] },
  mesh = mesh.grid { x = {0, 1}, nx = 1 },
  given = { s = series(rows) }, initial = { T = 0 }, boundary = { { {"left", "right"}, "side" } },
  time = { stop = time_of(last) },
  output = { vtu = false, run_json = false, history = "total", every = every*unit, times = #times > 0 and times or nil },
  on_step = function(run)
    if run.dt < 5e-11*run.t then error(string.format("seed %d: a step of %.3g at t = %.17g", arg.seed, run.dt, run.t)) end
  end,
  on_output = function() outputs = outputs + 1 end,
  on_end = function(run)
    if outputs ~= expected then error(string.format("seed %d: %d outputs, %d moments", arg.seed, outputs, expected)) end
    local off = math.abs(run:global("total") - fed)/unit
    if off > 1e-8 then error(string.format("seed %d: %.17g is fed, should be %.17g", arg.seed, run:global("total"), fed)) end
  end,
}
