local what = arguments { what = "" }.what
local solids, patches = { { name = "block", x = {0.3, 0.6}, y = {0.3, 0.6} } }, {}
local boundary = { { {"left", "right", "bottom", "top"}, "held" }, { "block", "held", Tw = 1 } }

if what == "outside" then solids[1].x = {2.5, 2.8} end
if what == "partly outside" then solids[1].x = {1.8, 2.8} end
if what == "between cells" then solids[1].x = {0.31, 0.34} end
if what == "everywhere" then solids[1].x, solids[1].y = {0, 2}, {0, 1} end
if what == "solids overlap" then
  solids[2] = { name = "other", x = {0.5, 0.8}, y = {0.5, 0.8} }
  boundary[3] = { "other", "held" }
end
if what == "patches overlap" then
  patches = { { name = "low", side = "left", y = {0, 0.6} }, { name = "high", side = "left", y = {0.5, 1} } }
  boundary[3] = { {"low", "high"}, "held" }
end
if what == "patch outside" then
  patches = { { name = "high", side = "left", y = {1.5, 2} } }
  boundary[3] = { "high", "held" }
end
if what == "patch across its side" then
  patches = { { name = "low", side = "left", x = {0, 0.6} } }
  boundary[3] = { "low", "held" }
end
if what == "unknown side of a patch" then patches = { { name = "low", side = "lefft", y = {0, 0.6} } } end
if what == "unknown side" then boundary[1][1] = { "lft", "right", "bottom", "top" } end
if what == "two rules" then boundary[3] = { "left", "held", Tw = 2 } end
if what == "unknown rule" then boundary[2] = { "block", "closed" } end

return case {
  scheme = "warm",
  mesh = mesh.grid { x = {0, 2}, nx = 20, y = {0, 1}, ny = 10, solids = solids, patches = patches },
  initial = { T = 0 },
  boundary = boundary,
  time = { stop = 1 },
}
