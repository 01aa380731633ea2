local a = arguments { f = "r.geo", L = 1, many = false }
local numbers = { L = a.L }
if a.many then
  for i = 1, 80 do numbers[string.format("a_number_%02d", i)] = i end
end
return case {
  scheme = "plate",
  mesh = mesh.gmsh { recipe = a.f, numbers = numbers },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { "walls", "insulated" } },
  time = { steps = 1 },
  output = { history = "dt" },
  on_end = function(run) print(a.f, run:integral "T") end,
}
