-- SIMPLE-TS: what does not depend on the observer. A uniform stream stays as it is; walls and gas that all move along a channel
-- differ from those at rest by that motion alone; waves in a stream are the waves at rest, carried along, as the grid is refined;
-- and the flow in a box with its axes exchanged is the same flow.
local expect = require "expect"

local function gas(name, space, time, options)
  options.scheme = "simple_ts"
  options.device = expect.device or "c" -- kernels of many variants: the host compiles faster
  options.variants = { space = space, time = time }
  options.output = { folder = "gas_symmetry_out", vtu = false }
  return run(case(options))
end

local function largest(a, b, shift)
  local worst = 0
  for i = 1, #a do worst = math.max(worst, math.abs(a[i] - b[i] - shift)) end
  return worst
end

-- A stream along a channel with a block in it that moves with the stream: nothing may happen.
local function uniform(space, time)
  local U = 1.7
  local r = gas("uniform", space, time, {
    mesh = mesh.grid { x = {0, 1.9}, nx = 19, y = {0, 1.1}, ny = 11, periodic = "x",
                       solids = { name = "block", x = {0.6, 1.0}, y = {0, 0.3} } },
    parameters = { Kn = 0.02, step_size = 5e-3, tol = 1e-13 },
    initial = { p = 1.3, T = 0.8, u = U, v = 0 },
    boundary = { { {"bottom", "top"}, "wall", w = {U, 0}, T_w = 0.8 }, { "block", "wall", w = {U, 0}, T_w = 0.8 } },
    time = { steps = 20 },
  })
  return math.max(r:max("p") - 1.3, 1.3 - r:min("p"), r:max("T") - 0.8, 0.8 - r:min("T"))
end

-- Shear, heat and a pressure wave across a channel; in the second run the observer moves along it.
local function channel(space, time, U, steps)
  return gas("channel", space, time, {
    mesh = mesh.grid { x = {0, 0.8}, nx = 8, y = {0, 1.2}, ny = 12, periodic = "x" },
    parameters = { Kn = 0.02, step_size = 0.1/steps, tol = 1e-13 },
    initial = {
      p = function(x, y) return 1 + 0.1*math.cos(3*y) end,
      T = 1,
      u = function(x, y) return U + 0.3*math.sin(2*y) end,
      v = 0,
    },
    boundary = { { "bottom", "wall", w = {U, 0}, T_w = 1.2 }, { "top", "wall", w = {U + 0.5, 0} } },
    time = { steps = steps },
  })
end

-- The largest difference of p, T, v and u besides that motion. None where convection is implicit. Explicit, the momentum of a step's
-- beginning leaves with the mass flow of that time, and the mass with that of its end: the difference is of the order of the step.
local function seen_moving(space, time, steps)
  local still, moving, worst = channel(space, time, 0, steps), channel(space, time, 1.5, steps), 0
  for _, field in ipairs { "p", "T", "v", "u" } do
    worst = math.max(worst, largest(moving:field(field), still:field(field), field == "u" and 1.5 or 0))
  end
  return worst
end

-- Waves, periodic both ways, in a stream that carries them half around in the run.
local function waves(space, time, n, U, V)
  local k = 2*math.pi
  return gas("waves", space, time, {
    mesh = mesh.grid { x = {0, 1}, nx = n, y = {0, 1}, ny = n, periodic = "xy" },
    parameters = { Kn = 0.02, step_size = 0.0625/n, tol = 1e-10 },
    initial = {
      p = function(x, y) return 1 + 0.1*math.sin(k*x)*math.cos(k*y) end,
      T = function(x, y) return 1 + 0.05*math.cos(k*(x + y)) end,
      u = function(x, y) return U + 0.2*math.sin(k*x)*math.cos(k*y) end,
      v = function(x, y) return V - 0.2*math.cos(k*x)*math.sin(k*y) end,
    },
    time = { stop = 0.5 },
  }):field("p")
end

local function carried(space, time, n)
  local still, moving, sum = waves(space, time, n, 0, 0), waves(space, time, n, 1, -0.5), 0
  for j = 0, n - 1 do
    for i = 0, n - 1 do -- by n/2 cells to the right, n/4 down
      local from, to = j*n + i + 1, ((j + n - n//4) % n)*n + (i + n//2) % n + 1
      sum = sum + (moving[to] - still[from])^2
    end
  end
  return math.sqrt(sum)/n
end

-- A box with a lid and a block, upright or on its side.
local function box(space, time, turned)
  local function place(a, b) if turned then return b, a end return a, b end
  local nx, ny = place(13, 11)
  local X, Y = place({0, 1.3}, {0, 1.1})
  local block_x, block_y = place({0.3, 0.5}, {0.3, 0.6})
  local lid, speed = (place("top", "right")), 0.5
  local r = gas("box", space, time, {
    mesh = mesh.grid { x = X, nx = nx, y = Y, ny = ny, solids = { name = "block", x = block_x, y = block_y } },
    parameters = { Kn = 0.02, step_size = 5e-3, tol = 1e-13 },
    initial = {
      p = function(x, y) local a, b = place(x, y) return 1 + 0.1*math.cos(3*(a + 2*b)) end,
      T = 1, u = 0, v = 0,
    },
    boundary = {
      { lid, "wall", w = { place(speed, 0) } },
      { { "left", "bottom", "block", (place("right", "top")) }, "wall" },
    },
    time = { steps = 20 },
  })
  return r:field("p"), r:field("T"), r:volumes()
end

local function turned_difference(space, time)
  local p, T, volumes = box(space, time, false)
  local q, S = box(space, time, true)
  local worst = 0
  for j = 0, 10 do
    for i = 0, 12 do
      local here, there = j*13 + i + 1, i*11 + j + 1
      if volumes[here] > 0 then worst = math.max(worst, math.abs(p[here] - q[there]), math.abs(T[here] - S[there])) end
    end
  end
  return worst
end

local least_order = { upwind = 0.55, tvd = 1 }
for _, space in ipairs { "upwind", "tvd" } do
  for _, time in ipairs { "implicit", "explicit" } do
    local name = string.format("%s %s: ", time, space)
    expect.below(name.."uniform stream", uniform(space, time), 1e-13)
    if time == "implicit" then expect.below(name.."moving observer", seen_moving(space, time, 20), 1e-12)
    else
      expect.order(name.."moving observer", { seen_moving(space, time, 20), seen_moving(space, time, 40) }, { 1.2e-3, 6e-4 }, 0.9)
    end
    expect.below(name.."axes exchanged", turned_difference(space, time), 1e-12)
    expect.order(name.."waves carried along, p", { carried(space, time, 16), carried(space, time, 32) }, { 0.015, 0.01 },
      least_order[space])
  end
end
