-- A matrix that is not symmetric and one that is not definite (k^2 lies between eigenvalues), by the words of schemes.
local arg = arguments { scheme = "carried" }
return case {
  scheme = arg.scheme .. ".ew",
  parameters = arg.scheme == "carried" and { b = {1, 0.5} } or { k = 5 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 12, ny = 12, jitter = 0.2, seed = 1 },
  given = { s = function(x, y) return 1 + x - y^2 end },
  initial = { c = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "free" } },
  time = { steps = 1 },
  device = "c",
  output = { vtu = false },
  on_end = function(run) print(string.format("%.7f %.7f", run:at("c", 0.1, 0.1), run:at("c", 0.7, 0.4))) end,
}
