-- Shipped kernels against freshly compiled ones: the same values in every cell. A case that names a manifest names no scheme, so
-- nothing is compiled for it.
local arg = arguments { profile = "gpu", only = "" } -- only: one scheme
local generated = "../../../generated/" .. arg.profile .. "/"
local all = { "left", "right", "bottom", "top" }
local function bump(x, y) return math.exp(-4*(x - 1)^2 - 4*(y - 1)^2) end

local schemes = {
  heat = { given = { power = 0.5 }, initial = { T = bump }, boundary = { { all, "insulated" } }, fields = { "T" } },
  advection = {
    given = { a = {1, 0.5} }, initial = { s = bump }, fields = { "s" },
    boundary = { { {"left", "bottom"}, "inflow", value = 1 }, { {"right", "top"}, "outflow" } },
  },
  acoustics = {
    initial = { p = bump, u = {0, 0} }, fields = { "p", "u.x", "u.y" },
    boundary = { { {"left", "bottom"}, "hard" }, { {"right", "top"}, "open" } },
  },
  euler_hllc = {
    initial = { rho = function(x, y) return 1 + bump(x, y) end, m = {0, 0}, E = function(x, y) return 2.5 + bump(x, y) end },
    boundary = { { all, "wall" } }, fields = { "rho", "m.x", "m.y", "E" },
  },
  shallow_water = {
    given = { z = function(x, y) return 0.2*x + 0.1*y end, n = 0.02 }, initial = { h = bump, q = {0, 0} },
    boundary = { { {"left", "bottom"}, "wall" }, { {"right", "top"}, "outflow" } }, fields = { "h", "q.x", "q.y" },
  },
}

local function run_one(scheme, source)
  local values = { mesh = mesh.rectangle { x = {0, 3}, y = {0, 2}, nx = 15, ny = 10, jitter = 0.2 } }
  for k, v in pairs(schemes[scheme]) do if k ~= "fields" then values[k] = v end end
  for k, v in pairs(source) do values[k] = v end
  values.time = { steps = 20 }
  values.output = { folder = "runs_" .. arg.profile, vtu = false, run_json = false }
  return run(case(values))
end

local function compare(scheme)
  local shipped = run_one(scheme, { manifest = generated .. scheme .. ".json" })
  local fresh = run_one(scheme, { scheme = scheme })
  shipped:error_if(shipped.step ~= 20 or fresh.step ~= 20, scheme .. ": a run ended early")
  for _, name in ipairs(schemes[scheme].fields) do
    local a, b, largest = shipped:field(name), fresh:field(name), fresh:linf(name)
    shipped:error_if(#a ~= 300 or #b ~= 300 or largest == 0, scheme .. ": nothing to compare")
    for c = 1, #a do
      shipped:error_if(not (math.abs(a[c] - b[c]) <= 1e-12*largest),
                       string.format("%s: %s in cell %d is %.17g, freshly compiled %.17g", scheme, name, c, a[c], b[c]))
    end
  end
end

for _, scheme in ipairs { "heat", "advection", "acoustics", "euler_hllc", "shallow_water" } do
  if arg.only == "" or arg.only == scheme then compare(scheme) end
end
