-- Natural convection in a square box at Ra = 1e4: de Vahl Davis's numbers in the limit of fine grids; the same in one windowed kernel,
-- turned by a right angle, and on cells that are finer at the walls; at Ra = 1e5 on cells whose neighbours are up to 28 times as wide.
local expect = require "expect"

local function box(n, more)
  local upright = not more.turned
  local warm, cold, walls = { "left", "held", Tw = 0.5 }, { "right", "held", Tw = -0.5 }, { "bottom", "top" }
  if not upright then warm[1], cold[1], walls = "bottom", "top", { "left", "right" } end
  return run(case {
    scheme = "natural_convection", device = expect.device or more.device or "c", schedule = more.schedule,
    parameters = { step_size = more.step or 0.004, up = upright and {0, 1} or {1, 0}, tol = more.tol, Ra = more.Ra },
    mesh = more.mesh or mesh.grid { x = {0, 1}, nx = n, y = {0, 1}, ny = n, tanh = more.tanh },
    initial = { u = 0, v = 0, p = 0, T = function(x, y) return 0.5 - (upright and x or y) end },
    boundary = { warm, cold, { walls, "insulated" } },
    time = { stop = more.stop or 0.25, unfinished = "stop" },
    output = { folder = "natural_convection_out", vtu = false, history = { "nusselt", "divergence" } },
  })
end

local function limit(coarse, fine) return (4*fine - coarse)/3 end

local nu, speed = {}, {}
for i, n in ipairs { 16, 32 } do
  local r = box(n, {})
  nu[i], speed[i] = r:global("nusselt"), r:max("v")
  expect.below(string.format("%d cells: divergence", n), r:global("divergence"), 1e-3)
end
expect.near("Nusselt number, 32 cells", nu[2], 2.243, 0.03)
expect.near("Nusselt number, fine grids", limit(nu[1], nu[2]), 2.2448, 0.004)
expect.near("greatest v, fine grids", limit(speed[1], speed[2]), 19.62, 0.15)

local stretched = box(16, { tanh = { x = 1.5, y = 1.5 } })
expect.below("Nusselt number, 16 cells, finer at walls", math.abs(stretched:global("nusselt") - 2.2448), 0.7*math.abs(nu[1] - 2.2448))

-- Convection makes no energy and no squares of temperatures: the flow holds on any grid, and what is between the walls' temperatures stays there
local hard = require "hard_meshes"
local worst = 0
for seed = 1, 3 do
  hard.seed(seed)
  local function lines()
    local at = { 0 }
    for i = 1, 10 do at[i + 1] = at[i] + 28^hard.random(0, 1) end
    for i = 1, 11 do at[i] = at[i]/at[11] end
    return at
  end
  local r = box(10, { mesh = mesh.grid { x = lines(), y = lines() }, Ra = 1e5, step = 5e-4, stop = 0.04 })
  worst = math.max(worst, r:max("T"), -r:min("T"))
end
expect.below("uneven cells, Ra = 1e5: greatest temperature", worst, 0.5)

local function apart(a, b) -- of the largest
  local worst, largest = 0, 0
  for i = 1, #b do worst, largest = math.max(worst, math.abs(a[i] - b[i])), math.max(largest, math.abs(b[i])) end
  return worst/largest
end

local plain = box(12, { stop = 0.02, device = "cpu", schedule = { ["grid.window"] = "off" } })
local windowed = box(12, { stop = 0.02, device = "cpu",
                           schedule = { ["grid.window"] = "auto", ["grid.columns"] = 16, ["grid.rows"] = 5 } })
for _, name in ipairs { "u", "v", "p", "T" } do expect.below("windowed: "..name, apart(windowed:field(name), plain:field(name)), 1e-11) end

local turned, mirrored = box(12, { turned = true, stop = 0.02 }), {}
local T = turned:field("T")
for j = 0, 11 do for i = 0, 11 do mirrored[1 + i + 12*j] = T[1 + j + 12*i] end end
expect.below("turned: T", apart(mirrored, plain:field("T")), 1e-9)
