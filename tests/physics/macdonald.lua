-- A channel with friction, depth known (SWASHES 3.2.1), for the three places where friction may act.
local expect = require "expect"
local q, manning, length = 2, 0.033, 1000
local exact = require "channel"(q, manning, length, 9.81)

local function error_of(n, friction)
  local dx = length/n
  local r = run(case {
    scheme = "shallow_water",
    device = expect.device or "c",
    variants = { friction = friction },
    mesh = mesh.rectangle { x = {0, length}, y = {0, 2*dx}, nx = n, ny = 2 },
    given = { z = exact.bed, n = manning },
    initial = { h = 0.8, q = {q, 0} },
    boundary = {
      { "left", "inflow", discharge = q },
      { "right", "level", eta = exact.depth(length) + exact.bed(length - dx/3) },
      { {"bottom", "top"}, "wall" },
    },
    time = { stop = 4000 },
    output = { folder = "macdonald_out", vtu = false },
  })
  return r:l1("h", exact.depth)/(r:integral("h")/(2*dx*length))
end

-- The design: 2.0 % and 0.056 % with dx = 10 m.
local cell, edge = {}, {}
for i, n in ipairs { 50, 100 } do
  cell[i], edge[i] = error_of(n, "cell"), error_of(n, "edge")
end
expect.order("MacDonald, friction in cells", cell, { 0.045, 0.023 }, 0.9)
expect.order("MacDonald, friction on edges", edge, { 1.3e-3, 6.5e-4 }, 0.9)
expect.near("MacDonald: mixed is edge in deep water", error_of(50, "mixed"), edge[1], 1e-12)
