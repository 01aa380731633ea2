-- Open water whose level is given: rising over dry land, falling below the bed and coming back, lower than the water can fall, above a torrent that
-- it drowns or that sweeps it away; a torrent drowned by the box that it enters; lakes; boxes with any rules. Random cases of both orders, beside exact solutions where there
-- are some. Nothing explodes, no depth is negative, all water that came is there to 1e-12. More: -D cases=640; of one kind: -D kind=tide.
local expect = require "expect"
local hard = require "hard_meshes"
local arg = arguments { cases = 16, first = 0, kind = "all", steps = 100 } -- steps: of lakes
local device = expect.device or "c"
local random, among, decades = hard.random, hard.among, hard.decades
local g = 9.81

-- ---- A channel of random bearing; `s` runs along it and ends at the sea

local function channel(length, width, n, across)
  local sea = among { "left", "right", "bottom", "top" }
  local along_x = sea == "left" or sea == "right"
  local high = sea == "right" or sea == "top"
  local c = { sea = sea, land = ({ left = "right", right = "left", bottom = "top", top = "bottom" })[sea], length = length, width = width,
              sides = along_x and { "bottom", "top" } or { "left", "right" } }
  function c.s(x, y) local at = along_x and x or y; return high and at or length - at end
  function c.beside(x, y) return along_x and y or x end
  function c.along(q) local v = high and q or -q; return along_x and { v, 0 } or { 0, v } end
  function c.mesh(m)
    m.x, m.y = along_x and { 0, length } or { 0, width }, along_x and { 0, width } or { 0, length }
    m.nx, m.ny = along_x and n or across, along_x and across or n
    return mesh.rectangle(m)
  end
  return c
end

-- Runs it; holds what holds in every case. `scale`: what volumes are measured by.
local function flow(what, scheme, c, scale)
  local start
  c.scheme, c.device = scheme == 1 and "drowned.ew" or "drowned_2.ew", device
  c.initial.entered = 0
  c.output = { folder = "drowned_out", vtu = false, history = { "came" }, fields = { "velocity" }, sample = scale.sample or 1000000, times = scale.times }
  c.on_step = scale.on_step
  c.on_output = function(run)
    start = start or run:integral "h"
    if scale.on_output then scale.on_output(run) end
  end
  local r = run(case(c))
  expect.above(what..": least depth", r:min("h"), -1e-12*math.max(1, scale.depth))
  expect.near(what..": volume, of what came", (r:integral("h") - start - r:global("came"))/scale.volume, 0, 1e-12)
  return r
end

local function bore(h0, h1) return (h0 - h1)*math.sqrt(g/2*(1/h0 + 1/h1)) end   -- the velocity behind it
local function conjugate(h, froude) return h/2*(math.sqrt(1 + 8*froude^2) - 1) end
local function wave(h) return math.sqrt(g*h) end

local kinds = {}

-- A level held before still water or dry land: a bore, or a rarefaction of critical flow with a bore before it, or with a dry front.
function kinds.rises(scheme)
  local h0, dry = decades(-2, 1), random(0, 1) < 0.3
  local h1 = dry and 0 or h0*random(0.01, 0.95)
  local n, c0 = 100, wave(h0)
  local c = channel(100*h0, h0, n, 1)
  local exact
  local limit = scheme == 1 and 0.016 or 0.01
  local u = dry and math.huge or bore(h0, h1)
  if u <= c0 then
    local front = h0*u/(h0 - h1)
    if u > 0.6*c0 then limit = 0.045 end -- what came at first, too much by some cells, stays: u - c is small
    exact = function(v) return v < front and h0 or h1 end
  else
    local low, high = h1, h0 -- the depth behind the bore, from u + 2c = 3 c0
    for _ = 1, 100 do
      local h = (low + high)/2
      if not dry and bore(h, h1) + 2*wave(h) < 3*c0 then low = h else high = h end
    end
    local hm = dry and 0 or low
    local um = 3*c0 - 2*wave(hm)
    local front = dry and 3*c0 or hm*um/(hm - h1)
    exact = function(v) return v <= 0 and h0 or v <= um - wave(hm) and (3*c0 - v)^2/(9*g) or v < front and hm or h1 end
  end
  local what = string.format("rises: %.2g m before %.2g m", h0, h1)
  local r = flow(what, scheme, { mesh = c.mesh { cells = "quads" }, given = { z = 0, n = 0 }, initial = { h = h1, q = 0 },
    boundary = { { c.sea, "level", eta = h0 }, { c.land, "wall" }, { c.sides, "wall" } }, time = { stop = 28*h0/c0 } },
    { depth = h0, volume = h0*c.length*c.width })
  expect.below(what..": depth, mean error", r:l1("h", function(x, y, t) return exact((c.length - c.s(x, y))/t) end)/h0, limit)
  expect.below(what..": fastest water", r:max("velocity")/(3*c0), 1)
