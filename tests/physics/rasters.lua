-- A raster is a value, and a function of place for what a case computes of it: a lake's depth over a terrain, roughness where the file has
-- holes.
local expect = require "expect"
local bed = raster "slope.asc"
local sides = {"left", "right", "bottom", "top"}

expect.near("between four centres", bed(1, 1), 12.5, 1e-14)
expect.near("at a centre", bed(2.5, 0.5), 22.5, 1e-14)
expect.near("a hole that is filled", bed(0.5, 2.5, -3), -3, 0)
expect.near("a hole that is not", bed(2.5, 2.5, -3), 42.5, 1e-13)
expect.near("outside, filled", bed(50, 1, 7), 7, 0)
local ok, why = pcall(bed, 0.5, 2.5)
assert(not ok and tostring(why):find("has no data at (0.5", 1, true), tostring(why))
ok, why = pcall(bed, 50, 1)
assert(not ok and tostring(why):find("covers x from 0 to 4", 1, true), tostring(why))
ok, why = pcall(raster "nowhere.asc", 1, 1)
assert(not ok and tostring(why):find("nowhere.asc", 1, true), tostring(why))

local r = run(case {
  scheme = "shallow_water", device = expect.device or "c",
  mesh = mesh.rectangle { x = {1.5, 4}, y = {0, 2}, nx = 12, ny = 8, cells = "quads" }, given = { z = bed, n = 0 },
  initial = { h = function(x, y) return math.max(0, 30 - bed(x, y)) end, q = 0 }, boundary = { { sides, "wall" } },
  time = { steps = 20 }, output = { folder = "rasters_out", vtu = false },
})
expect.below("a lake over it stays at rest", r:max("q"), 1e-12)
expect.above("it is deep", r:max("h"), 15)
