-- What a case may say of the size of steps: the first, the largest, all of them; and that outputs do not shorten them, so that a scheme of
-- three levels, which needs steps of one size, is as exact with outputs as without.
local expect = require "expect"
local device = expect.device or "c"
local pi, n = math.pi, 16
local k = 2*pi
local function wave(x, t) return math.cos(k*(x - t)) end
local step = 0.8/n -- of the scheme

local function try(time, every)
  local sizes = {}
  local back = time.step or step
  local r = run(case {
    scheme = "three_levels.ew", device = device, mesh = mesh.grid { x = {0, 1}, nx = n, periodic = "x" },
    initial = { p = function(x) return wave(x, 0) end, old = function(x) return wave(x, -back) end },
    time = time, output = { folder = "step_sizes_out", vtu = false, every = every },
    on_step = function(run) sizes[#sizes + 1] = run.dt end,
  })
  return r, sizes
end

local function error_of(r) return r:l2("p", wave) end

local alone = error_of((try { stop = 0.5 }))
local cut = error_of((try({ stop = 0.5 }, 0.12)))
local r, sizes = try({ stop = 0.5, shorten = false }, 0.12)
expect.above("outputs that shorten steps", cut, 5*alone)
expect.below("outputs that do not", error_of(r), 1.2*alone)
for i = 1, #sizes do expect.near("step "..i, sizes[i], step, 1e-15) end

r, sizes = try({ stop = 0.5, shorten = false, step = 0.01 }, 0.12)
for i = 1, #sizes do expect.near("fixed step "..i, sizes[i], 0.01, 1e-15) end
expect.near("the end", r.t, 0.5, 0.0100001)
local ok, why = pcall(try, { stop = 0.5, step = 0.07 })
assert(not ok and tostring(why):find("the scheme's own bound is dt", 1, true), tostring(why))

r, sizes = try { stop = 0.5, largest = 0.01 }
for i = 1, #sizes do expect.below("at most 0.01, step "..i, sizes[i], 0.01*(1 + 1e-12)) end
expect.near("the end is met", r.t, 0.5, 0)

r, sizes = try { stop = 0.5, first = 1e-3 }
expect.near("the first step", sizes[1], 1e-3, 1e-15)
for i = 2, #sizes do expect.below("growth of step "..i, sizes[i]/sizes[i - 1], 2*(1 + 1e-12)) end
expect.above("and comes to the scheme's", sizes[#sizes - 2], step*0.9)

-- ---- time that stands still

ok, why = pcall(run, case {
  scheme = "crawls.ew", device = device, mesh = mesh.grid { x = {0, 1}, nx = 4 }, initial = { s = 1 },
  boundary = { { {"left", "right"}, "closed" } }, time = { stop = 1 }, output = { folder = "step_sizes_out", vtu = false },
})
assert(not ok and tostring(why):find("time stands still", 1, true), tostring(why))
assert(tostring(why):find("the next dt comes from 1e-30 (", 1, true) and tostring(why):find("crawls.ew:5) at (0.", 1, true), tostring(why))

-- ---- what a step is bounded by: of a minimum over cells the cell, wherever the run numbers it

ok, why = pcall(run, case {
  scheme = "shallow_water", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 8, ny = 8, order = "random", cells = "quads" },
  given = { z = 0, n = 0 }, initial = { h = 1, q = function(x, y) return x > 0.7 and x < 0.85 and y > 0.7 and y < 0.85 and 40 or 0, 0 end },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { stop = 1, step = 0.1 },
  output = { folder = "step_sizes_out", vtu = false },
})
local x, y = tostring(why):match("the next dt comes from .-shallow_water.ew:%d+%) in cell %d+ of the mesh as read, at %(([%d.]+), ([%d.]+)%)")
assert(not ok and x and math.abs(x - 0.8125) < 0.2 and math.abs(y - 0.8125) < 0.2, tostring(why))

-- A step that is fixed is shortened to meet knots of a series, not to what lies between them.
local made = {}
run(case {
  scheme = "heat", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 }, given = { power = 0 }, initial = { T = 1 },
  boundary = { { "left", "held", Tw = series { {0, 1}, {0.005, 1.5}, {0.0081, 0.1}, {1, 1} } }, { {"right", "bottom", "top"}, "insulated" } },
  time = { steps = 7, step = 0.002 }, output = { folder = "step_sizes_out", vtu = false },
  on_step = function(run) made[#made + 1] = run.dt end,
})
for i, size in ipairs { 0.002, 0.0015, 0.0015, 0.00155, 0.00155, 0.002, 0.002 } do expect.near("fixed, with a series, step "..i, made[i], size, 1e-15) end
