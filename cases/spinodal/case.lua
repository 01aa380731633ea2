-- A mixture in a round dish parts into two phases (spinodal decomposition): drops and bands that grow at the cost of smaller ones.
--   edgewise run cases/spinodal/case.lua -D share=0.3
local arg = arguments { size = 0.03, stop = 0.4, step = 5e-5, share = 0.0 }

-- Small differences of many lengths, the same on any machine.
local function rough(x, y)
  local sum = 0
  for i = 1, 12 do
    local angle, k = 2.4*i, 15 + 2.7*i
    sum = sum + math.sin(k*(x*math.cos(angle) + y*math.sin(angle)) + i^2)
  end
  return arg.share + 0.01*sum
end

return case {
  name = "spinodal",
  scheme = "cahn_hilliard",
  parameters = { eps = 0.03, step_size = arg.step },
  mesh = mesh.gmsh { recipe = "disk.geo", size = arg.size },
  initial = { c = rough },
  boundary = { { "rim", "closed" } },
  time = { stop = arg.stop },
  output = {
    times = { arg.stop/100, arg.stop/10 },
    picture = { field = "c", map = "diverging", range = {-1, 1} },
    history = { "mass", "energy", "c.iterations" },
    sample = 10,
    vtu = false,
  },
  on_end = function(run)
    print(string.format("%d steps: energy %.4f, mass %.6f, c from %.3f to %.3f", run.step, run:global("energy"),
      run:global("mass"), run:min("c"), run:max("c")))
  end,
}