end

-- Water that flows out faster than its waves, and a level outside below or above its conjugate depth.
function kinds.torrent(scheme)
  local h, froude, part = decades(-2, 1), random(1.1, 3), among { random(-3, 0.98), random(1.1, 1.6) }
  local u, deep = froude*wave(h), part*conjugate(h, froude)
  local c = channel(100*h, h, 100, 1)
  local stop, exact = 100*h/u, function() return h end
  if part > 1 then
    local back = u - bore(deep, h)
    local speed = (deep*back - h*u)/(deep - h)
    stop = math.min(60*h/-speed, 300*h/u)
    exact = function(x, y, t) return c.s(x, y) > c.length + speed*t and deep or h end
  end
  local what = string.format("torrent: Froude %.2f, level %.2f of conjugate", froude, part)
  local r = flow(what, scheme, { mesh = c.mesh { cells = "quads" }, given = { z = 0, n = 0 }, initial = { h = h, q = c.along(h*u) },
    boundary = { { c.sea, "level", eta = deep }, { c.land, "torrent", depth = h, discharge = h*u }, { c.sides, "wall" } }, time = { stop = stop } },
    { depth = h, volume = h*c.length*c.width })
  expect.below(what..": depth, mean error", r:l1("h", exact)/h, part < 1 and 1e-12 or 0.1*(deep/h - 1))
end

-- A pool whose level outside is lower than it can fall: Ritter's outflow, whatever the level, and no water piles up before it.
function kinds.falls(scheme)
  local h = decades(-2, 1)
  local eta = h*among { random(-5, 0), random(0, 0.42) }
  local c = channel(100*h, h, 100, 1)
  local what = string.format("falls: %.2g m to a level of %.2g m", h, eta)
  local r = flow(what, scheme, { mesh = c.mesh { cells = "quads" }, given = { z = 0, n = 0 }, initial = { h = h, q = 0 },
    boundary = { { c.sea, "level", eta = eta }, { c.land, "wall" }, { c.sides, "wall" } }, time = { stop = 80*h/wave(h) } },
    { depth = h, volume = h*c.length*c.width })
  expect.near(what..": outflow, of Ritter's", -r:global("came")/(c.width*r.t*8/27*h*wave(h)), 1, 0.02)
  expect.below(what..": speed, of critical", r:max("velocity")/(2/3*wave(h)), 1.1)
end

