-- What the cases of this folder share: meshes of a handful of cells, runs of a few steps, and no files but the states at the end.
local common = {}

function common.mesh(cells, periodic)
  if cells == "tetrahedra" then
    return mesh.box { x = {0, 2}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 1, nz = 1, cells = cells, jitter = 0.1 }
  end
  return mesh.rectangle { x = {0, 4}, y = {0, 3}, nx = 4, ny = 3, cells = cells, jitter = 0.1, periodic = periodic }
end

function common.sides(arg)
  if arg.cells == "tetrahedra" then return { "left", "right", "bottom", "top", "back", "front" } end
  return { "left", "right", "bottom", "top" }
end

common.steps = { steps = 3, look = 2 }

return common
