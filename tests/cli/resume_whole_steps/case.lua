local a = arguments { steps = 0, shorten = 0, name = "ra" }
return case {
  scheme = "even_steps.ew", device = "c", mesh = mesh.grid { x = {0, 1}, nx = 2 }, parameters = { length = 1e-4 }, initial = { past = 0 },
  boundary = { { {"left", "right"}, "closed" } },
  time = { stop = 0.3, shorten = a.shorten == 1, },
  on_step = a.steps > 0 and function(run) if run.step == a.steps then run:stop() end end or nil,
  output = { folder = a.name, every = 0.0333, probes = { p = {0.3, 0} } },
}
