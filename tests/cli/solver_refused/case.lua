local arg = arguments { scheme = "carried.ew" }
local heat = arg.scheme == "heat"

return case {
  scheme = arg.scheme,
  parameters = not heat and { b = {1, 0} } or nil,
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = "xy" },
  given = heat and { power = 0 } or nil,
  initial = heat and { T = 1 } or { c = 1 },
  time = { steps = 1 },
  solver = { method = "cg" },
}
