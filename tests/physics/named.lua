-- An equation or a global that a rule names while it fixes a state at nodes is that of the statement, from the values before and at
-- their time; what stands in the rule itself is of the values and the time that are assigned. By hand, in kernels and in the interpreter.
local expect = require "expect"

local function range(values, nodes) -- inside there is one node
  local inside, least, most
  for i = 1, #values do
    if math.abs(nodes[i][1] - 0.5) + math.abs(nodes[i][2] - 0.5) < 0.1 then inside = values[i]
    else least, most = math.min(least or values[i], values[i]), math.max(most or values[i], values[i]) end
  end
  return inside, least, most
end

for _, device in ipairs { expect.device or "c", "reference" } do
  local r = run(case {
    scheme = "named.ew",
    device = device,
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
    initial = { a = 1, b = 0, c = 1, d = 0, p = 1, f = 0, q = 0 },
    given = { h = function(x, y, t) return t end },
    boundary = { { {"left", "right", "bottom", "top"}, "held" } },
    time = { steps = 1 },
    output = { folder = "named_out", vtu = false },
  })
  local function check(what, field, inside, held)
    local i, least, most = range(r:field(field), r:nodes())
    expect.near(device..": "..what.." inside", i, inside, 1e-12)
    expect.near(device..": "..what.." where it is held, the least", least, held, 1e-12)
    expect.near(device..": "..what.." where it is held, the most", most, held, 1e-12)
  end
  check("fixed to an equation", "a", 2, 4)          -- at the start 2, of the initial values
  check("fixed to globals and t", "b", 0, 2 + 0 + 5)
  check("in a system", "c", 3, 3)                   -- at the start 2
  check("in an integrator", "d", 0.5, 3)            -- 1 at the start, 2 in the second stage
  check("in the second of two updates", "f", 0, 2)
  check("a sum in the rule", "q", 0.5, 0.5)
end
