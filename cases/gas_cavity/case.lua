-- A lid drives gas around in a box, slowly against the speed of sound: compared with Ghia, Ghia and Shin (1982), Re = 100.
--   edgewise run cases/gas_cavity/case.lua -D n=64
local arg = arguments {
  n = 32,         -- cells along either side
  U = 0.2,        -- speed of the lid; sound runs at 0.913
  Re = 100,
  stop = 60,
  space = "tvd",  -- or upwind
  sigma = 0,      -- slip; 1.1466 for diffuse walls. 0 as in the paper that is compared with
}

local Kn = arg.U/(5*math.sqrt(math.pi)/16)/arg.Re

-- u through the middle of the cavity, v across it, in parts of the lid's speed
local ghia_u = { {0.0547, -0.03717}, {0.0703, -0.04775}, {0.1016, -0.06434}, {0.1719, -0.10150}, {0.2813, -0.15662},
  {0.4531, -0.21090}, {0.5, -0.20581}, {0.6172, -0.13641}, {0.7344, 0.00332}, {0.8516, 0.23151}, {0.9531, 0.68717},
  {0.9609, 0.73722}, {0.9688, 0.78871}, {0.9766, 0.84123} }

local function along(points, x)
  for i = 2, #points do
    local a, b = points[i - 1], points[i]
    if x <= b[1] then return a[2] + (b[2] - a[2])*(x - a[1])/(b[1] - a[1]) end
  end
  return points[#points][2]
end
local function u_exact(x, y)
  if y < 0.0547 then return -0.03717*arg.U*y/0.0547 end
  if y > 0.9766 then return arg.U*(0.84123 + (1 - 0.84123)*(y - 0.9766)/(1 - 0.9766)) end
  return arg.U*along(ghia_u, y)
end

return case {
  name = "gas_cavity",
  scheme = "simple_ts",
  variants = { space = arg.space, storage = "accelerated" },
  mesh = mesh.grid { x = {0, 1}, nx = arg.n, y = {0, 1}, ny = arg.n },
  parameters = { Kn = Kn, sigma = arg.sigma, step_size = 0.4/arg.n, tol = 1e-8 },
  initial = { p = 1, T = 1, u = 0, v = 0 },
  boundary = {
    { "top", "wall", w = {arg.U, 0} },
    { {"left", "right", "bottom"}, "wall" },
  },
  time = { stop = arg.stop },
  output = {
    picture = { field = "u", map = "diverging", range = {-arg.U, arg.U} },
    plot = { field = "u", name = "profile", title = "u along the vertical line through the middle; exact: Ghia et al.",
             from = {0.5, 0}, to = {0.5, 1}, exact = u_exact },
    history = { "iterations", "mass" },
  },
  on_end = function(run)
    -- u on the vertical line through the middle, linear between the cells' centres, in parts of the lid's speed
    local h = 1/arg.n
    local function u(y)
      local j = math.max(0, math.min(arg.n - 2, math.floor(y/h - 0.5)))
      local below, above = run:at("u", 0.5 - h/4, (j + 0.5)*h), run:at("u", 0.5 - h/4, (j + 1.5)*h)
      return (below + (above - below)*(y/h - 0.5 - j))/arg.U
    end
    local least, at, worst = 0, 0, 0
    for j = 0, 200 do
      local y = 0.05 + 0.9*j/200
      if u(y) < least then least, at = u(y), y end
    end
    for _, row in ipairs(ghia_u) do worst = math.max(worst, math.abs(u(row[1]) - row[2])) end
    print(string.format("%d x %d cells, %d steps: least u %.4f of the lid's speed at y = %.3f (Ghia et al. -0.2109 at 0.453)",
      arg.n, arg.n, run.step, least, at))
    print(string.format("largest difference of u at the points of their table %.4f; mass %.9f", worst, run:global("mass")))
  end,
}
