-- A level outside that is lower than the water can fall: below the critical depth, below the bed. The outflow of a pool is then Ritter's,
-- whatever the level, and no water piles up before the fall; at ebb a bay runs dry, and the flood comes back.
local expect = require "expect"
local device = expect.device or "c"
local g, deep = 9.81, 1

local function pool(eta)
  return run(case {
    scheme = "shallow_water", device = device,
    mesh = mesh.rectangle { x = {0, 50}, y = {0, 1}, nx = 100, ny = 2, cells = "quads" },
    given = { z = 0, n = 0 }, initial = { h = deep, q = 0 },
    boundary = { { "right", "level", eta = eta }, { {"left", "bottom", "top"}, "wall" } },
    time = { stop = 12 }, output = { folder = "free_fall_out", vtu = false, fields = { "velocity" }, probes = { edge = {49.9, 0.25} } },
  })
end

local ritter = 8/27*math.sqrt(g)*deep^1.5
local least
for _, eta in ipairs { -5, -0.01, 0, 0.3, 0.44 } do
  local r = pool(eta)
  local out = (50*deep - r:integral("h"))/12
  least = least or out
  expect.near("outflow, level outside "..eta, out, ritter, 0.01*ritter)
  expect.near("the same as of any other", out, least, 1e-3*ritter)
  expect.below("depth before the fall", r:probe("edge", "h"), 0.5)
  expect.below("speed before the fall", r:max("velocity"), 2.2)
end
local held = pool(0.8)
expect.near("a level above critical depth is held", held:probe("edge", "h"), 0.8, 1e-3)

-- ---- a tide over a bay whose bed lies above low water

local r = run(case {
  scheme = "shallow_water", device = device,
  mesh = mesh.rectangle { x = {0, 200}, y = {0, 10}, nx = 40, ny = 2, cells = "quads" },
  given = { z = function(x) return 0.5 - 0.002*x end, n = 0.02 }, initial = { h = function(x) return math.max(0, 1 - 0.5 + 0.002*x) end, q = 0 },
  boundary = { { "right", "level", eta = function(x, y, t) return math.cos(2*math.pi*t/1200) end }, { {"left", "bottom", "top"}, "wall" } },
  time = { stop = 1200 }, output = { folder = "free_fall_out", vtu = false, every = 300, probes = { sea = {198, 2.5} } },
  on_output = function(run)
    local h = run:probe("sea", "h")
    if run.t == 600 then expect.below("low water: depth at the sea", h, 0.1) end
    if run.t == 1200 then expect.near("high water: level at the sea", h + 0.5 - 0.002*197.5, 1, 0.02) end
  end,
})
expect.above("the least depth", r:min("h"), 0)
expect.below("the fastest water at high water", r:max("q"), 1)
