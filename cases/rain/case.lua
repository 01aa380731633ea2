-- Rain falls on a rough, sloping plane until as much runs off as falls. Where gravity and friction balance, the depth is that of a kinematic wave.
local arg = arguments { n = 200, stop = 3600, friction = "edge" }
local rain, slope, rough, length = 1e-5, 0.005, 0.05, 100  -- [m/s] (36 mm/h), [s/m^(1/3)], [m]
local function exact(x) return (rough*rain*x/math.sqrt(slope))^0.6 end

return case {
  name = "rain", scheme = "rain", variants = { friction = arg.friction },
  mesh = mesh.rectangle { x = {0, length}, y = {0, 4}, nx = arg.n, ny = 2, cells = "quads" },
  given = { z = function(x) return slope*(length - x) end, n = rough, rain = rain, soaks = 0 },
  initial = { h = 0, q = 0 },
  boundary = { { {"left", "bottom", "top"}, "wall" }, { "right", "level", eta = -1 } },
  time = { stop = arg.stop },
  sections = { { name = "runoff", points = { {0.8*length, -1}, {0.8*length, 5} }, flux = "dot(q[c], normal) + roe.1" } },
  output = { every = 600, history = "runoff", sample = 20, fields = { "h", "velocity" },
    plot = { field = "h", from = {0, 1}, to = {length, 1}, exact = exact, title = "depth [m]" } },
  on_end = function(run)
    print(string.format("runoff through the section, over what falls above it: %.4f", run:global("runoff")/(rain*0.8*length*4)))
    print(string.format("mean error of the depth: %.3f mm, of %.2f mm at the lower end", 1000*run:l1("h", exact), 1000*exact(length)))
  end,
}
