-- Uniform flow on a periodic channel: 0.3 m^3/s through every section across it, also along the seam, from either side.
local a = arguments { cells = "triangles", periodic = true }
local function across(name, x, down) return { name = name, points = down and { {x, 2}, {x, -1} } or { {x, -1}, {x, 2} }, flux = "dot(q[c], normal) + roe.1" } end
return case {
  scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 8, ny = 4, periodic = a.periodic and "x" or nil, cells = a.cells },
  given = { z = 0, n = 0 }, initial = { h = 0.5, q = {0.3, 0} },
  boundary = { { a.periodic and {"bottom", "top"} or {"left", "right", "bottom", "top"}, "wall" } },
  sections = { across("left", 0), across("middle", 1), across("right", 2), across("left_down", 0, true), across("right_down", 2, true) },
  time = { steps = 1 }, output = { vtu = false, history = { "left", "middle", "right", "left_down", "right_down" } },
  on_end = function(run)
    local text = {}
    for i, name in ipairs { "left", "middle", "right", "left_down", "right_down" } do text[i] = ("%.3g"):format(math.abs(run:global(name)) < 1e-12 and 0 or run:global(name)) end
    print(table.concat(text, " "))
  end,
}
