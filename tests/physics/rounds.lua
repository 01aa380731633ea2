-- The same equations integrated once more behind a whole dt begin at the start of the step again: s' = -s + t exp(-t), s(0) = 1, which is
-- exp(-t) (1 + t^2/2). Euler, extrapolated, is of second order; Heun twice from the same start gives the same twice.
local expect = require "expect"

local function errors(n)
  local r = run(case {
    scheme = "rounds.ew", device = expect.device, mesh = mesh.rectangle { x = {0, 1/n}, y = {0, 1}, nx = 1, ny = 1 }, initial = { s = 1, big = 0, other = 1, first = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } }, time = { stop = 1 }, output = { folder = "rounds_out", vtu = false },
  })
  local exact = math.exp(-1)*1.5
  expect.near("two whole ones from the same start", r:min "other", r:min "first", 1e-15)
  return math.abs(r:min "s" - exact), math.abs(r:min "other" - exact)
end

local s, other = {}, {}
for k = 1, 4 do s[k], other[k] = errors(2^(k - 1)) end
expect.order("Richardson", s, {1e-2, 3e-3, 1e-3, 2e-4}, 1.85)
expect.order("Heun", other, {1e-2, 3e-3, 1e-3, 2e-4}, 1.85)
