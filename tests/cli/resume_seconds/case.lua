return case {
  name = "b", scheme = "plate", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, cells = "quads" },
  given = { power = 0 }, initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "top", "bottom"}, "insulated" } }, time = { steps = 12 }, output = { vtu = false, history = "dt" },
  on_step = function(run) if run.step == tonumber(os.getenv("HALT")) then run:stop() end end,
}
