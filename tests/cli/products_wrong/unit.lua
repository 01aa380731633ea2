local c = arguments { name = "warm", first = "T > 300", across = 0.5, flux = "q" }
return case {
  scheme = "heat",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 }, initial = { T = 300 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  products = { { name = c.name, first = c.first } },
  sections = { { name = "line", points = { {c.across, -1}, {c.across, 2} }, flux = c.flux } },
  time = { stop = 0.01 },
}
