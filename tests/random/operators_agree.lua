-- The schemes that operators.sh has made, on the interpreter: what is called and what is written out give the same.
local folder, seed, dims = os.getenv "FOLDER", tonumber(os.getenv "SEED"), tonumber(os.getenv "DIMS")

local function fields(scheme)
  local axes = { x = {0, 1}, nx = 7, periodic = "x" }
  if dims == 2 then axes = { x = {0, 1}, nx = 6, y = {0, 1}, ny = 5, periodic = "xy" } end
  local function wave(k)
    if dims == 1 then return function(x) return 0.4 + 0.5*math.sin(2*math.pi*x + k) end end
    return function(x, y) return 0.4 + 0.5*math.sin(2*math.pi*(x + y) + k) end
  end
  local r = run(case {
    scheme = scheme, device = "reference", mesh = mesh.grid(axes),
    initial = { a = wave(0), b = wave(1), u = wave(2) },
    time = { steps = 1 }, output = { folder = folder.."/out", vtu = false, run_json = false },
  })
  return { a = r:field "a", b = r:field "b", u = r:field "u" }
end

local name = string.format("_%d_%d.ew", dims, seed)
local called, written = fields(folder.."/called"..name), fields(folder.."/written"..name)
for field, values in pairs(written) do
  for i, y in ipairs(values) do
    local x = called[field][i]
    if not (math.abs(x - y) <= 1e-12) then
      error(string.format("seed %d: %s[%d] is %.15g by operators and %.15g written out", seed, field, i, x, y))
    end
  end
end
