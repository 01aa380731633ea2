-- Ghosts on a grid that are made of another state: what is stored and reads them is not kept when that state changes, whether the
-- next statement reads it or the condition of a repeat.
local expect = require "expect"
local device = expect.device or "c"
local n, steps = 4, 3

-- The scheme by hand: `ghost` gives what lies beyond both ends.
local function of(u, left, right)
  local q = {}
  for i = 1, n do
    local l, r = u[i - 1] or left, u[i + 1] or right
    q[i] = math.sqrt(1 + (r - l)^2)/(1 + u[i]^2)
  end
  return q
end

local a, b, passes = {}, {}, 0
for i = 1, n do a[i], b[i] = 1, i - 0.5 end
for _ = 1, steps do
  local q = of(a, b[1], b[n])
  for i = 1, n do b[i] = b[i] + q[i] end
  q = of(a, b[1], b[n])
  for i = 1, n do a[i] = a[i] + 0.1*((q[i + 1] or 0) + (q[i - 1] or 0) + q[i]) end
  for _ = 1, 5 do
    passes = passes + 1
    for i = 1, n do b[i] = 0.5*b[i] end
    q = of(a, b[1], b[n])
    if math.max(table.unpack(q)) < 0.57 then break end
  end
end

for _, form in ipairs { "inline", "store" } do
  local run = run(case {
    scheme = "tied.ew", device = device, output = { folder = "tied_out", vtu = false },
    schedule = { q = form },
    mesh = mesh.grid { x = {0, n}, nx = n },
    initial = { a = 1, b = function(x) return x end, n = 0 },
    boundary = { { { "left", "right" }, "tied" } },
    time = { steps = steps },
  })
  local seen_a, seen_b, seen_n = run:field("a"), run:field("b"), run:field("n")
  for i = 1, n do
    expect.near(form .. ": passes", seen_n[i], passes, 0)
    expect.near(form .. ": what is tied", seen_a[i], a[i], 1e-14)
    expect.near(form .. ": what it is tied to", seen_b[i], b[i], 1e-14)
  end
end
