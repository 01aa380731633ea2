local arg = arguments { a = 1, b = 1, name = "x", on = false }
print(string.format("a %g, b %g, name <%s>, on %s", arg.a, arg.b, arg.name, arg.on))
return case {
  scheme = "heat",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, cells = "quads" },
  given = { power = 0 },
  initial = { T = arg.a },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { steps = 1 },
  output = { vtu = false, run_json = false },
}
