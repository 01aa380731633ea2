local arg = arguments { load = 1.0 }
return case {
  scheme = "held.ew", name = "a system",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  parameters = { load = arg.load },
  initial = { phi = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "held" } },
  time = { stop = 3 },
  output = { vtu = false, checkpoint = 1e-6 },
}
