-- Thacker's radial oscillation over one period (SWASHES 4.2.2): error, period, shore, volume.
local expect = require "expect"
local basin = require "basin"(1, 0.8, 0.1, 9.81)

-- The radius of a disc as large as all cells under 2 mm of water or more.
local function shore_of(run)
  local h, volume, area = run:field("h"), run:volumes(), 0
  for i = 1, run.cells do
    if h[i] > 2e-3 then area = area + volume[i] end
  end
  return math.sqrt(area/math.pi)
end

local function solve(n)
  local found, before = { shore = {} }, nil
  local last = run(case {
    scheme = "shallow_water",
    device = expect.device,
    mesh = mesh.rectangle { x = {-2, 2}, y = {-2, 2}, nx = n, ny = n, pattern = "alternating" },
    given = { z = basin.bed, n = 0 },
    initial = { h = function(x, y) return basin.depth(x, y, 0) end, q = {0, 0} },
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
    time = { stop = 1.1*basin.period },
    output = { folder = "thacker_out", vtu = false, times = { basin.period/2, basin.period }, probes = { way = {0.5, 0.002} } },
    on_step = function(run)  -- a period is over when the water turns outwards
      local q = run:probe("way", "q.x")
      if before and before.q < 0 and q >= 0 then found.period = before.t + (run.t - before.t)*before.q/(before.q - q) end
      before = { t = run.t, q = q }
    end,
    on_output = function(run, number)
      if number == 0 then found.volume = run:integral("h") end
      found.shore[number] = shore_of(run)
      if number == 2 then found.error = run:l1("h", basin.depth)*16/basin.volume end
    end,
  })
  found.drift = math.abs(last:integral("h")/found.volume - 1)
  return found
end

local errors, found = {}, nil
for i, n in ipairs { 50, 100 } do
  found = solve(n)
  errors[i] = found.error
end
expect.order("Thacker, after one period", errors, { 0.116, 0.057 }, 0.9)
expect.near("Thacker: period, of the exact one", found.period/basin.period, 1, 0.01)
expect.near("Thacker: shore at T/2", found.shore[1], basin.shore(basin.period/2), 0.04)
expect.near("Thacker: shore at T", found.shore[2], basin.shore(basin.period), 0.04)
expect.below("Thacker: drift of the volume", found.drift, 1e-13)
