local a = arguments { pause = -1, depth = 0.2 }
return case {
  name = "b", scheme = "shallow_water",
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 1}, nx = 12, ny = 3 },
  given = { z = 0, n = 0.02 }, initial = { h = function(x) return x < 1 and 1 or 0.01 end, q = 0 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  products = {
    { name = "deepest", max = "h" }, { name = "when", when_max = "norm(q)" },
    { name = "arrival", first = "h > "..a.depth.." [m]" }, { name = "work", integral = "h*dot(velocity, velocity)" },
  },
  sections = { { name = "gate", points = { {2, -1}, {2, 2} }, flux = "dot(q[c], normal) + roe.1" } },
  time = { stop = 1.5 }, output = { every = 0.3, history = "gate", probes = { middle = {2, 0.5} } },
  on_step = function(run)
    if run.step == a.pause then run:stop() end
  end,
}
