local arg = arguments { periodic = "x" }

return case {
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = arg.periodic ~= "" and arg.periodic or nil },
  given = { power = 0 },
  initial = { T = function(x, y) return x*y end },
  boundary = arg.periodic == "x" and { { {"bottom", "top"}, "insulated" } } or { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.01 },
  output = { vtu = false },
  manifest = "there/plate.json",
}
