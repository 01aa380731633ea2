-- WHAT stands for what is wrong.
local function all(T, more)
  local c = {
    scheme = "plate",
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2, periodic = "xy" },
    given = { power = 0 },
    initial = { T = T or 1 },
    time = { stop = 0.01 },
  }
  for k, v in pairs(more or {}) do c[k] = v end
  return case(c)
end
return WHAT
