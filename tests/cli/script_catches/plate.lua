return function(folder, on_step)
  return case {
    scheme = "plate",
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
    given = { power = 0 },
    initial = { T = 1 },
    boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
    time = { stop = 1e9 },
    device = "reference",
    output = { folder = folder, history = "heat", vtu = false },
    on_step = on_step,
  }
end
