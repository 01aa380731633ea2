-- Run by probes.sh: the case of Malpasset with and without 29 probes each second, in turn. Time on the clock, and the processor's, which others on the
-- machine disturb less. With -D each=step they are sampled at every step, and what they add is divided by the steps of a second: where a machine is busy its noise is, too.
local arg = arguments { device = "c-openmp", pairs = 9, stop = 60, each = "second" }
local bed, measured, points = require("terrain")("data/malpasset.tsh"), require "measured", {}
for _, m in ipairs(measured) do points[m[1]] = { m[2], m[3] } end
points.A, points.B, points.C = { 5550, 4400 }, { 11900, 3250 }, { 13000, 2700 } -- where transformers stood
local function lake(x, y) return x < 4701.18 + (y - 4143.41)*(4655.5 - 4701.18)/(4392.10 - 4143.41) and y > 1000 end

local function seconds(sample)
  local before = os.clock()
  local r = run(case {
    scheme = "shallow_water", device = arg.device, mesh = mesh.gmsh { file = "data/malpasset.msh" }, given = { z = bed, n = 0.033 },
    initial = { h = function(x, y) return math.max(0, (lake(x, y) and 100 or 0) - bed(x, y)) end, q = 0 },
    boundary = { { "edge", "wall" } }, time = { stop = arg.stop },
    output = { folder = "out", vtu = false, sample = sample, probes = sample and points, probe_fields = sample and { "h", "surface", "velocity" } },
  })
  return r.seconds, os.clock() - before, r.step
end

local _, _, steps = seconds()
local sample, shared = math.max(1, math.floor(steps/arg.stop)), 1 -- at least one each second
if arg.each == "step" then sample, shared = 1, sample end
print(string.format("%d steps in %g s; 29 probes of 4 numbers every %d steps, on %s", steps, arg.stop, sample, arg.device))
local clock, processor = {}, {}
for pair = 1, arg.pairs do
  local first = pair % 2 == 1
  local a, own_a = seconds(first and sample or nil)
  local b, own_b = seconds(not first and sample or nil)
  local with, without, own_with, own_without = a, b, own_a, own_b
  if not first then with, without, own_with, own_without = b, a, own_b, own_a end
  clock[pair], processor[pair] = 100*(with/without - 1)/shared, 100*(own_with/own_without - 1)/shared
  print(string.format("pair %d: %.3f s with, %.3f s without: %+.2f %%; of the processor's time %+.2f %%", pair, with, without, clock[pair], processor[pair]))
end
for name, added in pairs { ["on the clock"] = clock, ["of the processor's time"] = processor } do
  table.sort(added)
  local function part(p) return added[math.max(1, math.ceil(p*#added))] end
  print(string.format("29 probes each second add %.2f %% %s (median; quartiles %.2f and %.2f)", part(0.5), name, part(0.25), part(0.75)))
end
