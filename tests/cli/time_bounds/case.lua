local arg = arguments { step = 0, first = 0, largest = 0 }
local function given(x) return x > 0 and x or nil end
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3, cells = "quads" },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 3, step = given(arg.step), first = given(arg.first), largest = given(arg.largest) },
  output = { folder = "out", vtu = false },
}
