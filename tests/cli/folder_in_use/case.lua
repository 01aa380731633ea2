local a = arguments { kappa = 1, Tw = 1, stop = 0.02, every = 0.005, checkpoint = 1e-6, nx = 6, slow = -1 }
return case {
  name = "b", scheme = "heat",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = a.nx, ny = 6 },
  parameters = { kappa = a.kappa },
  given = { power = 0 },
  initial = { T = function(x, y) return x*y end },
  boundary = { { {"left", "right"}, "held", Tw = a.Tw }, { {"bottom", "top"}, "insulated" } },
  time = { stop = a.stop, look = 1 },
  output = { every = a.every, checkpoint = a.checkpoint, history = "dt" },
  on_output = function(run, number)
    if number == a.slow then while true do end end
  end,
}
