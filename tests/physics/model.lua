-- Small runs of the shipped schemes on the model machine, with a CPU's and with a GPU's default schedules: the results of plain C, and no
-- race, unset read or access outside, each of which would end the run.
local expect = require "expect"

local function difference(a, b)
  local worst, scale, sum = 0, 1e-300, 0
  local function take(x, y)
    if x ~= x or y ~= y then worst = math.huge end
    worst, scale, sum = math.max(worst, math.abs(x - y)), math.max(scale, math.abs(y)), sum + y*y
  end
  for i = 1, #b do
    local x, y = a[i], b[i]
    if type(x) == "table" then for d = 1, #y do take(x[d], y[d]) end else take(x, y) end
  end
  if not (sum > 1e-12 and sum < 1e12) then error("nothing is compared") end
  return worst/scale
end

local function compare(name, fields, tolerance, make, schedules)
  local function solve(device, schedule)
    local c = make()
    c.device, c.schedule = device, schedule
    c.output = { folder = "model_"..(os.getenv("EDGEWISE_MODEL_UNSET") or "plain").."_out", vtu = false }
    local r, values = run(case(c)), {}
    for _, f in ipairs(fields) do values[f] = r:field(f) end
    return values
  end
  local serial = solve("c")
  for _, on in ipairs(schedules or { { "model" }, { "model-gpu" } }) do
    local other = solve(on[1], on[2])
    for _, f in ipairs(fields) do
      local label = name.." on "..on[1]..": "..f
      for k, v in pairs(on[2] or {}) do label = label.." "..k.."="..v end
      expect.below(label, difference(other[f], serial[f]), tolerance)
    end
  end
end

local function wave(x, y) return 1 + 0.3*math.sin(2*x + 0.3)*math.cos(3*y - 0.2) end

compare("shallow water", { "h", "q" }, 1e-12, function()
  return {
    scheme = "shallow_water",
    mesh = mesh.rectangle { x = {0, 4}, nx = 9, y = {0, 2}, ny = 5, pattern = "alternating", jitter = 0.1 },
    given = { z = function(x, y) return 0.1*x end, n = 0.03 },
    initial = { h = function(x, y) return x < 2 and 1 or 0 end, q = {0, 0} },
    boundary = { { "left", "outflow" }, { {"right", "bottom", "top"}, "wall" } },
    time = { steps = 8 },
  }
end, { { "model" }, { "model-gpu" }, { "model-gpu", { faces = "scatter", select = "delta", layout = "aos", group = 16 } },
       { "model-gpu", { faces = "patch", group = 16 } }, { "model", { faces = "patch", group = 32, select = "delta" } },
       { "model-gpu", { faces = "inline", reduce = "serial", unroll = "no" } } })

compare("heat", { "T" }, 1e-12, function()
  return {
    scheme = "heat",
    mesh = mesh.rectangle { x = {0, 1}, nx = 6, y = {0, 1}, ny = 6 },
    given = { power = wave },
    initial = { T = wave },
    boundary = { { "left", "held", Tw = 1 }, { {"right", "bottom", "top"}, "insulated" } },
    time = { steps = 8 },
  }
end)

compare("Gray-Scott", { "u", "v" }, 1e-12, function()
  return {
    scheme = "gray_scott",
    mesh = mesh.grid { x = {0, 1}, nx = 37, y = {0, 1}, ny = 11, periodic = "xy" },
    initial = { u = wave, v = function(x, y) return 0.01*wave(y, x) end },
    time = { steps = 1 },
  }
end, { { "model" }, { "model-gpu" }, { "model-gpu", { ["grid.columns"] = 16, ["grid.rows"] = 4 } },
       { "model-gpu", { items = "loop" } }, { "model", { ["grid.window"] = "auto" } } })

local function lines(n, a, b, f)
  local x = {0}
  for k = 0, n - 1 do x[k + 2] = x[k + 1] + 0.1*(1 + a*f(b*k)) end
  return x
end

compare("SIMPLE-TS", { "p", "T", "u", "v" }, 1e-12, function()
  return {
    scheme = "simple_ts",
    mesh = mesh.grid { x = lines(19, 0.3, 1.7, math.sin), y = lines(10, 0.2, 2.3, math.cos) },
    parameters = { Kn = 0.05, step_size = 0.004, tol = 1e-3 },
    initial = { p = wave, T = 1, u = 0.4, v = 0.1 },
    boundary = { { "left", "inlet", vel = {0.4, 0.1}, p_in = 1, T_in = 1 }, { "right", "outlet" },
                 { {"bottom", "top"}, "wall", w = {0.4, 0}, T_w = 1 } },
    time = { steps = 1 },
  }
end, { { "model" }, { "model-gpu" }, { "model-gpu", { ["grid.walls"] = "calls" } }, { "model-gpu", { items = "loop" } },
       { "model-gpu", { ["grid.columns"] = 32, ["grid.rows"] = 5 } } })

compare("edge-based Navier-Stokes", { "u", "p" }, 1e-9, function()
  return {
    scheme = "edge_navier_stokes",
    mesh = mesh.rectangle { x = {0, 1}, nx = 5, y = {0, 1}, ny = 5 },
    parameters = { nu = 0.1 },
    given = { b = {0, 0} },
    initial = { u = {0, 0}, p = 0 },
    boundary = { { "top", "fixed", U = {1, 0} }, { {"left", "right", "bottom"}, "fixed", U = {0, 0} } },
    time = { steps = 2 },
  }
end, { { "model" }, { "model-gpu" }, { "model-gpu", { lanes = 8, edges = "packed" } } })
