-- What the language page promises, as numbers that are known.
local function near(what, value, wanted, tolerance)
  print(string.format("%-50s %.12g, wanted %.12g", what, value, wanted))
  if not (math.abs(value - wanted) <= (tolerance or 1e-12)*math.max(1, math.abs(wanted))) then
    error(string.format("%s: %.15g, wanted %.15g", what, value, wanted))
  end
end

local sides, output = { "left", "right", "bottom", "top" }, { vtu = false, run_json = false }
local function with(more) local o = {} for k, v in pairs(output) do o[k] = v end for k, v in pairs(more) do o[k] = v end return o end
local square = { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 }
local function of_time(x, y, t) return t end

-- `add` acts on an equation that is 0 elsewhere: the integral of 4 t over steps of 0.1.
local r = run(case { scheme = "meaning/replaced_load.ew", device = "reference", mesh = mesh.rectangle(square), initial = { T = 0 },
  boundary = { { sides, "source", q = of_time } }, time = { steps = 10 }, output = with { history = "heat" } })
near("heat of a load that a rule adds", r:global("heat"), 1.8)

-- `flux` replaces what is constant inside.
r = run(case { scheme = "meaning/replaced_flux.ew", device = "reference", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, cells = "quads" },
  initial = { T = 1 }, boundary = { { sides, "leak", k = 1 } }, time = { steps = 5 }, output = with { history = "heat" } })
near("heat that leaks through a flux of a rule", r:global("heat"), 0.6^5)

-- An argument that depends on time holds at each stage, as the same formula in the rule does.
local ends = {}
for formula = 0, 1 do
  r = run(case { scheme = "meaning/stages.ew", device = "reference", parameters = { formula = formula, tau = 0.005 }, mesh = mesh.grid { x = {0, 1}, nx = 8 },
    initial = { T = 0 }, boundary = { { {"left", "right"}, "held", Tw = function(x, t) return math.sin(3*t) end } },
    time = { steps = 8 }, output = output })
  ends[formula] = r:field("T")[2]
end
near("argument of time in the stages of rk4", ends[0], ends[1])

-- `fix` holds at the time of the assigned value.
r = run(case { scheme = "meaning/held.ew", device = "reference", mesh = mesh.rectangle(square), initial = { T = 0 },
  boundary = { { sides, "held", Tw = of_time } }, time = { stop = 0.5 }, output = output })
near("held value at the end of a step", r:max("T"), 0.5)

-- [inner] is the value that the inner face is fixed to.
r = run(case { scheme = "meaning/outlet.ew", device = "reference",
  mesh = mesh.grid { x = {0, 6}, nx = 6, y = {0, 3}, ny = 3, solids = { name = "s", x = {3, 5}, y = {1, 2} } },
  initial = { u = 1, p = 2 }, boundary = { { {"left", "bottom", "top", "s"}, "wall" }, { "right", "outlet" } },
  time = { steps = 1 }, output = with { fields = {"uo"} } })
near("outlet behind a wall's face", r:field("uo")[12], 0)
near("outlet of free flow", r:field("uo")[6], 5)

-- Beyond two walls both rules hold, one after the other.
r = run(case { scheme = "meaning/corner.ew", device = "reference", mesh = mesh.grid { x = {0, 4}, nx = 4, y = {0, 4}, ny = 4 },
  initial = { s = 50, r = 0, m = 0 }, boundary = { { sides, "wall" } }, time = { steps = 1 }, output = output })
near("beyond the corner of a grid", r:field("r")[1], 1150)
near("beyond one wall, diagonally", r:field("r")[2], 1050)

-- Beside a solid: fluxes and ghosts of fluxes, by hand.
r = run(case { scheme = "meaning/rib.ew", device = "reference",
  mesh = mesh.grid { x = {0, 8}, nx = 8, y = {0, 4}, ny = 4, solids = { name = "rib", x = {4, 6}, y = {0, 2} } },
  initial = { T = function(x, y) return 1 + 0.1*x*y + 0.3*y*y end },
  boundary = { { {"left", "right", "bottom", "top", "rib"}, "wall" } }, time = { steps = 1 }, output = output })
local function T(x, y) return 1 + 0.1*x*y + 0.3*y*y end
local function q(x, y) local d = T(x, y + 0.5) - T(x, y - 0.5) return d/math.sqrt(1 + d*d) end
-- cell (3, 1): q to the right, half a cell lower, lies in the rib; ways lead there over its side and over its top
near("cell beside a solid", r:field("T")[12], T(3.5, 1.5) + 0.01*((q(3.5, 1) - q(4.5, 3))/2 - q(2.5, 1)))

-- One dt a step: 2*1 + 2*0.1, and not what the doubled state would give.
local function cells(name, initial, steps)
  return run(case { scheme = "meaning/"..name..".ew", device = "reference", mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 1, ny = 1, cells = "quads" },
    initial = initial, boundary = { { sides, name == "tied" and "tied" or "wall" } }, time = { steps = steps or 1 }, output = output })
end
near("dt within a repeat", cells("dt_once", { s = 1 }):field("s")[1], 2.2)
near("repeat behind an integrator of two stages", cells("old_and_stages", { s = 0.5, r = 1 }):field("s")[1], 0.65)

-- The ghost is the new b: four faces, a - b - 1 each.
near("ghost tied to another state", cells("tied", { a = 3, b = 1 }):field("a")[1], 4*(3 - 2))

local function grid(name, options, initial)
  return run(case { scheme = "meaning/"..name..".ew", device = "reference", mesh = mesh.grid(options), initial = initial,
    boundary = { { options.ny and (options.solids and { "left", "right", "bottom", "top", "rib" } or sides) or { "left", "right" }, "wall" } },
    time = { steps = 1 }, output = output })
end
local function plane(x, y) return x + 10*y end
r = grid("corner_fix", { x = {0, 3}, nx = 3, y = {0, 3}, ny = 3 }, { c = plane })
near("corner fixed to the one inside, mean at its cells", r:field("c")[1], (1 + 1 + 11 + 11)/4)
r = grid("thin", { x = {0, 6}, nx = 6, y = {0, 2}, ny = 2, solids = { name = "rib", x = {3, 4}, y = {0, 1} } }, { u = plane, s = 0 })
near("face behind a solid one cell thick", r:field("s")[3], 100)
near("face beside it", r:field("s")[9], plane(4, 1.5))
r = grid("constant", { x = {0, 4}, nx = 4 }, { s = 0, r = function(x) return x end })
near("ghost of a constant, two cells away", r:field("s")[3], 3.5)
near("constant inside", r:field("s")[2], 0.5*0.7^2)
