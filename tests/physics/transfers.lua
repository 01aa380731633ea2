-- What goes between host and device in a step: a few scalars, as many on a fine mesh as on a coarse one, whatever the step consists of.
-- Counted between the 6th step and the 18th, as multigrid looks at the first matrix. A solve tells the residual of each iteration; one
-- field of the finest meshes here has 7 kB and more.
local expect = require "expect"

local function counts(make, n, steps)
  local one = make(n)
  one.device, one.time = expect.device, { steps = steps }
  one.output = { folder = "transfers_out", vtu = false }
  run(case(one))
  local file = assert(io.open("transfers_out/run.json"))
  local text = file:read "a"
  file:close()
  local function count(key) return tonumber(text:match('"'..key..'":%s*(%d+)')) end
  return count "transfers_in_steps", count "transfer_bytes_in_steps"
end

local function check(what, make, coarse, fine)
  for _, n in ipairs { coarse, fine } do
    local early, early_bytes = counts(make, n, 6)
    local late, late_bytes = counts(make, n, 18)
    expect.above(what..": transfers a step", (late - early)/12, 0.05)
    expect.below(what..": transfers a step", (late - early)/12, 40)
    expect.below(what..": bytes a transfer", (late_bytes - early_bytes)/(late - early), 1000)
  end
end

local function square(n) return mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, jitter = 0.2 } end
local function bump(x, y) return math.exp(-20*((x - 0.5)^2 + (y - 0.5)^2)) end
local sides = {"left", "right", "bottom", "top"}

check("cells", function(n)
  return {
    scheme = "shallow_water",
    mesh = square(n),
    given = { z = 0, n = 0 },
    initial = { h = function(x, y) return 1 + bump(x, y) end, q = {0, 0} },
    boundary = { { sides, "wall" } },
  }
end, 10, 40)

check("grid, iterated", function(n)
  return {
    scheme = "simple_ts",
    mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = n, ny = n },
    parameters = { Kn = 0.05, step_size = 0.02/n },
    initial = { p = function(x, y) return 1 + 0.1*bump(x, y) end, T = 1, u = 0, v = 0 },
    boundary = { { sides, "wall" } },
  }
end, 10, 30)

for _, preconditioner in ipairs { "jacobi", "chebyshev", "multigrid" } do
  check("nodes, "..preconditioner, function(n)
    return {
      scheme = "edge_navier_stokes",
      mesh = square(n),
      parameters = { nu = 0.01 },
      given = { b = {0, 0} },
      initial = { u = {0, 0}, p = 0 },
      boundary = { { {"left", "right", "bottom"}, "fixed", U = {0, 0} }, { "top", "fixed", U = {1, 0} } },
      solver = { preconditioner = preconditioner },
    }
  end, 10, 40)
end
