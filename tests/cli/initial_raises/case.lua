local function bump(x)
  return x.y
end
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  given = { power = 0 },
  initial = { T = function(x, y) return bump(x) end },
  boundary = { { {"left", "right", "bottom", "top"}, "insulated" } },
  time = { stop = 0.01 },
}
