-- Flow in a square box under a moving lid, Re = 100, on a staggered grid: Ghia, Ghia and Shin (1982).
--   edgewise run cases/mac_cavity/case.lua -D n=128
local arg = arguments { n = 64, Re = 100, stop = 20 }
local n = arg.n

-- Extremes along the lines through the middle of the box, at Re = 100.
local ghia = { u = -0.21090, low = -0.24533, high = 0.17527 }

return case {
  name = "mac_cavity",
  scheme = "mac",
  parameters = { nu = 1/arg.Re, omega = 1.7 },
  mesh = mesh.grid { x = {0, 1}, nx = n, y = {0, 1}, ny = n },
  given = { red = function(x, y) return (math.floor(x*n) + math.floor(y*n)) % 2 end },
  initial = { u = 0, v = 0, p = 0 },
  boundary = { { {"left", "right", "bottom"}, "wall" }, { "top", "wall", speed = 1 } },
  time = { stop = arg.stop, unfinished = "stop" },
  output = {
    picture = { field = "vorticity", map = "diverging", range = {-5, 5}, contours = 20 },
    plot = { field = "u", name = "profile", title = "u along the vertical through the middle", from = {0.5, 0}, to = {0.5, 1} },
    history = { "residual", "iterations" },
    sample = 20,
    vtu = false,
  },
  on_end = function(run)
    local u, low, high = math.huge, math.huge, -math.huge
    for k = 0, 4*n - 1 do
      local s = (k + 0.5)/(4*n)
      u = math.min(u, run:at("u", 0.5, s))
      low, high = math.min(low, run:at("v", s, 0.5)), math.max(high, run:at("v", s, 0.5))
    end
    print(string.format("%d steps: u from %.4f, v from %.4f to %.4f; Ghia: %.4f, %.4f to %.4f", run.step, u, low, high,
      ghia.u, ghia.low, ghia.high))
  end,
}
