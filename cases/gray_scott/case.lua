-- Two chemicals react and diffuse: spots grow, divide and fill the plane (Pearson 1993).
--   edgewise run cases/gray_scott/case.lua -D n=400 -D stop=12000
local arg = arguments {
  n = 200,       -- cells along either axis; one cell is one unit of length
  stop = 6000,
  F = 0.037,     -- feed; with k = 0.06 stripes and mazes, with F = 0.03, k = 0.062 spots that divide
  k = 0.06,
}

local n = arg.n

-- A few square drops, placed by a simple generator of numbers so that every run is the same.
local drops, seed = {}, 7
local function random()
  seed = (16807*seed) % 2147483647
  return seed/2147483647
end
for i = 1, math.ceil(n*n/4000) do drops[i] = { random()*n, random()*n } end

local function wet(x, y)
  for _, drop in ipairs(drops) do
    local dx, dy = math.abs(x - drop[1]), math.abs(y - drop[2])
    if math.max(math.min(dx, n - dx), math.min(dy, n - dy)) < 5 then return true end
  end
  return false
end

return case {
  name = "gray_scott",
  scheme = "gray_scott",
  parameters = { F = arg.F, k = arg.k },
  mesh = mesh.grid { x = {0, n}, y = {0, n}, nx = n, ny = n, periodic = "xy" },
  initial = {
    u = function(x, y) return wet(x, y) and 0.5 or 1 end,
    v = function(x, y) return wet(x, y) and 0.25 or 0 end,
  },
  time = { stop = arg.stop, look = 100 },
  output = {
    every = arg.stop/4,
    picture = { field = "v", name = "pattern", title = "v", range = {0, 0.4} },
  },
  on_end = function(run)
    print(string.format("%d cells, %d steps: u from %.4f to %.4f, v from %.4f to %.4f, mean of v %.5f",
      run.cells, run.step, run:min("u"), run:max("u"), run:min("v"), run:max("v"), run:integral("v")/(n*n)))
  end,
}
