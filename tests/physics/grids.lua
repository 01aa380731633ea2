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

-- ---- rules over time -------------------------------------------------------------------------------------------------------------

-- The same formulas by hand: ghosts at the stage's time, fixes at the time at which the assigned value holds.
local function line_by_hand(n, steps)
  local dt, U, F, t = 0.05, {}, {}, 0
  for i = 1, n do U[i] = math.sin(5*(i - 0.5)/n) end
  for i = 1, n + 1 do F[i] = ((i - 1)/n)^2 end
  F[1], F[n + 1] = 0, 0
  local function rates(U, F, t)
    local function u(i)
      return i < 1 and 2*math.cos(t) - U[1 - i] or i > n and -math.cos(t) - U[2*n + 1 - i] or U[i]
    end
    local function f(i) return i < 1 and F[2 - i] or i > n + 1 and F[2*(n + 1) - i] or F[i] end
    local function inside(i) return u(i + 1) - 2*u(i) + u(i - 1) end
    local function l(i) return i < 1 and -inside(1 - i) or i > n and -inside(2*n + 1 - i) or inside(i) end
    local du, df = {}, {}
    for i = 1, n do du[i] = l(i) - 0.1*(l(i + 1) - 2*l(i) + l(i - 1)) + 0.1*(f(i + 1) - f(i)) end
    for i = 1, n + 1 do df[i] = (u(i) - u(i - 1))*f(i - 1) + f(i + 2) end
    return du, df
  end
  local function ahead(part, du, df)
    local V, G = {}, {}
    for i = 1, n do V[i] = U[i] + part*dt*du[i] end
    for i = 2, n do G[i] = F[i] + part*dt*df[i] end
    G[1], G[n + 1] = math.sin(t + part*dt), math.sin(t + part*dt)
    return V, G
  end
  for _ = 1, steps do
    local du, df, V, G = {}, {}, U, F
    for i = 1, n + 1 do du[i], df[i] = 0, 0 end
    for stage, weight in ipairs { 1/6, 1/3, 1/3, 1/6 } do
      local part = ({ 0, 0.5, 0.5, 1 })[stage]
      local a, b = rates(V, G, t + part*dt)
      for i = 1, n do du[i] = du[i] + weight*a[i] end
      for i = 1, n + 1 do df[i] = df[i] + weight*b[i] end
      if stage < 4 then V, G = ahead(({ 0.5, 0.5, 1 })[stage], a, b) end
    end
    U, F = ahead(1, du, df)
    t = t + dt
  end
  return U
end

local line = run(case {
  scheme = "line.ew",
  device = expect.device,
  mesh = mesh.grid { x = {0, 1}, nx = 6 },
  initial = { u = function(x) return math.sin(5*x) end, f = function(x) return x*x end },
  boundary = { { "left", "held" }, { "right", "held", v = -0.5 } },
  time = { steps = 4 },
  output = { folder = "grids_out", vtu = false },
}):field("u")
local off = 0
for i, value in ipairs(line_by_hand(6, 4)) do off = math.max(off, math.abs(value - line[i])) end
expect.below("rules over time in a Runge-Kutta step, against the formulas by hand", off, 1e-14)

-- ---- looking back at an equation with a given in it; a fixed flux -------------------------------------------------------------------

local function rod_by_hand(n, steps)
  local h, dt, k, T = 1/n, 0.001, {}, {}
  for i = 1, n do k[i], T[i] = 1 + (i - 0.5)*h, math.cos(3*(i - 0.5)*h) end
  local function gain(U)
    local q = { [n + 1] = k[n]/h*(U[n] - (2*0.5 - U[n])) }
    for i = 2, n do q[i] = 2*k[i]*k[i-1]/(k[i] + k[i-1])/h*(U[i-1] - U[i]) end
    q[1] = 0
    local g = {}
    for i = 1, n do g[i] = (q[i] - q[i+1])/h end
    return g
  end
  for _ = 1, steps do
    local before, U, V = gain(T), {}, {}
    for i = 1, n do U[i] = T[i] + dt*before[i] end
    local after = gain(U)
    for i = 1, n do V[i] = T[i] + dt/2*(after[i] + before[i]) end
    T = V
  end
  return T
end

for _, form in ipairs { "store", "inline" } do
  local rod = run(case {
    scheme = "two_ends.ew", schedule = { gain = form },
    device = expect.device,
    mesh = mesh.grid { x = {0, 1}, nx = 8 },
    given = { k = function(x) return 1 + x end },
    initial = { T = function(x) return math.cos(3*x) end },
    boundary = { { "left", "insulated" }, { "right", "held", v = 0.5 } },
    time = { steps = 5 },
    output = { folder = "grids_out", vtu = false },
  }):field("T")
  local apart = 0
  for i, value in ipairs(rod_by_hand(8, 5)) do apart = math.max(apart, math.abs(value - rod[i])) end
  expect.below("a rod by Heun's method, gain = " .. form .. ", against the formulas by hand", apart, 1e-14)
end

-- ---- a repeat within a repeat ----------------------------------------------------------------------------------------------------

local nested = run(case {
  scheme = "nested.ew", schedule = { q = "store" },
  device = expect.device,
  mesh = mesh.grid { x = {0, 1}, nx = 4 },
  initial = { a = 0, b = 0, c = 0 },
  boundary = { { {"left", "right"}, "wall" } },
  time = { steps = 1 },
  output = { folder = "grids_out", vtu = false },
})
expect.below("passes within passes", math.abs(nested:field("a")[2] - 2*(1 + math.exp(-4) + math.exp(-16))), 1e-14)
