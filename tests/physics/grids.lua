-- Schemes on grids: a leapfrog's order on a Yee grid; patterns that are the same on every device and at every place of a periodic
-- plane; Burgers' shock.
local expect = require "expect"
local pi = math.pi

-- ---- a wave in a conducting box ------------------------------------------------------------------------------------------

local function cavity(n)
  local kx, ky = 3*pi/2, 2*pi
  local omega = math.sqrt(kx^2 + ky^2)
  local stop, longest = 1.25*2*pi/omega, 2/n/math.sqrt(2)
  local dt = stop/math.ceil(stop/(0.99*longest))
  local r = run(case {
    scheme = "maxwell_yee",
    device = expect.device,
    mesh = mesh.grid { x = {0, 2}, y = {0, 1}, nx = n, ny = n//2 },
    parameters = { cfl = dt/longest },
    given = { eps = 1 },
    initial = { Hz = function(x, y) return math.cos(kx*x)*math.cos(ky*y)*math.cos(omega*dt/2) end, Ex = 0, Ey = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "conductor" } },
    time = { stop = stop },
    output = { folder = "grids_out", vtu = false },
  })
  return r:l2("Ex", function(x, y, t) return -ky/omega*math.cos(kx*x)*math.sin(ky*y)*math.sin(omega*t) end),
    r:l2("Ey", function(x, y, t) return kx/omega*math.sin(kx*x)*math.cos(ky*y)*math.sin(omega*t) end)
end

local Ex, Ey = {}, {}
for i, n in ipairs { 20, 40, 80 } do Ex[i], Ey[i] = cavity(n) end
expect.order("Yee: Ex", Ex, { 0.022, 0.0055, 0.0014 }, 1.95)
expect.order("Yee: Ey", Ey, { 0.008, 0.002, 0.0005 }, 1.95)

-- ---- patterns -------------------------------------------------------------------------------------------------------------------

local function pattern(device, shift)
  local n, m = 37, 29
  local function drop(x, y)
    x, y = (x - shift) % n, (y - shift) % m
    return math.exp(-((x - 14)^2 + (y - 11)^2)/20)
  end
  local r = run(case {
    scheme = "gray_scott",
    device = device,
    mesh = mesh.grid { x = {0, n}, y = {0, m}, nx = n, ny = m, periodic = "xy" },
    initial = { u = function(x, y) return 1 - drop(x, y)/2 end, v = function(x, y) return drop(x, y)/4 end },
    time = { steps = 200 },
    output = { folder = "grids_out", vtu = false },
  })
  return r:field("v"), n, m
end

local here, n, m = pattern(expect.device, 0)
local moved, host = pattern(expect.device, 9), pattern("c", 0)
local shifted, apart = 0, 0
for j = 0, m - 1 do
  for i = 0, n - 1 do
    local a = here[j*n + i + 1]
    shifted = math.max(shifted, math.abs(a - moved[(j + 9)%m*n + (i + 9)%n + 1]))
    apart = math.max(apart, math.abs(a - host[j*n + i + 1]))
  end
end
expect.below("Gray-Scott: moved across the periodic sides", shifted, 1e-13)
expect.below("Gray-Scott: against the host", apart, 1e-13)

-- ---- a shock ----------------------------------------------------------------------------------------------------------------------

local shock = run(case {
  scheme = "burgers",
  device = expect.device,
  mesh = mesh.grid { x = {0, 1}, nx = 200, ratio = { x = 1.002 } },
  initial = { u = function(x) return x < 0.2 and 1 or 0.25 end },
  boundary = { { "left", "given_value", value = 1 }, { "right", "open" } },
  time = { stop = 0.8 },
  output = { folder = "grids_out", vtu = false },
})
expect.below("Burgers: shock at 0.2 + 0.625 t", shock:l1("u", function(x, t) return x < 0.2 + 0.625*t and 1 or 0.25 end), 0.004)
