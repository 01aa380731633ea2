local function plate(folder, hot)
  return case {
    scheme = "heat",
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, cells = "quads" },
    given = { power = 0 },
    initial = { T = hot },
    boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
    time = { stop = 0.01 },
    output = { vtu = false, run_json = false, folder = folder, probes = { middle = {0.5, 0.5} } },
  }
end
for hot, folder in ipairs { "cold/1", "./warm", "../beside", "/nowhere/hot" } do run(plate(folder, hot)) end
return plate(nil, 5)
