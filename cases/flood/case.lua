-- A flood in a valley: a river rises over its banks and runs through the streets of a town. Ground from a raster, houses
-- as holes in the mesh, a hydrograph, and dry land everywhere at the start.
--   edgewise run cases/flood/case.lua -D size=2
local arg = arguments {
  size = 2.5,         -- sides of the smallest triangles [m]; 2.5 gives some 50 000
  stop = 1800,        -- [s]
  pixels = 800,       -- longer side of the pictures
  friction = "cell",  -- where friction acts: cell, edge or mixed
}

local inlet = 52  -- width of the section at which the river comes in [m]

-- Discharge of the river, { time [s], m^2/s }, per metre of the inlet: it rises to 500 m^3/s within 15 minutes.
local hydrograph = series { {0, 20/inlet}, {300, 100/inlet}, {900, 500/inlet}, {1200, 500/inlet}, {2100, 60/inlet} }

local function manning(x, y)
  local off = math.abs(y - 250 - 55*math.sin(x/130 + 1) - 18*math.sin(x/47))
  return off < 22 and 0.03 or 0.05  -- the river's bed; meadows, gardens and streets
end

return case {
  name = "flood",
  scheme = "shallow_water",
  variants = { friction = arg.friction },
  mesh = mesh.gmsh { recipe = "valley.geo", size = arg.size },
  given = { z = raster "terrain.asc", n = manning },
  initial = { h = 0, q = {0, 0} },
  boundary = {
    { "inlet", "inflow", discharge = hydrograph },
    { "outlet", "outflow" },
    { {"sides", "houses"}, "wall" },
  },
  time = { stop = arg.stop },
  output = {
    every = 300,
    fields = { "h", "velocity", "z" },
    single_precision = true,
    elevation = "z",
    picture = {
      {
        field = "h", name = "depth", title = "depth [m]", map = "water", range = {0, 3}, size = arg.pixels,
        mask = "h", mask_below = 0.02, terrain = "z",
      },
      {
        field = "velocity", name = "speed", title = "speed [m/s]", range = {0, 4}, size = arg.pixels,
        mask = "h", mask_below = 0.02, terrain = "z",
      },
    },
    probes = { bridge = {470, 247}, market = {612, 376} },
    probe_fields = { "h", "velocity" },
    sample = 50,
  },
  on_output = function(run)
    print(string.format("t = %4.0f s: %7.0f m^3 of water in the valley, %.2f m deep on the market place", run.t,
      run:integral("h"), run:at("h", 612, 376)))
  end,
  on_end = function(run)
    print(string.format("%d cells, %d steps: depths between %.1g and %.2f m, largest speed %.1f m/s", run.cells, run.step,
      run:min("h"), run:max("h"), run:max("velocity")))
  end,
}
