-- The flux lives at faces, of which there are more than cells: a hook looks at cells only.
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 2}, nx = 4, ny = 8, cells = "quads" },
  given = { power = 0 },
  initial = { T = function(x, y) return x end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  schedule = { q = "store" },
  time = { steps = 1 },
  output = { vtu = false },
  on_end = function(run) print(run:max("source")) end,
}
