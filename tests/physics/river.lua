-- Works of a river: a total discharge that spreads as the boundary conveys it, a weir, a rating curve; wind that sets water up; ground that takes
-- rain up as Green and Ampt say.
local expect = require "expect"
local device = expect.device or "c"
local g = 9.81

local function channel(c)
  c.scheme, c.device = c.scheme or "river", device
  c.mesh = c.mesh or mesh.rectangle { x = {0, 20}, y = {0, 4}, nx = 20, ny = 4, cells = "quads" }
  c.given.n = c.given.n or 0.03
  c.initial = c.initial or { h = 0, q = 0 }
  c.output = { folder = "river_out", vtu = false, probes = { deep = {0.5, 2.1}, shallow = {0.5, 0.2}, first = {1.5, 2}, last = {19.5, 2}, far = {18.5, 2} } }
  return run(case(c))
end
local walls = { {"bottom", "top"}, "wall" }

-- ---- a total discharge, into a dry valley whose middle is deep

local valley = mesh.rectangle { x = {0, 20}, y = {0, 4}, nx = 20, ny = 8, cells = "quads" }
local function section(x, y) return 0.5*math.abs(y - 2) end
local r = channel {
  mesh = valley, given = { z = section },
  boundary = { { "left", "river", discharge = series { {0, 0}, {10, 2}, {20, 2} } }, { {"right", "bottom", "top"}, "wall" } }, time = { stop = 20 },
}
expect.near("all of it came in", r:integral("h"), 10 + 20, 0.15)  -- each step takes the discharge at its beginning
r = channel {
  mesh = valley, given = { z = section },
  boundary = { { "left", "river", discharge = 2 }, { {"right", "bottom", "top"}, "wall" } }, time = { stop = 10 },
}
expect.near("a constant one to rounding errors", r:integral("h"), 20, 1e-10)
local deep, shallow = r:probe("deep", "q"), r:probe("shallow", "q")
expect.above("more of it where it is deep", deep, 1.5*shallow)

r = channel { given = { z = 0 }, initial = { h = 1, q = 0 },
  boundary = { { "left", "river", discharge = 0 }, { {"right", "bottom", "top"}, "wall" } }, time = { steps = 200 } }
expect.below("no discharge: a lake at rest", r:max("q"), 1e-6)
local ok, why = pcall(channel, { given = { z = 0 }, initial = { h = 1, q = 0 },
  boundary = { { "left", "river", discharge = -1 }, { {"right", "bottom", "top"}, "wall" } }, time = { steps = 2 } })
assert(not ok and tostring(why):find("1 problem in the case", 1, true), tostring(why))

-- Faster than its waves (twice, into a dry box) water keeps its places: each metre goes on to bring what it brought at first
r = channel { mesh = mesh.rectangle { x = {0, 20}, y = {0, 10}, nx = 24, ny = 12, jitter = 0.3, seed = 3 }, given = { z = 0, n = 0.0015 },
  boundary = { { "left", "river", discharge = 0.2 }, { "right", "weir", crest = 0.006 }, walls }, time = { stop = 12 } }
local least, most = math.huge, 0
for c, at in ipairs(r:centres()) do
  if at[1] < 1 then
    local q = r:field("q.x")[c]
    least, most = math.min(least, q), math.max(most, q)
  end
end
expect.near("a fast river enters evenly: least over most", least/most, 1, 0.03)

-- ---- what leaves over a weir, and by a rating curve, in the steady state

local Q, width = 2, 4
r = channel { given = { z = 0 }, initial = { h = 1, q = {0.5, 0} },
  boundary = { { "left", "river", discharge = Q }, { "right", "weir", crest = 0.8 }, walls }, time = { stop = 400 } }
local head = ((Q/width)/(2/3*0.64*math.sqrt(2*g)))^(2/3)
expect.near("Poleni's head over a weir", r:probe("last", "h") - 0.8, head, 1e-4)
-- A film of 2 m/s, 0.1 m deep, meets a weir: it piles up there, a jump goes back, and no cell carries more than what comes in and what the jump
-- takes along
r = channel { given = { z = 0, n = 0 }, initial = { h = 0.1, q = {0.2, 0} },
  boundary = { { "left", "torrent", depth = 0.1, discharge = 0.2 }, { "right", "weir", crest = 0 }, walls }, time = { stop = 60 } }
expect.below("fast water before a weir: discharge over what comes", r:max("q.x")/0.2, 1.3)
expect.near("and in the end it all leaves", r:probe("last", "q"), 0.2, 0.02)
r = channel { given = { z = 0, n = 0 }, initial = { h = 1, q = {4, 0} },
  boundary = { { "left", "torrent", depth = 1, discharge = 4 }, { "right", "weir", crest = -1 }, walls }, time = { stop = 60 } }
expect.near("fast water leaves over a low weir as it comes", r:probe("last", "h"), 1, 1e-6)
r = channel { given = { z = 0.1 }, initial = { h = 1, q = {0.5, 0} },
  parameters = { level_1 = 0.1, rated_1 = 0, level_2 = 0.6, rated_2 = 0.3, level_3 = 1.1, rated_3 = 0.7, level_4 = 2, rated_4 = 2 },
  boundary = { { "left", "river", discharge = Q }, { "right", "rating" }, walls }, time = { stop = 400 } }
expect.near("the level at which as much leaves", r:probe("last", "h") + 0.1, 0.6 + 0.5*(0.5 - 0.3)/0.4, 1e-4)

-- ---- wind over a closed basin: g*h*slope = density*drag*W^2

local W = 20
r = channel { scheme = "wind", given = { z = 0, n = 0.1, wind = {W, 0} }, initial = { h = 1, q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { stop = 600 } }
local slope = 0.00125*0.0013*W^2/g
expect.near("set-up by wind, over the exact one", (r:probe("far", "h") - r:probe("first", "h"))/(17*slope), 1, 0.02)

-- ---- Green and Ampt, ponded: K*t = F - S*log(1 + F/S)

local K, S = 1e-5, 0.05
local function soaked(most)
  local r = channel { scheme = "green_ampt", given = { z = 0, rain = 2e-5, conductivity = K, deficit = S }, initial = { h = 0.5, q = 0, soaked = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { stop = 3600, largest = most, first = most } }
  expect.near("what falls is on the ground or in it", r:integral("h") + r:integral("soaked"), 80*(0.5 + 3600*2e-5), 1e-9)
  return r:probe("first", "soaked")
end
local F = soaked(0.5)
expect.near("time to take up as much, over the exact one", (F - S*math.log(1 + F/S))/(K*3600), 1, 2e-3)
local dry = channel { scheme = "green_ampt", given = { z = 0, rain = 0, conductivity = 1, deficit = S }, initial = { h = 0.01, q = 0, soaked = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { steps = 3 } }
expect.near("no more than there is", dry:max("soaked"), 0.01, 1e-15)
expect.near("and then it is dry", dry:max("h"), 0, 0)
