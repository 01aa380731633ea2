-- Ten steps of flow under a lid that starts to move, 17 x 17 nodes: the figures of an independent solver, which stand in the design.
-- The case wants steps of 0.02 s; by itself the scheme, allowed so large a cfl, would take longer ones.
local expect = require "expect"

local r = run(case {
  scheme = "edge_navier_stokes",
  device = expect.device,
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 16, ny = 16, pattern = "right" },
  parameters = { nu = 0.01, tol = 1e-13, cfl = 2 },
  given = { b = {0, 0} },
  initial = { u = {0, 0}, p = 0 },
  boundary = { { {"left", "right", "bottom"}, "fixed", U = {0, 0} }, { "top", "fixed", U = {1, 0} } },
  time = { stop = 0.2, step = 0.02 },
  output = { folder = "lid_cavity_out", vtu = false },
})
expect.near("steps", r.step, 10, 0)

local x, u, p = r:nodes(), r:field("u"), r:field("p")
local number = {} -- row by row from the lower left corner, counted from 0
for n = 1, #p do number[math.floor(16*x[n][2] + 0.5)*17 + math.floor(16*x[n][1] + 0.5)] = n end

local function compare(name, value, low, high, mean, a, b, c)
  local least, most, sum = math.huge, -math.huge, 0
  for n = 1, #p do
    local v = value(n)
    least, most, sum = math.min(least, v), math.max(most, v), sum + v
  end
  local found = { least, most, sum/#p, value(number[144]), value(number[263]), value(number[253]) }
  for i, wanted in ipairs { low, high, mean, a, b, c } do
    local what = { "least", "largest", "mean", "node 144", "node 263", "node 253" }
    expect.near(name .. ", " .. what[i], found[i], wanted, 2e-11)
  end
end
compare("u", function(n) return u[n][1] end,
  -.4794136996807, 1, .02420886886424, -.05610934644612, .2256857831413, -.1424166619641)
compare("v", function(n) return u[n][2] end,
  -.4601012898362, .5222468657945, -4.892121684475e-5, .00132511694895, .0009132595187698, -.4184822091559)
compare("p", function(n) return p[n] - p[number[0]] end,
  -3.426088719979, 1.659275292455, -.001944484808757, .005726359406586, -.009107250699007, .3489580352987)
