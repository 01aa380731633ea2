local arg = arguments { wrong = false }

return case {
  scheme = "turn.ew",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, periodic = "xy" },
  initial = { u = {1, 3} },
  time = { steps = 1 },
  output = {
    vtu = false,
    fields = arg.wrong and "u.y" or { "u", "stress", "s" },
    probes = { here = {0.3, 0.3}, there = {0.7, 0.7} },
    picture = arg.wrong and { field = "s.1" } or nil,
    probe_fields = arg.wrong and { "u.z", "stress.x", "uu", "s.x", "s.1", "s.y", "s." } or { "u.y", "u", "stress.yx", "stress" },
  },
  on_end = function(run)
    for _, name in ipairs { "u.x", "u.2", "u.z", "s", "s.x", "s.1", "s.y" } do print(name, select(2, pcall(run.max, run, name))) end
  end,
}
