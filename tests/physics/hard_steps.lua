-- The steps of the shipped explicit schemes on hard meshes and grids (hard_meshes.lua), starts from rest and jumps. None explodes, what has a
-- maximum principle keeps it, and what is conserved is, to 1e-12. All kinds: -D cases=200; of one: -D kind=heat; with -D sheared=N on the files
-- sheared_1.msh to sheared_N.msh too, which hard_steps.sh makes.
local expect = require "expect"
local hard = require "hard_meshes"
local arg = arguments { cases = 10, first = 0, steps = 100, kind = "all", sheared = 0 }
local device = expect.device or "c"

local random, among, decades, tenths, square, any = hard.random, hard.among, hard.decades, hard.tenths, hard.square, hard.any
hard.sheared_files = arg.sheared

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

-- `turn`: by how much fibres of neighbours differ at most
local function fibres(number, form, turn)
  local m, what = any(number)
  local on, others = held(m, "held", { value = 1 })
  local a, b = random(0, math.pi), random(-1, 1)
  local function plane(x, y)
    local phi = a + turn*hard.noise(1, x, y)
    return math.cos(phi), math.sin(phi)
  end
  local function spatial(x, y, z)
    local phi, psi = a + turn*hard.noise(1, x, y, z), b + turn*hard.noise(2, x, y, z)
    return math.cos(phi)*math.cos(psi), math.sin(phi)*math.cos(psi), math.sin(psi)
  end
  local solid = what:find "by.*by"
  local r = run(case { scheme = "anisotropic_diffusion", device = device, mesh = m, variants = { form = form },
    parameters = { k_cross = decades(-4, 0) }, given = { fibre = solid and spatial or plane },
    initial = { u = solid and function(x, y, z) return hard.noise(9, x, y, z) end or function(x, y) return hard.noise(9, x, y) end },
    boundary = { on, { others, "insulated" } }, time = steps(), output = quiet() })
  return string.format("anisotropic_diffusion, %s, fibres turn by %.2g, %s", form, turn, what), largest(r, "u"), form == "nodal" and 1.5 or 3
end
function kinds.anisotropic_diffusion(number) return fibres(number, "compact", 0) end
function kinds.turning_fibres(number) return fibres(number, "nodal", decades(-1.5, 1)) end

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
  return "advection, "..what, r:max("s"), 1 + 1e-12
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
  return string.format("inflow, %s, nu %.1e", what, nu), largest(r, "u.x")/U, 5 -- a sheared channel turns it round a sharp corner
end

-- Water breaks loose. A head H above the lowest ground carries at most (2/3 H)^(3/2) sqrt(g) over each metre (Belanger): the head is that of what stands
-- somewhere, at the start or at last, or of what enters.
local g = 9.81
local function head(r, ground)
  local most, at, h = 0, r:centres(), r:field "h"
  for c = 1, #h do
    if h[c] > 1e-6 then most = math.max(most, h[c] + ground(at[c][1])) end
  end
  return most
end
local function swiftest(r)
  local most, x, y = 0, r:field "q.x", r:field "q.y"
  for c = 1, #x do most = math.max(most, math.sqrt(x[c]^2 + y[c]^2)) end
  return most
end
local function water(scheme, more)
  return function(number)
    local m, what = square(number, among { "triangles", "quads" })
    local depth, before = decades(-3, 1), nil
    local special = more and more(depth, m) or {}
    local function step(x) return x > 0.7 and depth*0.6 or 0 end
    local given, initial = special.given or {}, special.initial or {}
    given.n = random(0, 0.06)
    if not initial.z then given.z = step else initial.z = step end
    initial.h, initial.q = initial.h or function(x) return x < 0.4 and depth or 0 end, 0
    local r = run(case { scheme = scheme, device = device, mesh = m, given = given, initial = initial,
      boundary = special.boundary or { { sides(m, "left"), "wall" } }, time = steps(), output = quiet(),
      on_step = function(run) before = before or run:integral("h") end })
    expect.above(number..": "..scheme..", "..what..": least depth", r:min("h"), -1e-12*depth)
    if not special.open then expect.near(number..": "..scheme..", "..what..": volume", r:integral("h")/before, 1, 1e-12) end
    local H = math.max(head(r, step), initial.h == 0 and 1e-6 or depth, special.head or 0)
    local carried = (2/3*H)^1.5*math.sqrt(g) + (special.gains or 0)*r.t
    return scheme..", "..what, swiftest(r)/carried, scheme == "shallow_water_2" and 1.5 or 1 -- second order: more before a step of one row, while water begins to pile up there
  end
end
kinds.shallow_water, kinds.shallow_water_2, kinds.coriolis = water "shallow_water", water "shallow_water_2", water "coriolis"
kinds.wind = water("wind", function()
  local x, y = decades(-1, 1.5), decades(-1, 1.5)
  return { given = { wind = { x, y } }, gains = 0.00125*0.0013*(x^2 + y^2) } -- its stress, over the density of water
end)
kinds.exner = water("exner", function() return { initial = { z = true } } end)
kinds.tracer = water("tracer", function(d) return { initial = { m = function(x) return x < 0.3 and d or 0 end } } end)
kinds.rain = water("rain", function(d)
  return { given = { rain = d*decades(-3, 0), soaks = d*decades(-4, -1) }, initial = { h = 0 }, open = true }
end)
kinds.green_ampt = water("green_ampt", function(d)
  return { given = { rain = d*decades(-3, 0), conductivity = d*decades(-4, 0), deficit = d*decades(-2, 1) }, initial = { h = 0, soaked = 0 }, open = true }
end)
kinds.river = water("river", function(d, m)
  local discharge = decades(-3, 1)
  local enters = (discharge/m.y[#m.y])^(2/3)/(4*g)^(1/3) -- what enters a dry box is twice as fast as its waves: a head of three such depths
  return { initial = { h = 0 }, open = true, boundary = { { "left", "river", discharge = discharge }, { {"bottom", "top"}, "wall" },
    { "right", "weir", crest = 0.7*d } }, head = 3*enters }
end)

local function run_on(c)
  c.device, c.time, c.output = device, steps(c.time), quiet()
  return run(case(c))
end
require "hard_grids" (kinds, hard, run_on, largest)

local names = {}
for name in pairs(kinds) do names[#names + 1] = name end
table.sort(names)
for number = arg.first, arg.first + arg.cases - 1 do
  hard.seed(number)
  local kind = arg.kind == "all" and names[1 + number % #names] or arg.kind
  local what, value, limit = kinds[kind](number)
  expect.below(number..": "..what, value, limit)
end
