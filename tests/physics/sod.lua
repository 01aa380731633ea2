-- Sod's shock tube with the HLLC flux: the plateaus, and the mean error of the density.
local expect = require "expect"
local gamma, t = 1.4, 0.2
local p_star, u_star, rho_left, rho_right = 0.303130, 0.927453, 0.426319, 0.265574
local shock, tail, head = 1.752156, -0.070273, -1.183216

local function density(x)
  local s = (x - 0.5)/t
  if s < head then return 1 end
  if s < tail then return (2/(gamma + 1) - (gamma - 1)/(gamma + 1)*s/math.sqrt(gamma))^(2/(gamma - 1)) end
  if s < u_star then return rho_left end
  return s < shock and rho_right or 0.125
end

local errors, r = {}, nil
for i, n in ipairs { 100, 200, 400 } do
  r = run(case {
    scheme = "euler_hllc",
    device = expect.device,
    parameters = { gamma = gamma },
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 4/n}, nx = n, ny = 4, cells = "quads" },
    initial = {
      rho = function(x) return x < 0.5 and 1 or 0.125 end,
      m = {0, 0},
      E = function(x) return (x < 0.5 and 1 or 0.1)/(gamma - 1) end,
    },
    boundary = { { {"left", "right"}, "open" }, { {"bottom", "top"}, "wall" } },
    time = { stop = t },
    output = { folder = "sod_out", vtu = false, fields = { "rho", "u", "p" }, probes = { middle = {0.6, 2.1/n}, ahead = {0.79, 2.1/n} } },
    on_end = function(run)
      if n < 200 then return end
      expect.near("Sod: density behind the contact", run:probe("middle", "rho"), rho_left, 0.006)
      expect.near("Sod: density behind the shock", run:probe("ahead", "rho"), rho_right, 0.001)
      expect.near("Sod: pressure", run:probe("ahead", "p"), p_star, 0.001)
      expect.near("Sod: velocity", run:probe("middle", "u.x"), u_star, 0.002)
    end,
  })
  errors[i] = r:l1("rho", density)
end
expect.order("Sod, density", errors, { 0.02, 0.013, 0.009 }, 0.5)
