-- Linear systems whose numbers are not of the order of one, or known up to a constant: what holds nodes and what the tolerance refers to must not matter.
local expect = require "expect"
local output = { folder = "systems_out", vtu = false, history = { "phi.iterations", "phi.residual" } }

-- A capacitor in SI units: entries of 1e-11 beside nodes that are held at 100 V. Their rows were the identity's, which hid the residual of all others.
for _, eps in ipairs { 8.854e-12, 1, 1e9 } do
  for _, way in ipairs { "jacobi", "multigrid", "none" } do
    local r = run(case {
      scheme = "capacitor", device = expect.device, parameters = { eps = eps },
      mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 12, ny = 9, jitter = 0.2 },
      initial = { phi = 0 }, solver = { preconditioner = way }, time = { steps = 1 }, output = output,
      boundary = { { "left", "plate", value = 100 }, { "right", "plate", value = 0 }, { {"top", "bottom"}, "open" } },
    })
    expect.below(string.format("capacitor, eps %g, %s", eps, way), r:linf("phi", function(x) return 100*(1 - x) end), 1e-6)
  end
end

-- The interpreter takes what is said of the solver, and histories of it, as they are.
local r = run(case {
  scheme = "capacitor", device = "reference", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 3, jitter = 0.2 },
  initial = { phi = 0 }, solver = { preconditioner = "jacobi" }, time = { steps = 1 }, output = output,
  boundary = { { "left", "plate", value = 100 }, { "right", "plate", value = 0 }, { {"top", "bottom"}, "open" } },
})
expect.below("capacitor, reference", r:linf("phi", function(x) return 100*(1 - x) end), 1e-9)
expect.near("its iterations", r:global "phi.iterations", 0, 0)

-- Insulated all around, the mean is the guess's: the diagonal is the sum of the entries by whatever name.
local wave = function(x, y) return math.cos(math.pi*x)*math.cos(math.pi*y) end
local mean = {}
for _, way in ipairs { { "entries", "plain" }, { "couplings", "plain" }, { "entries", "start" } } do
  local r = run(case {
    scheme = "insulated", variants = { diagonal = way[1], entry = way[2] }, device = expect.device,
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 16, ny = 16, jitter = 0.2 },
    given = { s = function(x, y) return 0.01 + 2*math.pi^2*wave(x, y) end }, -- not in balance: the part that no potential has is left out
    initial = { phi = 100, a = 0 }, time = { steps = 1 }, output = output, boundary = { { {"left", "right", "top", "bottom"}, "wall" } },
  })
  mean[#mean + 1] = r:l2("phi", function(x, y) return 100 + wave(x, y) end)
  expect.below("insulated, diagonal of "..way[1]..", "..way[2], mean[#mean], 0.02)
end
expect.near("the same from both diagonals", mean[2], mean[1], 1e-8)
expect.near("and where no normal form is known", mean[3], mean[1], 1e-8)
