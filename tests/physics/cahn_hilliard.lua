-- Phase separation on nodes: small waves grow or fade at the rate of the linear theory, of second order in space; mass stays, energy
-- falls at any step, and phases end at c = 1 and -1.
local expect = require "expect"
local pi = math.pi

-- How far off is the rate at which c = cos(k x) grows? Of the semi-implicit step it is k^2 (1 - eps^2 k^2)/(1 + dt stab k^2).
local function error_of_rate(n, k)
  local size, stop, dt, eps = 1e-3, 2e-4, 2e-6, 0.1
  local r = run(case {
    scheme = "cahn_hilliard", device = expect.device,
    parameters = { eps = eps, step_size = dt },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 0.25}, nx = n, ny = n//4, pattern = "alternating" },
    initial = { c = function(x) return size*math.cos(k*x) end },
    boundary = { { {"left", "right", "bottom", "top"}, "closed" } },
    time = { stop = stop },
    output = { folder = "cahn_hilliard_out", vtu = false, history = { "mass", "stab" } },
  })
  local exact = math.log(1 + dt*k^2*(1 - eps^2*k^2)/(1 + dt*r:global("stab")*k^2))/dt
  local weight = r:l2("c", 0)/(size*math.sqrt(0.5))
  expect.below(string.format("%d blocks: mass", n), math.abs(r:global("mass")), 1e-15)
  return math.abs(math.log(weight)/stop - exact)/math.abs(exact)
end

for _, wave in ipairs { { 2, { 0.02, 0.005, 0.00125 } }, { 5, { 0.24, 0.066, 0.017 } } } do
  local errors = {}
  for i, n in ipairs { 16, 32, 64 } do errors[i] = error_of_rate(n, wave[1]*pi) end
  expect.order(string.format("rate of growth, %d half waves", wave[1]), errors, wave[2], 1.8)
end

local energy, gained, lost, start = math.huge, 0, 0, nil
local r = run(case {
  scheme = "cahn_hilliard", device = expect.device,
  parameters = { eps = 0.06, step_size = 2e-3 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 24, ny = 24, jitter = 0.2 },
  initial = { c = function(x, y) return 0.1*math.sin(17*x + 3*y)*math.cos(11*y - 5*x) + 0.1 end },
  boundary = { { {"left", "right", "bottom", "top"}, "closed" } },
  time = { stop = 1 },
  output = { folder = "cahn_hilliard_out", vtu = false, history = { "mass", "energy" } },
  on_step = function(run)
    gained, energy = math.max(gained, run:global("energy") - energy), run:global("energy")
    start = start or run:global("mass")
    lost = math.max(lost, math.abs(run:global("mass") - start))
  end,
})
expect.below("rough mesh, large steps: energy gained in a step", gained, 1e-9)
expect.below("mass lost", lost, 1e-8)
expect.near("greatest c", r:max("c"), 1, 0.05)
expect.near("least c", r:min("c"), -1, 0.05)
