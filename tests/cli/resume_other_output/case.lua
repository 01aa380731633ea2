-- A setting of each kind of output
local arg = arguments { halt = -1, probe = 0.1, more = false, history = true, sample = 1, size = 0.25, mask = -1, low = 0, to = 1, fields = "T",
                        single = false, drop = "nothing" }
local probes = { one = {arg.probe, 0.5} }
local function kept(name, output) return arg.drop ~= name and arg.drop ~= "all" and output or nil end
if arg.more then probes.two = {0.9, 0.5} end
return case {
  name = "b", scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 6, ny = 6, cells = "quads" },
  given = { power = 0 },
  initial = { T = function(x, y) return x*y end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.02 },
  products = { { name = "highest", max = "T" } },
  output = {
    every = 0.015, vtu = kept("vtu", true) or false, fields = arg.fields, single_precision = arg.single, probes = probes, history = arg.history and "dt" or nil, sample = arg.sample,
    picture = kept("picture", { field = "T", range = {arg.low, 1}, size = 200 }),
    plot = kept("plot", { field = "T", from = {0, 0.5}, to = {arg.to, 0.5} }),
    raster = kept("raster", { { field = "T", size = arg.size, mask = arg.mask >= 0 and "T" or nil, mask_below = arg.mask >= 0 and arg.mask or nil },
               { field = "highest", size = arg.size } }),
  },
  on_step = function(run) if run.step == arg.halt then run:stop() end end,
}
