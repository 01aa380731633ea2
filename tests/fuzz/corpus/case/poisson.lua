-- Poisson's equation on nodes with a known solution: -laplace phi = 2 pi^2 sin(pi x) sin(pi y), phi = 0 all around.
local n = arguments { n = 32 }.n

local function exact(x, y) return math.sin(math.pi*x)*math.sin(math.pi*y) end

return case {
  scheme = "poisson",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, jitter = 0.3, seed = 1 },
  given = { s = function(x, y) return 2*math.pi^2*exact(x, y) end },
  initial = { phi = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "held", value = 0 } },
  time = { steps = 1 },
  output = {
    picture = { field = "phi", contours = 8 },
    history = { "phi.iterations", "phi.residual" },
  },
  on_end = function(run)
    print(("error %.3e, %d iterations"):format(run:l2("phi", exact), run:global("phi.iterations")))
  end,
}
