-- Probes and histories: what stands in their files is what a hook sees, of cells, nodes and grids, of states, quantities and components; and
-- a sample costs a few transfers, however many probes there are.
local expect = require "expect"
local device = expect.device or "c"

local function rows(path)
  local all = {}
  for line in io.lines(path) do
    local row = {}
    for number in line:gmatch("[^,]+") do row[#row + 1] = tonumber(number) end
    if #row > 0 then all[#all + 1] = row end
  end
  return all
end

local function compare(what, c, probe, fields)
  local seen = {}
  c.output.folder, c.output.vtu = "probes_out", false
  c.output.sample, c.output.probes = 2, probe
  c.on_step = function(r)
    local row = { r.t }
    for _, f in ipairs(fields) do row[#row + 1] = r:probe("p", f) end
    seen[r.step] = row
  end
  local r = run(case(c))
  local written, n = rows("probes_out/p.csv"), 0
  for step = 2, r.step, 2 do
    n = n + 1
    for i, value in ipairs(seen[step]) do
      expect.near(what..", step "..step..", column "..i, written[n + 1][i], value, 1e-14*math.max(1, math.abs(value)))
    end
  end
  expect.near(what..": rows", #written, n + 1, 0)
end

local sides = {"left", "right", "bottom", "top"}
compare("cells", {
  scheme = "shallow_water", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 6, ny = 6 },
  given = { z = function(x) return 0.1*x end, n = 0 }, initial = { h = function(x) return 1 + x end, q = 0 },
  boundary = { { sides, "wall" } }, time = { steps = 6 },
  output = { fields = { "velocity", "surface" }, probe_fields = { "surface", "velocity.x", "h" }, history = { "dt" } },
}, { p = {0.3, 0.4}, q = {0.7, 0.7} }, { "surface", "velocity.x", "h" })
compare("nodes", {
  scheme = "convection_diffusion", device = device, parameters = { kappa = 0.1 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 5, ny = 5, jitter = 0.3 }, given = { a = {1, 0.5} },
  initial = { phi = function(x, y) return math.sin(3*x + y) end }, boundary = { { sides, "open" } }, time = { steps = 4 },
  output = { history = { "mass" } },
}, { p = {0.33, 0.41} }, { "phi" })
compare("grid", {
  scheme = "gray_scott", device = device, mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = 8, ny = 8, periodic = "xy" },
  initial = { u = function(x, y) return 1 - 0.3*x*y end, v = function(x, y) return 0.2*x end }, time = { steps = 4 }, output = {},
}, { p = {0.33, 0.41} }, { "u", "v" })

-- ---- what a sample costs

local function transfers(steps, probes)
  local p = {}
  for i = 1, probes do p["p"..i] = { (i - 0.5)/probes, 0.5 } end
  run(case {
    scheme = "shallow_water", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 6, ny = 6 },
    given = { z = 0, n = 0 }, initial = { h = function(x) return 1 + x end, q = 0 },
    boundary = { { sides, "wall" } }, time = { steps = steps, look = 16 }, -- else the pace follows the clock
    output = { folder = "probes_out", vtu = false, probes = p, probe_fields = { "surface", "velocity", "h" } },
  })
  for line in io.lines("probes_out/run.json") do
    local n = line:match('"transfers":%s*(%d+)')
    if n then return tonumber(n) end
  end
end
local few, all = transfers(40, 1) - transfers(20, 1), transfers(40, 29) - transfers(20, 29)

-- ---- and that nobody waits for it: the host looks at the device as often as it does without probes, whatever is shown, and however few steps
-- lie between two rows; what a row costs is a transfer for all rows of 16 steps.

local function figures(steps, probes, sample, first)
  local p = {}
  for i = 1, probes do p["p"..i] = { (i - 0.5)/probes, 0.5 } end
  run(case {
    scheme = "shallow_water", device = device, mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 6, ny = 6 },
    given = { z = 0, n = 0 }, initial = { h = function(x) return 1 + x end, q = 0 },
    boundary = { { sides, "wall" } }, time = { steps = steps, first = first, look = 16 }, -- else the pace follows the clock
    output = { folder = "probes_out", vtu = false, sample = sample, probes = probes > 0 and p or nil,
      probe_fields = probes > 0 and { "surface", "h" } or nil },
  })
  local f = {}
  for line in io.lines("probes_out/run.json") do
    for name, n in line:gmatch('"(%w+)":%s*(%d+)') do f[name] = tonumber(n) end
  end
  return f
end
local with, without = figures(97, 29, 3), figures(97, 0, 3)
if device ~= "reference" then
  expect.near("looks with probes every three steps", with.looks, without.looks, 0)
  expect.below("transfers with probes every three steps, beside those without", with.transfers - without.transfers, 16)
end
local many = { {97, 3}, {96, 3}, {33, 1} }
if device ~= "reference" then many[#many + 1] = {40, 7, 1e-3} end -- which begins with steps as long as it likes
for _, c in ipairs(many) do -- rows at every multiple, also behind steps that end a piece
  local steps, sample, first = table.unpack(c)
  figures(steps, 2, sample, first)
  local few = rows("probes_out/p1.csv")
  figures(steps, 2, 1, first)
  local all = rows("probes_out/p1.csv")
  expect.near("rows of "..steps.." steps", #few, 1 + steps//sample + (steps % sample > 0 and 1 or 0), 0)
  for i, row in ipairs(few) do
    local same = all[math.min((i - 1)*sample, steps) + 1]
    for k = 1, 3 do expect.near(("row %d of %d steps by %d, column %d"):format(i, steps, sample, k), row[k], same[k], 0) end
  end
end

if device ~= "reference" then -- whose buffers are the host's
  expect.near("transfers of 20 samples of 29 probes, beside those of one", all, few, 0)
end
