-- In every table stands one entry that has no place there.
return case {
  scheme = "plate",
  variants = { "cell" },
  parameters = { 5 },
  mesh = mesh.rectangle { x = {0, 1, to = 2}, y = {0, nil, 1}, nx = 4, ny = 4 },
  given = { power = 0, 5 },
  initial = { T = 1, 3 },
  boundary = {
    { "left", "insulated", x = "right", [true] = 1 },
    { {"right", also = "top"}, "insulated" },
    top = "insulated",
    { "bottom", nil, "insulated" },
  },
  schedule = { "x" },
  time = { stop = 0.01, 5 },
  products = { { name = "most", max = "T" }, b = { name = "least", min = "T" } },
  sections = { { name = "s", points = { {0, 0}, {1, 1, z = 0}, last = {2, 2} }, flux = "1" } },
  output = {
    times = { 0.005, last = 0.01 },
    history = { "dt", also = "dt" },
    probes = { a = { 0.5, 0.5, z = 1 }, { 1, 1 } },
    picture = { { field = "T" }, x = { field = "T", name = "b" } },
    plot = { nil, { field = "T", from = { 0, 0 }, to = { 1, 1 } } },
  },
}
