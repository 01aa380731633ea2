-- Behind a periodic side stands the image of a point, with its value, however the quantity is computed; and a quantity that a rule
-- fixes is shown as fixed.
local expect = require "expect"
local device = expect.device or "c"
local output = { folder = "images_out", vtu = false, fields = { "shown" } }
local n, here = 3, {}
for i = 1, n do here[i] = math.sin(i - 0.5)*2 end

for _, form in ipairs { "inline", "store", "window" } do
  local r = run(case {
    scheme = "images.ew", device = device, output = output,
    schedule = { one = form == "window" and "inline" or form, here = form },
    mesh = mesh.grid { x = {0, n}, nx = n, periodic = "x" },
    initial = { s = 2, r = 0, m = 0 },
    time = { steps = 1 },
  })
  local one, m = r:field("r"), r:field("m")
  for i = 1, n do
    expect.near(form .. ": what never changes", one[i], 2, 0)
    expect.near(form .. ": what reads where it lies", m[i], here[i % n + 1] - here[(i - 2) % n + 1], 1e-14)
  end
end

local walls = run(case {
  scheme = "images.ew", device = device, output = output,
  mesh = mesh.grid { x = {0, n}, nx = n },
  initial = { s = 2, r = 0, m = 0 },
  boundary = { { { "left", "right" }, "wall" } },
  time = { steps = 1 },
})
local shown = walls:field("shown")
-- read at cells: the mean of both sides; the outer ones are 0
for i, value in ipairs { 0.5, 1, 0.5 } do expect.near("a fixed quantity, shown", shown[i], value, 0) end
