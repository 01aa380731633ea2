-- States of one value: nothing is lost between a plate and two baths, kernels and interpreter agree, and a run that goes on from a
-- checkpoint is the run.
local expect = require "expect"

local function plate(device, more)
  local c = {
    scheme = "one_value", device = device,
    mesh = mesh.rectangle { x = {0, 2}, y = {0, 1}, nx = 24, ny = 12, jitter = 0.2, seed = 2 },
    initial = { T = function(x, y) return 10 + math.sin(3*x)*y end, warm = 30, cold = 5, heat = {0, 0} },
    boundary = { { "left", "warmed" }, { "right", "cooled" }, { {"bottom", "top"}, "insulated" } },
    time = { steps = 400 },
    output = { folder = "one_value_out", vtu = false, history = { "total", "gave", "coldest", "hottest" } },
  }
  for key, value in pairs(more or {}) do c[key] = value end
  return run(case(c))
end

local before
local r = plate(expect.device, { on_output = function(s) before = before or { s:global "total", s:integral "T" } end })
expect.near("heat of plate and baths", r:global("total")/before[1], 1, 1e-13)
expect.near("what the baths gave is in the plate", (r:integral("T") - before[2])/r:global("gave"), 1, 1e-11)
expect.above("the warm bath has cooled", 30 - r:global("hottest"), 0.5)
expect.above("the cold bath has warmed", r:global("coldest") - 5, 0.2)

-- What is required of one value, or of a reduction, holds at the start and after every step.
local function fails(what, more)
  local good, why = pcall(plate, expect.device, more)
  if good or not tostring(why):find "check" then error(what..": the run went on: "..tostring(why)) end
end
local function plain(x, y) return 10 end
fails("colder than the cold bath", { initial = { T = plain, warm = 5, cold = 30, heat = {0, 0} } })
fails("a plate that gets too warm", { initial = { T = plain, warm = 30, cold = 5, heat = {0, 0} }, parameters = { mild = 12 } })

local meant = plate("reference")
for _, name in ipairs { "total", "gave", "coldest", "hottest" } do
  expect.near(name.." as the interpreter says", r:global(name)/meant:global(name), 1, 1e-12)
end
