local a = arguments { z = "holes", n = "pieces", level = "0.75", column = "Q", gate = 3, h = 0 }
local flow = series { file = "flow.csv", column = a.column ~= "" and a.column or nil, scale = 0.25 }
local z = { holes = raster "bed.asc", filled = raster { "bed.asc", fill = 0.5 }, nearest = raster { "bed.asc", fill = "nearest" } }
local n = {
  pieces = by_polygon { { 0.03, {0, 0}, {3, 0}, {3, 4}, {0, 4} } },
  whole = by_polygon { { 0.03, {0, 0}, {3, 0}, {3, 4}, {0, 4} }, otherwise = 0.1 },
  groups = by_region { river = 0.03 },
  bad = by_polygon { 0.03, {0, 0} },
  formula = function(x, y) return 0.03/math.max(0, 4 - x) end,
  fails = function(x, y) if x > 5 then return "rough" end return 0.03 end,
}
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 6}, y = {0, 4}, nx = 6, ny = 4, cells = "quads" },
  given = { z = z[a.z], n = n[a.n] },
  initial = { h = a.h < 0 and a.h or level(tonumber(a.level) or 0.75, a.level == "bed" and "bed" or "z"), q = 0 },
  boundary = { { {"right", "bottom", "top"}, "wall" }, { "left", "inflow", discharge = flow } },
  sections = { { name = "gate", points = { {a.gate, -1}, {a.gate, 5} }, flux = "dot(mean(q), normal)" } },
  time = { steps = 1 },
}
