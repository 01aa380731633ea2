-- The same in values.
local function f(x, y) return x end
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = {
    a = { 1, 2, x = 3 },
    b = { 1, nil, 3 },
    c = series { {0, 1}, {1, 2}, x = 5 },
    d = series { {0, 1}, {1, 2, x = 5} },
    e = by_region { river = 1, 5 },
    f = by_polygon { { 1, {0, 0}, {1, 0}, {1, 1} }, x = { 2, {0, 0}, {1, 0}, {1, 1} } },
    g = by_polygon { { 1, {0, 0}, {1, 0, x = 2}, {1, 1} }, otherwise = 2 },
    h = level({ 1, z = 2 }),
  },
  boundary = { { {"left", "right", "bottom", "top"}, "held", Tw = { 1, x = 2 } } },
  time = { stop = 0.01 },
}
