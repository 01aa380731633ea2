-- A pressure difference drives a rarefied gas through a long channel; slip at its walls; compared with the asymptotic solution.
--   edgewise run cases/slip_poiseuille/case.lua -D ny=16
local arg = arguments {
  nx = 20,
  ny = 8,         -- cells from wall to wall
  ratio = 1.1,    -- of the pressures at the ends
  Kn = 0.05,
  length = 10,    -- the height is 1
  stop = 100,
}

local Kn, L, ratio = arg.Kn, arg.length, arg.ratio
local B = 5*math.sqrt(math.pi)/16*Kn

-- Isothermal, long and slow: (Arkilic et al. 1997) in these units. The reservoirs hold the pressure half a cell outside.
local k = 1.1466*Kn
local flow = 1/(48*B*L)*(ratio^2 - 1 + 12*k*(ratio - 1))
local function pressure(x)
  return -6*k + math.sqrt((6*k + ratio)^2 + x/L*(1 - ratio^2 + 12*k*(1 - ratio)))
end

local dx = L/(arg.nx + 1)

return case {
  name = "slip_poiseuille",
  scheme = "simple_ts",
  variants = { storage = "accelerated" },
  mesh = mesh.grid { x = {dx/2, L - dx/2}, nx = arg.nx, y = {0, 1}, ny = arg.ny },
  parameters = { Kn = Kn, step_size = 0.6/arg.ny, tol = 1e-8 },
  initial = { p = pressure, T = 1, u = 0, v = 0 },
  boundary = {
    { "left", "reservoir", p_out = ratio },
    { "right", "reservoir" },
    { {"bottom", "top"}, "wall" },
  },
  time = { stop = arg.stop },
  output = {
    fields = { "p", "T", "u", "v", "rho" },
    plot = {
      field = "p", name = "pressure", from = {dx/2, 0.5}, to = {L - dx/2, 0.5}, exact = pressure,
    },
  },
  on_end = function(run)
    local rho, u, sum = run:field("rho"), run:field("u"), 0
    for i = 1, run.cells do sum = sum + rho[i]*u[i] end
    local mean = sum/run.cells
    print(string.format("%d x %d cells, %d steps: mass flow %.5g (asymptotic %.5g, without slip %.5g), difference %.2f %%",
      arg.nx, arg.ny, run.step, mean, flow, (ratio^2 - 1)/(48*B*L), 100*(mean/flow - 1)))
    print(string.format("pressure in the middle %.6f (asymptotic %.6f)", run:at("p", L/2, 0.5), pressure(L/2)))
  end,
}
