return case {
  scheme = "heat",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 },
  every = 3,
  time = { steps = 2, probes = {} },
  output = { vtu = false, shorten = false, field = "T" },
}
