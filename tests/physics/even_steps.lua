-- Steps that divide the time evenly, as they stand in a case with a few digits: as many are made as stand there, all of one size, whether they are
-- shortened or not, whoever says their size, with outputs between and without, compiled and interpreted. The sum of n steps is off by up to n^2
-- roundings of one of them: `remaining <= dt` alone made one step too many, the last two halved, from some hundreds of steps on.
local expect = require "expect"
local device = expect.device or "c"

local function try(o)
  local n, least, most = 0, math.huge, 0
  local r = run(case {
    scheme = "even_steps.ew", device = o.device, mesh = mesh.grid { x = {0, 1}, nx = 2 }, parameters = { length = o.size }, initial = { past = 0 },
    boundary = { { {"left", "right"}, "closed" } },
    time = { stop = o.stop, shorten = o.shorten, step = o.fixed and o.size or nil },
    output = { folder = "even_steps_out", vtu = false, every = o.every },
    on_step = not o.unseen and function(run) n, least, most = n + 1, math.min(least, run.dt), math.max(most, run.dt) end or nil,
  })
  return r, n, least, most
end

-- A time with few digits, and a size that it is an exact multiple of where both are decimal.
local function even(n)
  local digits = math.random(0, 3)
  local size = math.random(1, 30)*10.0^-digits
  if math.random() < 0.5 then size = 10.0^-math.random(0, 6) end
  return size, tonumber(string.format("%.12g", n*size))
end

math.randomseed(20261129)
local tried = 0
for k = 1, 150 do
  local n = math.floor(math.exp(math.random()*math.log(4000)) + 0.5)
  local parts = math.random(1, 3)
  local size, stop = even(n*parts)
  local o = { size = size, stop = stop, every = parts > 1 and tonumber(string.format("%.12g", n*size)) or nil, shorten = math.random() < 0.5,
              fixed = math.random() < 0.3, device = math.random() < 0.2 and n*parts < 2000 and "reference" or device }
  local what = string.format("%d steps of %.17g to %.17g, %d parts, %s%s%s", n*parts, size, stop, parts, o.device, o.shorten and ", shortened" or "",
                             o.fixed and ", fixed" or "")
  local r, made, least, most = try(o)
  expect.near(what..": steps", made, n*parts, 0)
  expect.near(what..": the end", r.t, stop, 0)
  expect.near(what..": the least", least, size, 1e-3*size)
  expect.near(what..": the largest", most, size, 1e-3*size)
end

-- Many of them, and not looked at: 300 000 steps lose up to 1e-5 of one.
for _, shorten in ipairs { true, false } do
  local r = try { size = 1e-5, stop = 3, shorten = shorten, device = device, unseen = true }
  expect.near("many steps, the number of them", r.step, 300000, 0)
  expect.near("many steps, the end", r.t, 3, 0)
end

-- What is no multiple is not taken for one: two equal parts at the end.
local _, n, least = try { size = 0.1, stop = 0.5005, shorten = true, device = device }
expect.near("no multiple: steps", n, 6, 0)
expect.near("no multiple: the last two", least, 0.05025, 1e-12)
