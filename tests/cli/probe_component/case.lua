local arg = arguments { wrong = false }

return case {
  scheme = "turn.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, periodic = "xy" },
  initial = { u = {1, 3} },
  time = { steps = 1 },
  output = {
    vtu = false,
    fields = arg.wrong and "u.y" or nil,
    probes = { here = {0.3, 0.3}, there = {0.7, 0.7} },
    probe_fields = arg.wrong and { "u.z", "stress.x", "uu" } or { "u.y", "u", "stress.yx", "stress" },
  },
}
