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

-- ---- holes that are filled, depths below a level, numbers by place, and rasters that a run writes

local function field(c, name)
  c.scheme, c.device, c.boundary, c.time = "shallow_water", expect.device or "c", c.boundary or { { sides, "wall" } }, c.time or { steps = 1 }
  c.given.n = c.given.n or 0
  c.initial = c.initial or { h = level(30), q = 0 }
  c.output = c.output or {}
  c.output.folder, c.output.vtu, c.output.fields = "rasters_out", false, { "z", "n", "h" }
  local got
  c.on_output = function(r) if r.step == 0 then got = r:field(name) end end
  local r = run(case(c))
  return got, r
end

local function cells(x0, x1, y0, y1, n)
  return mesh.rectangle { x = {x0, x1}, y = {y0, y1}, nx = n, ny = n, cells = "quads", order = "none" }
end

expect.near("filled with a number", field({ mesh = cells(0, 0.8, 2.1, 2.9, 1), given = { z = raster { "slope.asc", fill = 9 } } }, "z")[1], 9, 0)
local near = field({ mesh = cells(0, 0.9, 2.1, 2.9, 1), given = { z = raster { "slope.asc", fill = "nearest" } } }, "z")[1]
expect.near("filled with what is nearest", math.min(math.abs(near - 12.5), math.abs(near - 32.5)), 0, 0)
near = field({ mesh = cells(9, 9.2, 0.4, 0.6, 1), given = { z = raster { "slope.asc", fill = "nearest" } } }, "z")[1]
expect.near("far outside", near, 32.5, 0)

local depth, filled = field({ mesh = cells(1.5, 4, 0, 2, 5), given = { z = bed } }, "h")
for i, x in ipairs(filled:centres()) do expect.near("a depth below a level", depth[i], math.max(0, 30 - bed(x[1], x[2])), 1e-13) end
depth, filled = field({ mesh = cells(1.5, 4, 0, 2, 4), given = { z = bed }, initial = { h = level(function(x) return 20 + x end), q = 0 } }, "h")
for i, x in ipairs(filled:centres()) do expect.near("a level that slopes", depth[i], math.max(0, 20 + x[1] - bed(x[1], x[2])), 1e-13) end

local triangle = by_polygon { { 0.03, {0, 0}, {4, 0}, {0, 4} }, { 0.05, {0, 0}, {4, 0}, {4, 2}, {0, 2} }, otherwise = 0.1 }
local rough, r4 = field({ mesh = cells(0, 4, 0, 4, 8), given = { z = 0, n = triangle } }, "n")
for i, x in ipairs(r4:centres()) do
  local inside = x[1] + x[2] < 4 and 0.03 or x[2] < 2 and 0.05 or 0.1
  if math.abs(x[1] + x[2] - 4) > 1e-9 then expect.near("numbers by polygon", rough[i], inside, 0) end
end
local metal, r5 = field({ mesh = mesh.gmsh { file = "two_metals.msh" }, given = { z = 0, n = by_region { steel = 0.02, otherwise = 0.04 } },
  boundary = { { {"left", "right", "sides"}, "wall" } } }, "n")
for i, x in ipairs(r5:centres()) do expect.near("numbers by group", metal[i], x[1] > 1 and 0.02 or 0.04, 0) end

local h, r6 = field({ mesh = cells(0, 4, 0, 2, 4), given = { z = function(x, y) return x*y end }, initial = { h = level(4), q = 0 },
  output = { raster = { { field = "h", size = 0.5 }, { field = "z", size = 0.25, x = {-1, 5}, y = {0, 3}, mask = "h", mask_below = 1 } } } }, "h")
local written, masked = raster "rasters_out/h_0000.asc", raster "rasters_out/z_0000.asc"
for i, x in ipairs(r6:centres()) do
  expect.near("a raster that was written", written(x[1] + 0.25, x[2]), h[i], 1e-8)
  expect.near("its mask", masked(x[1] + 0.125, x[2] + 0.125, -1), h[i] > 1 and 4 - h[i] or -1, 1e-8)
end
expect.near("outside of the mesh there is no data", masked(4.9, 1, -1), -1, 0)

-- ---- a series of a file is the series

local function fills(discharge)
  local _, r = field({ mesh = cells(0, 4, 0, 1, 4), given = { z = 0, n = 0.03 }, initial = { h = 0, q = 0 }, time = { stop = 12 },
    boundary = { { {"right", "bottom", "top"}, "wall" }, { "left", "inflow", discharge = discharge } } }, "h")
  return r:integral("h")
end
local volume = fills(series { {0, 0}, {5, 0.5}, {10, 0.25} })
expect.near("a series of a file", fills(series { file = "hydrograph.csv", column = "Q", scale = 0.5 }), volume, 0)
expect.near("the same with tabs, under a header with blanks", fills(series { file = "hydrograph.txt", scale = 0.5 }), volume, 0)
expect.above("water came in", volume, 3)
