-- A dune on the bed of a channel moves with the water, which is deeper than the dune is high: its crest at the speed of the characteristic there.
local arg = arguments { n = 250, stop = 2000 }
local q, depth, grass, porosity = 10, 10, 0.01, 0.4
local function dune(x) return x > 300 and x < 500 and math.sin(math.pi*(x - 300)/200)^2 or 0 end

return case {
  name = "exner", scheme = "exner", parameters = { grass = grass, porosity = porosity },
  mesh = mesh.rectangle { x = {0, 1000}, y = {0, 20}, nx = arg.n, ny = 2, cells = "quads" },
  given = { n = 0 },
  initial = { z = dune, h = level(depth), q = {q, 0} },
  boundary = { { "left", "inflow", discharge = q }, { "right", "level", eta = depth }, { {"bottom", "top"}, "wall" } },
  time = { stop = arg.stop },
  output = { every = 500, fields = { "h", "z", "velocity" },
    plot = { field = "z", from = {0, 10}, to = {1000, 10}, exact = dune, title = "bed [m], and as it was" } },
  on_end = function(run)
    local top, at, z, centre = 0, 0, run:field("z"), run:centres()
    for i = 1, #z do
      if z[i] > top then top, at = z[i], centre[i][1] end
    end
    -- the flux of the bed is A*q^3/(10 - z)^3, its derivative 3*A*q^3/(10 - z)^4
    local speed = 3*grass/(1 - porosity)*q^3/(depth - 1)^4
    print(string.format("the dune's volume, over what it was: %.6f", run:integral("z")/(100*20)))
    print(string.format("the crest went %.1f m, by its characteristic %.1f m; it is %.3f m high", at - 400, speed*run.t, top))
  end,
}
