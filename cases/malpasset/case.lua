-- The dam of Malpasset broke in 1959: its lake runs down the valley of the Reyran to the sea. The README says where the data come from.
local arg = arguments { scheme = "shallow_water", mesh = "malpasset", stop = 4000 }   -- mesh: coarse has a quarter of the cells; [s]
local bed, measured, points = require("terrain")("data/"..arg.mesh..".tsh"), require "measured", {}
for _, m in ipairs(measured) do points[m[1]] = { m[2], m[3] } end
-- Behind the dam, a line between two points, the lake stood at 100 m; the sea is at 0.
local function lake(x, y) return x < 4701.18 + (y - 4143.41)*(4655.5 - 4701.18)/(4392.10 - 4143.41) and y > 1000 end

return case {
  name = "malpasset", scheme = arg.scheme,
  mesh = mesh.gmsh { file = "data/"..arg.mesh..".msh" },
  given = { z = bed, n = 0.033 },
  initial = { h = function(x, y) return math.max(0, (lake(x, y) and 100 or 0) - bed(x, y)) end, q = 0 },
  boundary = { { "edge", "wall" } },
  time = { stop = arg.stop },
  products = { { name = "highest", max = "if h > 0.01 [m] then surface else 0" }, { name = "arrival", first = "h > 0.1 [m]" } },
  output = { every = arg.stop/4, probes = points, probe_fields = {"h", "highest", "arrival"}, fields = {"h", "z", "highest", "arrival"}, sample = 100,
    picture = { field = "h", map = "water", mask = "h", mask_below = 0.01, terrain = "z" } },
  on_end = function(run)
    for _, m in ipairs(measured) do   -- beside what was measured
      local level, time = run:probe(m[1], "highest"), run:probe(m[1], "arrival")
      local came = m[5] and string.format(", water from %.0f s on (%g)", time, m[5]) or ""
      print(level == 0 and m[1]..": dry" or string.format("%s: highest level %.2f m (%.2f)%s", m[1], level, m[4], came))
    end
  end,
}
