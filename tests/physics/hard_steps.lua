-- The steps of the shipped explicit schemes on hard meshes: boxes stretched up to 1:1000 with grid lines at random distances, triangles and
-- tetrahedra jittered to slivers, starts from rest and jumps. None explodes, what has a maximum principle keeps it, and what is conserved is, to
-- 1e-12. All kinds: -D cases=200; of one: -D kind=heat.
local expect = require "expect"
local arg = arguments { cases = 10, first = 0, steps = 100, kind = "all" }
local device = expect.device or "c"

local random -- of the case: uniform in [a, b)
local function seed(n)
  local state = (n*7919 + 104729) % 2147483647
  function random(a, b)
    state = state*48271 % 2147483647
    return a + (b - a)*state/2147483647
  end
  for _ = 1, 5 do random(0, 1) end
end
local function among(list) return list[1 + math.floor(random(0, #list))] end
local function decades(a, b) return 10^random(a, b) end
local function tenths(value) return string.format("%.2g", value) end

-- n + 1 grid lines from 0 to `length`, each distance up to `spread` times another
local function lines(length, n, spread)
  local at, sum = { 0 }, 0
  for i = 1, n do
    sum = sum + decades(0, spread)
    at[i + 1] = sum
  end
  for i = 1, n + 1 do at[i] = at[i]/sum*length end
  return at
end

local function square(number, cells)
  local stretch, spread = decades(0, 3), among { 0, 0.5, 1.5 }
  return mesh.rectangle {
    x = lines(1, math.floor(random(6, 14)), spread), y = lines(stretch, math.floor(random(6, 14)), spread),
    jitter = random(0, 0.45), pattern = among { "right", "alternating" }, cells = cells, seed = number,
  }, string.format("1 by %s m", tenths(stretch))
end

local function box(number)
  local b, c, spread = decades(-1.5, 1.5), decades(-1.5, 1.5), among { 0, 0.5, 1 }
  return mesh.box {
    x = lines(1, 5, spread), y = lines(b, 5, spread), z = lines(c, 5, spread), jitter = random(0, 0.3), seed = number,
  }, string.format("1 by %s by %s m", tenths(b), tenths(c))
end
local function any(number) if random(0, 1) < 0.5 then return square(number) else return box(number) end end

local function sides(m, first)
  local all = { first }
  for _, name in ipairs(m.z and { "left", "right", "bottom", "top", "back", "front" } or { "left", "right", "bottom", "top" }) do
    if name ~= first then all[#all + 1] = name end
  end
  return all
end

local function quiet() return { folder = "hard_steps_out", vtu = false } end
local function steps(t) return { steps = t or arg.steps } end
local kinds = {}
local function largest(r, field) return math.max(r:max(field), -r:min(field)) end
-- `left` obeys a rule; all other sides
local function held(m, rule, values)
  local others = sides(m, "left")
  table.remove(others, 1)
  local entry = { "left", rule }
  for name, value in pairs(values) do entry[name] = value end
  return entry, others
end

function kinds.heat(number)
  local m, what = any(number)
  local on, others = held(m, "held", { Tw = 1 })
  local r = run(case { scheme = "heat", device = device, mesh = m, parameters = { kappa = decades(-6, 2) }, given = { power = 0 },
    initial = { T = 0 }, boundary = { on, { others, "insulated" } }, time = steps(), output = quiet() })
  expect.above(number..": heat, "..what..": least", r:min("T"), -1)
  return "heat, "..what, r:max("T"), 2
end

function kinds.convection_diffusion(number)
  local m, what = any(number)
  local enters, leaves = m.z and { "left", "bottom", "back" } or { "left", "bottom" }, m.z and { "right", "top", "front" } or { "right", "top" }
  local kappa, U = decades(-6, -2), decades(-1, 1)
  local r = run(case { scheme = "convection_diffusion", device = device, mesh = m, parameters = { kappa = kappa },
    given = { a = m.z and { U, U*random(0, 1), U*random(0, 1) } or { U, U*random(0, 1) } }, initial = { phi = 0 },
    boundary = { { enters, "held", value = 1 }, { leaves, "open" } }, time = steps(), output = quiet() })
  return string.format("convection_diffusion, %s, kappa %.1e", what, kappa), largest(r, "phi"), 3
end

function kinds.anisotropic_diffusion(number)
  local m, what = any(number)
  local on, others = held(m, "held", { value = 1 })
  local a, b = random(0, math.pi), random(-1, 1)
  local fibre = m.z and { math.cos(a)*math.sqrt(1 - b*b), math.sin(a)*math.sqrt(1 - b*b), b } or { math.cos(a), math.sin(a) }
  local r = run(case { scheme = "anisotropic_diffusion", device = device, mesh = m, parameters = { k_cross = decades(-4, 0) },
    given = { fibre = fibre }, initial = { u = 0 }, boundary = { on, { others, "insulated" } }, time = steps(), output = quiet() })
  return "anisotropic_diffusion, "..what, largest(r, "u"), 3
end

function kinds.acoustics(number)
  local m, what = any(number)
  local r = run(case { scheme = "acoustics", device = device, mesh = m, initial = { p = function(x) return x < 0.5 and 1 or 0 end, u = 0 },
    boundary = { { sides(m, "left"), "hard" } }, time = steps(), output = quiet() })
  return "acoustics, "..what, largest(r, "p"), 2
end

function kinds.advection(number)
  local m, what = any(number)
  local U = decades(-2, 2)
  local a = m.z and { U, U*random(-1, 1), U*random(-1, 1) } or { U, U*random(-1, 1) }
  local r = run(case { scheme = "advection", device = device, mesh = m, given = { a = a }, initial = { s = 0 },
    boundary = { { sides(m, "left"), "inflow", value = 1 } }, time = steps(), output = quiet() })
  expect.above(number..": advection, "..what..": least", r:min("s"), -1e-12)
  return "advection, "..what, r:max("s"), 1 + 1e-6
end

function kinds.euler_hllc(number)
  local m, what = any(number)
  local ratio = decades(0, 4)
  local r = run(case { scheme = "euler_hllc", device = device, mesh = m,
    initial = { rho = 1, m = 0, E = function(x) return x < 0.5 and 2.5*ratio or 2.5 end },
    boundary = { { sides(m, "left"), "wall" } }, time = steps(), output = quiet() })
  local volume = 0
  for _, v in ipairs(r:volumes()) do volume = volume + v end
  expect.near(number..": euler_hllc, "..what..": mass", r:integral("rho")/volume, 1, 1e-12)
  return string.format("euler_hllc, %s, pressures 1:%s", what, tenths(ratio)), r:max("E")/(2.5*ratio), 2
end

local robust = { convection = "skew", pressure_tau = "one" }
function kinds.edge_navier_stokes(number)
  local m, what = any(number)
  local nu, U = decades(-6, -2), decades(-1, 1)
  local all = sides(m, "top")
  table.remove(all, 1)
  local along = m.z and { U, 0, 0 } or { U, 0 }
  local r = run(case { scheme = "edge_navier_stokes", device = device, mesh = m, parameters = { nu = nu }, variants = robust,
    given = { b = 0 }, initial = { u = 0, p = 0 }, boundary = { { all, "fixed", U = 0 }, { "top", "fixed", U = along } },
    time = steps(), output = quiet() })
  return string.format("lid, %s, nu %.1e", what, nu), largest(r, "u.x")/U, 3
end

function kinds.navier_stokes_inflow(number)
  local m, what = any(number)
  local nu, U = decades(-6, -2), decades(-1, 1)
  local entry, others = { "left", "fixed", U = m.z and { U, 0, 0 } or { U, 0 } }, {}
  for _, name in ipairs(sides(m, "left")) do if name ~= "left" and name ~= "right" then others[#others + 1] = name end end
  local r = run(case { scheme = "edge_navier_stokes", device = device, mesh = m, parameters = { nu = nu }, variants = robust,
    given = { b = 0 }, initial = { u = 0, p = 0 }, boundary = { entry, { others, "slip" }, { "right", "open" } },
    time = steps(), output = quiet() })
  return string.format("inflow, %s, nu %.1e", what, nu), largest(r, "u.x")/U, 3
end

local function water(scheme)
  return function(number)
    local m, what = square(number, among { "triangles", "quads" })
    local depth, before = decades(-3, 1), 0
    local given = { n = random(0, 0.06), z = function(x, y) return x > 0.7 and depth*0.6 or 0 end }
    local r = run(case { scheme = scheme, device = device, mesh = m, given = given,
      initial = { h = function(x) return x < 0.4 and depth or 0 end, q = 0 },
      boundary = { { sides(m, "left"), "wall" } }, time = steps(), output = quiet(),
      on_step = function(run) if run.step == 1 then before = run:integral("h") end end })
    expect.above(number..": "..scheme..", "..what..": least depth", r:min("h"), -1e-12*depth)
    expect.near(number..": "..scheme..", "..what..": volume", r:integral("h")/before, 1, 1e-12)
    return scheme..", "..what, largest(r, "q.x")/(depth*math.sqrt(9.81*depth)), 2
  end
end
kinds.shallow_water, kinds.shallow_water_2 = water("shallow_water"), water("shallow_water_2")

local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)
for number = arg.first, arg.first + arg.cases - 1 do
  seed(number)
  local kind = arg.kind == "all" and names[1 + number % #names] or arg.kind
  local what, value, limit = kinds[kind](number)
  expect.below(number..": "..what, value, limit)
end
