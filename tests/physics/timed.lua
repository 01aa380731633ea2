-- What a case gives over time holds when the formula would: as functions and as series, in rules and as givens, on meshes, at nodes
-- and on grids; also in what is shown behind a step.
local expect = require "expect"

local function wave(t) return math.sin(3*t) + t^2 end
local function knots(f, stop) -- so close that their chords are the function, but for 1e-9
  local rows = {}
  for k = 0, 20000 do local t = k*stop/20000; rows[#rows + 1] = {t, f(t)} end
  return series(rows)
end

local sides = {"left", "right", "bottom", "top"}
local places = {
  cells = { fields = {"a", "b", "c"}, shown = {"s", "kept"}, along = 1, schedule = { kept = "store" } },
  nodes = { fields = {"a", "b", "v"}, shown = {"s"}, along = 1, loaded = true },
  grid = { fields = {"u", "w", "e"}, shown = {"s"}, along = 2 },
}

local function try(place, what, as_series)
  local p = places[place]
  local initial = {}
  for _, f in ipairs(p.fields) do initial[f] = f == "v" and {0, 0} or 0 end
  local Ta, q = function(x, y, t) return math.cos(t) end, function(x, y, t) return t^2 end
  if as_series then Ta, q = knots(math.cos, 0.1237), knots(function(t) return t^2 end, 0.1237) end
  local on = p.loaded and { {"left", "right"}, "held", Ta = Ta, q = q } or { sides, "held", Ta = Ta, q = q }
  local shown = {}
  for _, f in ipairs(p.fields) do shown[#shown + 1] = f end
  for _, f in ipairs(p.shown) do shown[#shown + 1] = f end
  return run(case {
    scheme = "timed_"..place..".ew",
    variants = { what = what },
    device = expect.device or "c", -- where kernels are built fast: there are many
    mesh = place == "grid" and mesh.grid { x = {0, 1}, y = {0, 1}, nx = 5, ny = 4 }
        or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
    initial = initial,
    given = { source = function(x, y, t) return (p.along == 2 and 1 or x)*wave(t) end },
    boundary = p.loaded and { on, { {"bottom", "top"}, "loaded", q = q } } or { on },
    schedule = p.schedule,
    time = { steps = 20, shorten = false }, -- the same steps with series: they are not cut at their knots
    output = { folder = "timed_out", vtu = false, fields = shown, history = place == "cells" and {"largest"} or nil },
  })
end

for place, p in pairs(places) do
  local formula = try(place, "formula")
  for _, way in ipairs { "functions", "series" } do
    local given = try(place, "passed", way == "series")
    for _, list in ipairs { p.fields, p.shown } do
      for _, f in ipairs(list) do
        local a, b = formula:field(f), given:field(f)
        local differs, largest = 0, 0
        for i = 1, #a do
          local x, y = a[i], b[i]
          if type(x) ~= "table" then x, y = {x}, {y} end
          for d = 1, #x do
            differs, largest = math.max(differs, math.abs(x[d] - y[d])), math.max(largest, math.abs(x[d]))
          end
        end
        expect.below(place..": "..f..", "..way.." for formulas", differs/largest, way == "series" and 1e-7 or 1e-12)
        expect.above(place..": "..f.." is not zero", largest, 1e-6)
      end
    end
  end
  if place == "cells" then
    local given = try(place, "passed")
    expect.near("a global shown behind the last step", given:global("largest"), formula:global("largest"), 1e-14)
  end
end
