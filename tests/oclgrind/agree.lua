-- The gas, windowed or not, and every value beside that of plain C: a simulator that takes a wrong turn would not look at the
-- accesses that count. Subdomains of no full size along x and along y, a block across some of them, one with no wall in reach; several
-- passes a step.
local arg = arguments { time = "implicit", space = "tvd", window = "auto", items = "each", select = "ternary" }

local function gas(device)
  return run(case {
    scheme = "simple_ts",
    device = device,
    variants = { time = arg.time, space = arg.space },
    schedule = { items = arg.items, select = arg.select, ["grid.window"] = arg.window,
                 ["grid.columns"] = 16, ["grid.rows"] = 4, group = 32 },
    mesh = mesh.grid { x = {0, 3.7}, y = {0, 1.5}, nx = 37, ny = 15,
                       solids = { { name = "block", x = {0.5, 1.1}, y = {0.2, 0.4} } } },
    parameters = { Kn = 0.05, step_size = 0.004, tol = 2e-3 },
    initial = { p = 1, T = function(x, y) return 1 + 0.05*math.sin(3*x + y) end, u = function(x, y) return 0.3 + 0.1*math.sin(2*x + 3*y) end,
                v = function(x, y) return 0.1*math.sin(x)*y end },
    boundary = { { "left", "inlet", vel = {0.4, 0} }, { "right", "outlet" },
                 { {"bottom", "top", "block"}, "wall", T_w = 1.1 } },
    time = { steps = 2 },
    output = { folder = device.."_out", vtu = false, run_json = false },
  })
end

local here, plain = gas "oclgrind", gas "c"
for _, name in ipairs { "p", "T", "u", "v" } do
  local a, b, largest = here:field(name), plain:field(name), plain:linf(name)
  here:error_if(#a ~= 555 or #b ~= 555 or largest == 0, name..": nothing to compare")
  for i = 1, #a do
    here:error_if(not (math.abs(a[i] - b[i]) <= 1e-11*largest),
                  string.format("%s at point %d is %.17g, by plain C %.17g", name, i, a[i], b[i]))
  end
end