-- A lake over any bed, dry parts too, whose level is that outside on some of its sides.
function kinds.lake(scheme, number)
  local deep, m = decades(-2, 1), hard.square(number, among { "triangles", "quads" })
  local long = m.y[#m.y]
  local function bed(x, y) return deep*(1.5*math.sin(7*x + 1)*math.cos(5*y/long) + hard.noise(number, x, y)) end
  local open, shut = {}, {}
  for _, side in ipairs { "left", "right", "bottom", "top" } do table.insert(random(0, 1) < 0.6 and open or shut, side) end
  local boundary = {}
  if #open > 0 then boundary[1] = { open, "level", eta = deep } end
  if #shut > 0 then boundary[#boundary + 1] = { shut, "wall" } end
  local what = string.format("lake: %.2g m", deep)
  local r = flow(what, scheme, { mesh = m, given = { z = bed, n = random(0, 0.05) }, initial = { h = level(deep), q = 0 }, boundary = boundary,
    time = { steps = arg.steps } }, { depth = deep, volume = deep*long })
  expect.below(what..": moves", r:max("q")/(deep*wave(deep)), 1e-12)
end

-- Sea before land that rises from it: dry or wet at first, levels that jump, fall below the bed and come back; held at last.
function kinds.tide(scheme, number)
  local deep, steep, settles = decades(-1, 1), random(0, 1.5), random(0, 1) < 0.7
  local long = deep*decades(1, 2)
  local rough = settles and math.sqrt(random(1, 4)*deep^(4/3)/(g*long)) or among { 0, random(0.01, 0.04) } -- a wave dies on its way, or does not
  local c = channel(long, long*random(0.05, 0.5), math.floor(random(15, 40)), math.floor(random(2, 6)))
  local lean = random(-0.3, 0.3)
  local function bed(x, y) return deep*steep*(1 - c.s(x, y)/long) + deep*lean*c.beside(x, y)/long end
  local low = deep*math.min(0, lean*c.width/long)
  local pace, eta, knots, t = long/wave(deep), deep*random(-0.5, 1), {}, 0
  local first = random(0, 1) < 0.5 and -deep or eta
  local top = math.max(first, eta)
  knots[1] = { 0, eta }
  for _ = 1, math.floor(random(1, 5)) do
    local jump = random(0, 1) < 0.3
    t = t + pace*random(2, 10)
    if jump then knots[#knots + 1] = { t, eta }; t = t + 1e-3*pace end
    eta = deep*random(-0.5, 1)
    top = math.max(top, eta)
    knots[#knots + 1] = { t, eta }
  end
  eta = deep*random(0.2, 1)
  knots[#knots + 1] = { t + pace, eta }
  top = math.max(top, eta)
  local most, swift, piled = (top - low)^1.5*math.sqrt(g), 0, 0
  local what = string.format("tide: %.2g m of %.2g m, %d knots", deep, long, #knots)
  local r = flow(what, scheme, { mesh = c.mesh { cells = among { "triangles", "quads" }, jitter = random(0, 0.3), seed = number },
    given = { z = bed, n = rough }, initial = { h = level(first), q = 0 },
    boundary = { { c.sea, "level", eta = series(knots) }, { c.land, "wall" }, { c.sides, "wall" } }, time = { stop = t + (settles and 60 or 10)*pace } },
    { depth = deep, volume = deep*c.length*c.width, sample = 5,
      on_step = function(run) swift, piled = math.max(swift, run:max "q"), math.max(piled, run:max "h") end })
  expect.below(what..": carried, of what a head carries", swift/most, 1.25) -- more than 1 where it runs sideways into a corner
  expect.below(what..": deepest", piled/(top - low), 3) -- where a bore is thrown back
  local h, at, off = r:field "h", r:centres(), 0
  for i = 1, settles and #h or 0 do
    local z = bed(at[i][1], at[i][2])
    if z < eta - 0.05*deep then off = math.max(off, math.abs(h[i] + z - eta)) end
  end
  if settles then expect.below(what..": level inside beside that outside", off/deep, 0.02) end
end

-- A torrent down a slope into a sea that drowns its end and leaves it again.
function kinds.slope(scheme)
  local h, froude, rough = decades(-1, 0.5), random(1.3, 2.5), random(0.02, 0.04)
  local u = froude*wave(h)
  local slope = (rough*u/h^(2/3))^2
  local low, high = h*random(-2, 0.9), conjugate(h, froude)*random(1.4, 2.2)
  local fall = high*random(2, 3)
  local n = 60
  local c = channel(fall/slope, h, n, 1)
  local function bed(x, y) return slope*(c.length - c.s(x, y)) end
  local pace = c.length/u
  local what = string.format("slope: Froude %.2f, %.2g m, level %.2g m", froude, h, high)
  local function depth_at(r, part)
    local all, at, best, depth = r:field "h", r:centres(), 1e9, 0
    for i = 1, #all do
      local d = math.abs(c.s(at[i][1], at[i][2]) - part*c.length)
      if d < best then best, depth = d, all[i] end
    end
    return depth
  end
  local times, sea, above = {}, 0, 0 -- a jump swings by a cell and moves the water below it: means are looked at
  for i = 1, 16 do times[i] = (8 + i/4)*pace end
  local r = flow(what, scheme, { mesh = c.mesh { cells = "quads" }, given = { z = bed, n = rough }, initial = { h = h, q = c.along(h*u) },
    boundary = { { c.sea, "level", eta = series { { 0, low }, { pace, low }, { 2*pace, high }, { 12*pace, high }, { 13*pace, low } } },
      { c.land, "torrent", depth = h, discharge = h*u }, { c.sides, "wall" } }, time = { stop = 20*pace } },
    { depth = h, volume = 20*h*c.length*c.width, times = times, on_output = function(run)
      if run.t > 8*pace and run.t < 12.1*pace then sea, above = sea + depth_at(run, 1)/16, above + depth_at(run, 0.2)/16 end
    end })
  expect.near(what..": depth at the sea", (sea + slope*c.length/n/2)/high, 1, 0.03)
  expect.near(what..": depth above", above/h, 1, 0.02)
  expect.near(what..": depth at the sea, swept away", depth_at(r, 1)/h, 1, 0.02)
end

-- A torrent that enters a box, dry or not, which fills above what it can push back; in half of the cases the far side is a level that falls again.
function kinds.fills(scheme)
  local h, froude, opens = decades(-1, 0.5), random(1.6, 4), random(0, 1) < 0.5
  local u = froude*wave(h)
  local deep = conjugate(h, froude)*random(1.2, 3)
  local c = channel(80*h, h, 60, 1)
  local stop = c.length*deep/(h*u)
  local ends, far, still = opens and 6*stop or stop, { c.land, "wall" }, random(0, 1) < 0.5 and 0 or deep/10
  if opens then far[2], far.eta = "level", series { { 0, -h }, { 0.2*stop, deep }, { stop, deep }, { 1.1*stop, -h } } end
  local what = string.format("fills: Froude %.2f, to %.2f of conjugate, %s", froude, deep/conjugate(h, froude), opens and "opens" or "closed")
  local most, swift = 0, 0
  local r = flow(what, scheme, { mesh = c.mesh { cells = "quads" }, given = { z = 0, n = 0 }, initial = { h = still, q = 0 },
    boundary = { { c.sea, "torrent", depth = h, discharge = h*u }, far, { c.sides, "wall" } }, time = { stop = ends } },
    { depth = h, volume = deep*c.length*c.width, sample = 5, on_step = function(run)
      most, swift = math.max(most, run:max "h"), math.max(swift, run:max "q")
    end })
  expect.below(what..": deepest", most/deep, opens and 3 or 2) -- the bore from the level is thrown back where the torrent enters
  expect.below(what..": carried", swift/math.max(h*u, most*wave(most)), 1)
  if opens then expect.below(what..": is a torrent again", r:linf("h", h)/h, 0.02)
  else expect.near(what..": volume, of what was to come", r:integral("h")/(c.width*c.length*(deep + still)), 1, 1e-12) end
end

-- Boxes whose sides obey any rules: still water, water that flows to where it cannot leave, dry ground. Nothing is deeper or carries more than
-- what stands, enters or is thrown back accounts for.
function kinds.open(scheme, number)
  local deep = decades(-1.5, 1)
  local long = random(10, 40)*deep
  local pace = long/wave(deep)
  local m = mesh.rectangle { x = { 0, long }, y = { 0, long*random(0.1, 1) }, nx = math.floor(random(10, 25)), ny = math.floor(random(2, 8)),
    cells = among { "quads", "triangles" }, jitter = random(0, 0.35), seed = number }
  local lean, wavy, phase, width = deep*random(-1, 1), deep*random(-0.5, 0.5), random(0, 6), m.y[2]
  local function bed(x, y) return lean*x/long + wavy*math.sin(5*x/long + phase)*math.cos(7*y/long) end
  local boundary, stands = {}, 3*deep
  for _, side in ipairs { "left", "right", "bottom", "top" } do
    local entry = { side, among { "wall", "level", "inflow", "torrent", "outflow", "outflow" } }
    if entry[2] == "level" then
      entry.eta = series { { 0, deep*random(-1, 2) }, { pace, deep*random(-1, 2) }, { 3*pace, deep*random(-1, 2) } }
    elseif entry[2] == "inflow" then
      entry.discharge = deep*wave(deep)*decades(-2, 0.7)
      stands = math.max(stands, 4*(entry.discharge^2/g)^(1/3))
    elseif entry[2] == "torrent" then
      local froude = random(1.1, 4)
      entry.depth = deep*random(0.1, 0.5)
      entry.discharge = froude*entry.depth*wave(entry.depth)
      stands = math.max(stands, conjugate(entry.depth, froude))
    end
    boundary[#boundary + 1] = entry
  end
  local initial = { h = among { 0, level(deep*random(-0.5, 1.2)) }, q = 0 }
  if random(0, 1) < 0.5 then initial = { h = 0.3*deep, q = { among { -1, 1 }*random(0, 3)*0.3*deep*wave(0.3*deep), 0 } } end
  local most, swift, top = 0, 0, 0
  local what = "open: "..table.concat({ boundary[1][2], boundary[2][2], boundary[3][2], boundary[4][2] }, ", ")
  flow(what, scheme, { mesh = m, given = { z = bed, n = among { 0, random(0.01, 0.05) } }, initial = initial, boundary = boundary, time = { steps = 800 } },
    { depth = deep, volume = 10*deep*long*width, sample = 10, on_step = function(run)
      most, swift, top = math.max(most, run:integral "h"/(long*width)), math.max(swift, run:max "q"), math.max(top, run:max "h")
    end })
  stands = math.max(stands, 2*most) + 2*deep
  expect.below(what..": deepest", top/stands, 1)
  expect.below(what..": carried", swift/(stands*wave(stands)), 1)
end

local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)
for number = arg.first, arg.first + arg.cases - 1 do
  hard.seed(number)
  local kind = arg.kind == "all" and names[1 + number//2 % #names] or arg.kind
  local ok, message = pcall(kinds[kind], 1 + number % 2, number)
  if not ok then error(number..": "..tostring(message), 0) end
end
