local a = arguments { h = "depth", fill = "none", step = 0, mesh = "file", z = "0" }
local function data(name)
  if name:match "^%d" then return tonumber(name) end
  return mesh_data { name, fill = tonumber(a.fill), step = a.step > 0 and a.step or nil }
end
local sides = a.mesh == "file" and {"wall", "in"} or {"left", "right", "bottom", "top"}
return case {
  scheme = "shallow_water",
  mesh = a.mesh == "file" and mesh.gmsh { file = "holes.msh" } or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 },
  given = { z = data(a.z), n = 0 },
  initial = { h = data(a.h), q = 0 },
  boundary = { { sides, "wall" } },
  time = { steps = 1 },
}
