-- A lid drives water in a thin slab whose broad sides let it slip: the plane cavity of Ghia, Ghia and Shin (1982).
local arg = arguments { n = 32, re = 100, stop = 25, cfl = 0.6 }

-- Ghia's table: x-velocity along the vertical through the middle
local Y = {0, 0.0547, 0.0625, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5, 0.6172, 0.7344, 0.8516, 0.9531, 0.9609, 0.9688, 0.9766, 1}
local GHIA = {
  [100] = {0, -0.03717, -0.04192, -0.04775, -0.06434, -0.10150, -0.15662, -0.21090, -0.20581, -0.13641, 0.00332, 0.23151, 0.68717,
           0.73722, 0.78871, 0.84123, 1},
  [400] = {0, -0.08186, -0.09266, -0.10338, -0.14612, -0.24299, -0.32726, -0.17119, -0.11477, 0.02135, 0.16256, 0.29093, 0.55892,
           0.61756, 0.68439, 0.75837, 1},
  [1000] = {0, -0.18109, -0.20196, -0.22220, -0.29730, -0.38289, -0.27805, -0.10648, -0.06080, 0.05702, 0.18719, 0.33304, 0.46604,
            0.51117, 0.57492, 0.65928, 1},
}
local table_of = GHIA[arg.re] or error("re must be 100, 400 or 1000: there are tables for these")

-- between the points of the table
local function ghia(_, y)
  for i = 2, #Y do
    if y <= Y[i] then return table_of[i - 1] + (table_of[i] - table_of[i - 1])*(y - Y[i - 1])/(Y[i] - Y[i - 1]) end
  end
  return 1
end

local h = 1/arg.n

-- Where rules meet at a node the first one named holds: the lid's rim is at rest, as its walls are.
return case {
  scheme = "edge_navier_stokes",
  parameters = { nu = 1/arg.re, cfl = arg.cfl },
  mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, h}, nx = arg.n, ny = arg.n, nz = 1 },
  given = { b = {0, 0, 0} },
  initial = { u = {0, 0, 0}, p = 0 },
  boundary = {
    { {"left", "right", "bottom"}, "fixed", U = {0, 0, 0} },
    { "top", "fixed", U = {1, 0, 0} },
    { {"back", "front"}, "slip" },
  },
  solver = { preconditioner = "multigrid" },
  time = { stop = arg.stop },
  output = {
    picture = { field = "u", z = h/2, contours = 8 },
    plot = { name = "profile", field = "u.x", from = {0.5, 0, h/2}, to = {0.5, 1, h/2}, exact = function(x, y) return ghia(x, y) end },
    history = { "dt", "energy", "p.iterations" },
    sample = 20,
  },
  on_end = function(run)
    local worst = 0
    for i, y in ipairs(Y) do
      worst = math.max(worst, math.abs(run:at("u.x", 0.5, y, h/2) - table_of[i]))
    end
    print(("%d steps, largest difference from Ghia's table %.4f"):format(run.step, worst))
  end,
}
