local a = arguments { dim = 3, probe = "2", from = "2" }
local point = { ["1x"] = {0.5}, ["1"] = {0.5, 0}, ["1y"] = {0.5, 0.5}, ["2"] = {0.5, 0.5}, ["3"] = {0.5, 0.5, 0.5} }
local axes = { x = {0, 1}, nx = 2 }
if a.dim > 1 then axes.y, axes.ny = {0, 1}, 2 end
if a.dim > 2 then axes.z, axes.nz = {0, 1}, 2 end
return case {
  scheme = "points" .. a.dim .. ".ew",
  mesh = mesh.grid(axes),
  initial = { T = 1 },
  boundary = { { ({ {"left", "right"}, {"left", "right", "bottom", "top"}, {"left", "right", "bottom", "top", "back", "front"} })[a.dim], "open" } },
  time = { steps = 1 },
  output = { vtu = false, probes = { here = point[a.probe] }, plot = { field = "T", from = point[a.from], to = point[a.probe] } },
  device = "c",
}
