local manifest = arguments { manifest = "" }.manifest
local scheme = manifest == "" and "begun" or nil
return case {
  scheme = scheme,
  manifest = not scheme and manifest or nil,
  mesh = mesh.grid { x = {0, 1}, nx = 2 },
  initial = { u = function(x) return x end, w = 1 },
  boundary = { { "left", "wall" }, { "right", "wall" } },
  time = { steps = 2 },
  output = { folder = "begun", vtu = false, history = {"total", "beyond"} },
}
