local a = arguments { what = "" }
local picture = { surface = { field = "T", surface = "left", z = 0.5, view = {1, 0, 0} }, slice = { field = "T", z = 0.5 } }
return case {
  scheme = "heat", mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2, cells = "hexahedra" },
  given = { power = 0 }, initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top", "back", "front"}, "insulated" } },
  time = { steps = 1 }, output = { picture = picture[a.what], elevation = a.what == "lifted" and "T" or nil },
}
