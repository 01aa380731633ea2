local arg = arguments { shape = "plane", z = 0.5, x = 0, y = 0, size = 0.25, line = 0 }
local sides = { {"left", "right", "bottom", "top"}, "insulated" }
local domain = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, cells = "quads" }
local output = {
  vtu = false,
  raster = { field = "T", x = {arg.x, arg.x + 1}, y = {arg.y, arg.y + 1}, size = arg.size },
  plot = { field = "T", from = {arg.line, 0.5}, to = {arg.line + 1, 0.5} },
}
if arg.shape == "box" then
  domain = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2, cells = "hexahedra" }
  sides = { {"left", "right", "bottom", "top", "back", "front"}, "insulated" }
  output = { vtu = false,
    picture = { field = "T", z = arg.z },
    plot = { field = "T", from = {0, 0, arg.line}, to = {1, 1, arg.line + 1} } }
end
return case {
  scheme = "heat", parameters = { kappa = 1e-3 }, mesh = domain,
  given = { power = 0 }, initial = { T = 1 }, boundary = { sides }, time = { steps = 1 }, output = output,
}
