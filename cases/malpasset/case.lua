-- The dam of Malpasset broke in 1959: its lake runs down the valley of the Reyran to the sea. The README says where the data come from.
local arg = arguments { scheme = "shallow_water", stop = 4000 }                       -- [s]
local bed = require("terrain")("data/malpasset.tsh")
local gauges = { S6 = {4947.46, 4289.71}, S7 = {5717.30, 4407.61}, S8 = {6775.14, 3869.23}, S9 = {7128.20, 3162.00}, S10 = {8585.30, 3443.08},
  S11 = {9674.97, 3085.89}, S12 = {10939.15, 3044.78}, S13 = {11724.37, 2810.41}, S14 = {12723.70, 2485.08} }
-- Behind the dam, a line between two points, the lake stood at 100 m; the sea is at 0.
local function lake(x, y) return x < 4701.18 + (y - 4143.41)*(4655.5 - 4701.18)/(4392.10 - 4143.41) and y > 1000 end

return case {
  name = "malpasset", scheme = arg.scheme,
  mesh = mesh.gmsh { file = "data/malpasset.msh" },
  given = { z = bed, n = 0.033 },
  initial = { h = function(x, y) return math.max(0, (lake(x, y) and 100 or 0) - bed(x, y)) end, q = 0 },
  boundary = { { "edge", "wall" } },
  time = { stop = arg.stop },
  products = { { name = "highest", max = "if h > 0.01 [m] then surface else 0" }, { name = "arrival", first = "h > 0.1 [m]" } },
  output = { every = arg.stop/4, probes = gauges, probe_fields = {"h", "highest", "arrival"}, fields = {"h", "z", "highest", "arrival"}, sample = 100,
    picture = { field = "h", map = "water", mask = "h", mask_below = 0.01, terrain = "z" } },
  on_end = function(run)
    for i = 6, 14 do
      local at = "S"..i
      print(string.format("%s: highest level %.2f m, water from %.0f s on", at, run:probe(at, "highest"), run:probe(at, "arrival")))
    end
  end,
}
