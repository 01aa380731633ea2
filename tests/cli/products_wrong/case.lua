return case {
  scheme = "heat",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 }, initial = { T = 300 },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  products = {
    { name = "hottest", max = "T", min = "T" },
    { name = "largest flux", max = "T" },
    { name = "warm", duration = "T > 300 [K] -- at last" },
    { name = "none" },
    { name = "hot", longest = "T" },
  },
  sections = { { name = "line", points = { {0.5, 0} }, flux = "q" } },
  time = { stop = 0.1 },
}
