-- Poisson's equation without a held value: phi is open by a constant, which a pin decides. With `sink` 0 more goes in than out.
local given = arguments { method = "cg", field = "phi", x = 0.5, sink = 1, held = 0 }

return case {
  scheme = "poisson",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 16, ny = 16 },
  given = { s = function(x, y) return x - 0.5*given.sink end },
  initial = { phi = 3 },
  boundary = given.held == 1 and { { {"left", "right", "bottom", "top"}, "held", value = 0 } }
    or { { {"left", "right", "bottom", "top"}, "inflow", qn = 0 } },
  solver = { method = given.method, pin = { field = given.field, at = { given.x, 0.25 }, value = 2 } },
  time = { steps = 1 },
  device = "c",
  on_end = function(run)
    print(string.format("%.6f %.6f", run:at("phi", 0.5, 0.25), run:at("phi", 0, 0) - run:at("phi", 1, 0)))
  end,
}
