-- A square box, warm at the left and cold at the right: the fluid turns. De Vahl Davis (1983).
--   edgewise run cases/natural_convection/case.lua -D Ra=1e5 -D step=5e-4 -D stop=0.12
local arg = arguments { Ra = 1e4, n = 40, step = 0.002, stop = 0.25 }

-- The same number, over the walls and over the box, and the greatest velocities along the lines through the middle.
local davis = {
  [1e3] = { nu = 1.118, u = 3.649, v = 3.697 },
  [1e4] = { nu = 2.243, u = 16.178, v = 19.617 },
  [1e5] = { nu = 4.519, u = 34.73, v = 68.59 },
  [1e6] = { nu = 8.800, u = 64.63, v = 219.36 },
}

return case {
  name = "natural_convection",
  scheme = "natural_convection",
  parameters = { Ra = arg.Ra, step_size = arg.step },
  mesh = mesh.grid { x = {0, 1}, nx = arg.n, y = {0, 1}, ny = arg.n },
  initial = { u = 0, v = 0, p = 0, T = function(x, y) return 0.5 - x end },
  boundary = { { "left", "held", Tw = 0.5 }, { "right", "held", Tw = -0.5 }, { {"bottom", "top"}, "insulated" } },
  time = { stop = arg.stop, unfinished = "stop" },
  output = {
    picture = { field = {"T", "v"}, columns = 2, name = "box", contours = 12 },
    history = { "nusselt", "divergence", "iterations" },
    vtu = false,
  },
  on_end = function(run)
    local u, v = 0, 0
    for k = 0, 4*arg.n - 1 do
      local s = (k + 0.5)/(4*arg.n)
      u, v = math.max(u, run:at("u", 0.5, s)), math.max(v, run:at("v", s, 0.5))
    end
    print(string.format("%d steps: Nusselt %.4f, u to %.3f, v to %.3f", run.step, run:global("nusselt"), u, v))
    local d = davis[arg.Ra]
    if d then print(string.format("de Vahl Davis:  %.3f, u to %.3f, v to %.3f", d.nu, d.u, d.v)) end
  end,
}
