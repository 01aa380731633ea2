-- Squares in a microchannel, the gas faster than sound (Shterev, arXiv 1802.04243): M = 2.43, Kn = 0.001.
--   edgewise run cases/microchannel/case.lua
--   edgewise run cases/microchannel/case.lua -D nx=4032 -D ny=200 -D squares=1   -- a grid of the paper; ny = 4000 has 20 squares
local arg = arguments {
  nx = 160,          -- cells along the channel
  ny = 100,          -- across it; the channel is 10 high for every square
  squares = 1,       -- one above the other
  Kn = 0.001,
  M = 2.43,
  space = "upwind",  -- or tvd
  time = "implicit", -- or explicit: of the convective terms
  storage = "accelerated", -- or printed, with half the step
  step = 0,          -- 0: by the size of the cells
  stop = 10,
}

local height = 10*arg.squares
local h = height/arg.ny             -- of the cells, which are squares too
local U = arg.M*math.sqrt(5/6)      -- the speed of sound is sqrt(5/6)
local step = arg.step > 0 and arg.step or (arg.storage == "accelerated" and arg.time == "implicit" and 0.1 or 0.05)*h

-- Sides of length 1, the front 5.5 behind the inlet, moved to faces of the grid; each in the middle of its part of the height.
local function face(x) return math.floor(x/h + 0.5)*h end
local solids = {}
for k = 1, arg.squares do
  local low = face(10*k - 5.5)
  solids[k] = { name = "square", x = {face(5.5), face(6.5)}, y = {low, 2*(10*k - 5) - low} }
end
local function in_square(x, y)
  for _, s in ipairs(solids) do
    if x > s.x[1] - h/2 and x < s.x[2] + h/2 and y > s.y[1] and y < s.y[2] then return true end
  end
  return false
end

return case {
  name = "microchannel",
  scheme = "simple_ts",
  variants = { space = arg.space, time = arg.time, storage = arg.storage },
  mesh = mesh.grid { x = {0, arg.nx*h}, nx = arg.nx, y = {0, height}, ny = arg.ny, solids = solids },
  parameters = { Kn = arg.Kn, step_size = step, tol = 1e-6 },
  initial = { p = 1, T = 1, u = function(x, y) return in_square(x, y) and 0 or U end, v = 0 },
  boundary = {
    { "left", "inlet", vel = {U, 0}, p_in = 1, T_in = 1 },
    { "right", "outlet" },
    { {"bottom", "top"}, "wall", w = {U, 0} },
    { "square", "wall" },
  },
  time = { stop = arg.stop },
  output = {
    fields = { "p", "rho", "T", "u", "v" },
    picture = { field = {"p", "T", "u", "v"}, name = "fields", title = "square in a microchannel", columns = 2, size = 700 },
    history = { "iterations", "mass" },
  },
  on_end = function(run)
    local x, y = solids[1].x[1] - h/2, (solids[1].y[1] + solids[1].y[2])/2 + h/4
    print(string.format("%d x %d cells, %d square%s, %d steps to t = %.3g", arg.nx, arg.ny, arg.squares,
      arg.squares == 1 and "" or "s", run.step, run.t))
    print(string.format("before the square: p %.3f, rho %.3f, T %.3f; largest p %.3f, T %.3f; least p %.4f",
      run:at("p", x, y), run:at("rho", x, y), run:at("T", x, y), run:max("p"), run:max("T"), run:min("p")))
  end,
}
