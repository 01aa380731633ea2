-- A small case with all kinds of output.
return case {
  name = "small", scheme = "warm",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, pattern = "alternating" },
  given = { power = function(x, y, t) return 100*math.sin(1000*t)*x end },
  initial = { T = function(x, y) return x*y end },
  boundary = { { "left", "held", Tw = function(x, y, t) return 1 + y*t end }, { {"right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.1 },
  on_step = os.getenv("SWEEP_STOP") and function(run) if run.step == 6 then run:stop() end end or nil,
  output = {
    every = 0.04, checkpoint = 1e-6,
    picture = { field = "T", size = 20 },
    plot = { field = "T", from = {0, 0.5}, to = {1, 0.5}, samples = 5 },
    probes = { middle = {0.5, 0.5} },
    history = { "dt" },
  },
}
