-- What is followed at every point while a run goes on - largest values, times, durations, integrals, discharges through sections - is what a
-- hook finds that looks at every step; on cells, nodes and grids.
local expect = require "expect"
local device = expect.device or "c"
local sides = {"left", "right", "bottom", "top"}

-- ---- against a hook that sees every step

-- `c` is a case with products of the formula's field `f` and of the condition f > level; the hook computes them anew.
local function follow(what, c, f, level)
  local n, seen = 0, nil
  local function look(r)
    local now = r:field(f)
    if not seen then
      n = #now
      seen = { t = 0, largest = {}, least = {}, when = {}, first = {}, lasted = {}, total = {}, value = now }
      for i = 1, n do
        seen.largest[i], seen.least[i], seen.when[i] = now[i], now[i], 0
        seen.first[i], seen.lasted[i], seen.total[i] = now[i] > level and 0 or -1, 0, 0
      end
      return
    end
    local dt = r.t - seen.t
    for i = 1, n do
      seen.lasted[i] = seen.lasted[i] + (seen.value[i] > level and dt or 0)
      seen.total[i] = seen.total[i] + dt*seen.value[i]
      if now[i] > seen.largest[i] then seen.largest[i], seen.when[i] = now[i], r.t end
      seen.least[i] = math.min(seen.least[i], now[i])
      if seen.first[i] < 0 and now[i] > level then seen.first[i] = r.t end
    end
    seen.t, seen.value = r.t, now
  end
  c.device = device
  c.on_output = function(r) if r.step == 0 then look(r) end end
  c.on_step = look
  c.on_end = function(r)
    for name, key in pairs { top = "largest", low = "least", peak = "when", came = "first", wet = "lasted", total = "total" } do
      local worst, got = 0, r:field(name)
      for i = 1, n do worst = math.max(worst, math.abs(got[i] - seen[key][i])) end
      expect.near(what..": "..key, worst, 0, 1e-13)
    end
    local mean, worst = r:field("mid"), 0
    for i = 1, n do worst = math.max(worst, math.abs(mean[i] - seen.total[i]/r.t)) end
    expect.near(what..": mean", worst, 0, 1e-13)
    local varied = 0
    for i = 1, n do varied = varied + (seen.when[i] > 0 and seen.when[i] < r.t and 1 or 0) end
    expect.near(what..": some peaks lie within the run", varied > 0 and 1 or 0, 1, 0)
  end
  run(case(c))
end

local function products(formula, condition, at)
  return {
    { name = "top", max = formula, at = at }, { name = "low", min = formula, at = at }, { name = "peak", when_max = formula, at = at },
    { name = "came", first = condition, at = at }, { name = "wet", duration = condition, at = at },
    { name = "total", integral = formula, at = at }, { name = "mid", mean = formula, at = at },
  }
end

follow("cells", {
  scheme = "shallow_water", mesh = mesh.rectangle { x = {0, 4}, y = {0, 1}, nx = 16, ny = 4 },
  given = { z = 0, n = 0.02 }, initial = { h = function(x) return x < 1 and 1 or 0 end, q = 0 },
  boundary = { { sides, "wall" } }, time = { stop = 2 }, output = { folder = "products_out", every = 0.3 },
  products = products("h", "h > 0.2 [m]"),
}, "h", 0.2)
follow("nodes", {
  scheme = "convection_diffusion", parameters = { kappa = 0.001 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 12, ny = 12 }, given = { a = {1, 0.5} },
  initial = { phi = function(x, y) return math.exp(-40*((x - 0.3)^2 + (y - 0.4)^2)) end }, boundary = { { sides, "open" } },
  time = { stop = 0.4 }, output = { folder = "products_out" }, products = products("phi", "phi > 0.3", "nodes"),
}, "phi", 0.3)
follow("grid", {
  scheme = "gray_scott", mesh = mesh.grid { x = {0, 8}, y = {0, 8}, nx = 8, ny = 8, periodic = "xy" },
  initial = { u = function(x, y) return 1 - 0.005*x*y end, v = function(x, y) return 0.5*math.sin(x + 0.3*y)^2 end },
  time = { steps = 40 }, output = { folder = "products_out" }, products = products("v", "v > 0.2"),
}, "v", 0.2)

-- ---- sections

-- A line from bank to bank: what flows through it is what the water on one side loses, on any mesh, straight or bent, however it is drawn;
-- and lines that are drawn the other way count the other way.
local function behind(line, cells)
  local flux = { shallow_water = "dot(q[c], normal) + roe.1", shallow_water_2 = "hllc.1" }
  for scheme, formula in pairs(flux) do
    local before, left, right, r
    r = run(case {
      scheme = scheme, device = device,
      mesh = mesh.rectangle { x = {0, 4}, y = {0, 1}, nx = 20, ny = 7, jitter = 0.3, cells = cells },
      given = { z = 0, n = 0 }, initial = { h = function(x, y) return 1 + (x < 1.5 and 0.5*y or 0) end, q = 0 },
      boundary = { { sides, "wall" } }, time = { steps = 1, step = scheme == "shallow_water" and 1e-3 or 1e-7 },
      output = { folder = "products_out", vtu = false, history = { "here", "back" } },
      sections = {
        { name = "here", points = line, flux = formula },
        { name = "back", points = { line[3] or line[2], line[2], line[1] }, flux = formula },
      },
      on_output = function(r)
        if r.step == 0 then before, left, right = r:field("h"), r:global("here"), r:global("back") end
      end,
    })
    local h, volume, centre, lost = r:field("h"), r:volumes(), r:centres(), 0
    for i = 1, #h do
      local y, x0 = centre[i][2], line[1][1]
      local cut = #line == 2 and x0 + (line[2][1] - x0)*(y + 0.1)/1.2
        or (y < 0.5 and x0 + (line[2][1] - x0)*(y + 0.1)/0.6 or line[2][1] + (line[3][1] - line[2][1])*(y - 0.5)/0.6)
      if centre[i][1] < cut then lost = lost + volume[i]*(before[i] - h[i]) end
    end
    local what = scheme.." on "..(cells or "triangles")
    expect.near(what..": it flows", math.abs(left) > 0.1 and 1 or 0, 1, 0)
    expect.near(what..": what one side loses", lost/r.t, left, scheme == "shallow_water" and 1e-10 or 1e-5)
    expect.near(what..": drawn the other way", left + right, 0, 1e-12)
  end
end
behind({ {1.4, -0.1}, {1.6, 1.1} })
behind({ {1.4, -0.1}, {1.7, 0.5}, {1.2, 1.1} }, "quads")
