-- States at faces of meshes: a standing wave on a C grid after one period, for meshes twice as fine; volume; a uniform flow, which
-- each face takes its part of, on triangles in any order of cells and faces.
local expect = require "expect"

local g, k = 9.81, math.pi
local period = 2*math.pi/(k*math.sqrt(g))

local function basin(n, device)
  local r = run(case {
    scheme = "c_grid.ew",
    device = device,
    mesh = mesh.rectangle { x = {0, 1}, nx = n, y = {0, 0.5}, ny = n/2, cells = "quads" },
    initial = { eta = function(x) return 0.01*math.cos(k*x) end, u = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
    time = { stop = period },
    output = { folder = "face_states_out", vtu = false, history = {"volume_above"} },
  })
  local worst = r:linf("eta", function(x) return 0.01*math.cos(k*x) end)
  expect.near("volume, "..device, r:global("volume_above"), 0, 1e-15)
  return worst
end

local coarse, fine = basin(16, "c"), basin(32, "c")
expect.below("wave, 32 cells", fine, 1e-6)
expect.below("wave, ratio of errors", fine/coarse, 0.4)
expect.near("the reference interpreter", basin(16, "reference"), coarse, 1e-14)
expect.near("OpenCL", basin(16, "cpu"), coarse, 1e-14)

for _, order in ipairs { "none", "hilbert", "random" } do
  local flow = run(case {
    scheme = "c_grid.ew",
    device = "c",
    mesh = mesh.rectangle { x = {0, 1}, nx = 6, y = {0, 1}, ny = 5, cells = "triangles", jitter = 0.2, periodic = "xy",
                            order = order, faces = order == "random" and "random" or "none" },
    initial = { eta = 0.3, u = {0.5, -0.2} },
    time = { steps = 7 },
    output = { folder = "face_states_out", vtu = false, fields = {"velocity"} },
  })
  for i, v in ipairs(flow:field("velocity")) do
    expect.near("velocity of cell "..i..", order "..order, v[1], 0.5, 1e-13)
    expect.near("velocity of cell "..i..", order "..order, v[2], -0.2, 1e-13)
  end
end
