local a = arguments { solid = "box", ask = 0 }
local where = { x = {0, 6}, nx = 6, y = {0, 5}, ny = 5 }
local inside = function(x, y) return x > 2 and x < 4 and y > 2 and y < 3 end
if a.solid == "box" then where.solids = { { name = "mask", x = {2, 4}, y = {2, 3} } } end
if a.solid == "truth" then where.mask = inside end
if a.solid == "number" then where.mask = function(x, y) return inside(x, y) and 1 or 0 end end
if a.solid == "raster" then where.mask = raster "mask.asc" end
if a.solid == "text" then where.mask = "mask.asc" end
if a.solid == "numbers" then where.mask = 1 end
if a.solid == "fails" then where.mask = function(x, y) return x > 5 and "stone" or 0 end end
if a.solid == "everywhere" then where.mask = function() return true end end
return case {
  name = "mask", scheme = "gray_scott", parameters = { F = 0.037 },
  mesh = mesh.grid(where),
  initial = { u = 1, v = function(x, y) return 0.25*x/(1 + y) end },
  boundary = { { {"left", "right", "bottom", "top", "mask"}, "closed" } },
  time = { steps = 3 },
  output = {
    picture = { field = "v", size = 40, mask = "u", mask_below = 0.9 },
    raster = { field = "v", size = 1, mask = "u", mask_below = 0.9 },
    history = { "dt" },
  },
  on_end = a.ask > 0 and function(run) print(run:at("u", a.ask, 2.5)) end or nil,
}
