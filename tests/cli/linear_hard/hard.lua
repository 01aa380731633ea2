-- What edgewise.linear gives for matrices that solvers dislike: a result that says so, or an error that names the row.
local linear = edgewise.linear

local function symmetric(n, lower)
  local row, column, value = {}, {}, {}
  for _, e in ipairs(lower) do
    row[#row + 1], column[#column + 1], value[#value + 1] = e[1], e[2], e[3]
    if e[1] ~= e[2] then row[#row + 1], column[#column + 1], value[#value + 1] = e[2], e[1], e[3] end
  end
  return linear.matrix { rows = n, row = row, column = column, value = value }
end

local free = symmetric(4, { {1, 1, 1}, {2, 2, 2}, {3, 3, 2}, {4, 4, 1}, {2, 1, -1}, {3, 2, -1}, {4, 3, -1} })
local parts = symmetric(4, { {1, 1, 1}, {2, 2, 1}, {2, 1, -1}, {3, 3, 1}, {4, 4, 1}, {4, 3, -1} })
local indefinite = symmetric(2, { {1, 1, 1}, {2, 2, 1}, {2, 1, 3} })
local one = symmetric(1, { {1, 1, 4} })
local empty = symmetric(2, { {1, 1, 1} })

local function show(name, preconditioner, s)
  local x = {}
  for i, v in ipairs(s.x) do x[i] = string.format("%.4f", v + 0) end
  print(name, preconditioner, s.converged, s.constant_null, #s.history == s.iterations + 1,
        s.converged and table.concat(x, " ") or s.message:match("^[^:\n]*"))
end

for _, p in ipairs { "none", "jacobi", "chebyshev", "multigrid" } do
  local function solve(name, matrix, rhs, guess, method)
    show(name, p, linear.solve { matrix = matrix, rhs = rhs, guess = guess, method = method, preconditioner = p, device = "c",
                                 may_fail = true })
  end
  solve("free", free, {4, 0, 0, 0}, {1, 1, 1, 1})
  solve("parts", parts, {1, 0, 3, 1}, {0, 0, 2, 2})
  solve("indefinite", indefinite, {1, -2}, nil, "cg")
  solve("one", one, {2})
  solve("zero", one, {0}, {3})
end
print(pcall(linear.solve, { matrix = empty, device = "c" }))
print(pcall(linear.solve, { matrix = one, rhs = {math.huge}, device = "c" }))

-- The matrix chooses where nothing is said, and another method goes on where the first one cannot.
local singular = symmetric(3, { {1, 1, 1}, {2, 1, 2}, {2, 2, 4}, {3, 3, 1} })
local turn = linear.matrix { rows = 2, row = {1, 2}, column = {2, 1}, value = {1, -1} }
for _, case in ipairs { {indefinite, {1, -2}}, {turn, {1, -2}}, {singular, {1, 0, 1}}, {free, {4, 0, 0, 0}} } do
  local s = linear.solve { matrix = case[1], rhs = case[2], device = "c", may_fail = true }
  print(s.first_method, s.method, s.preconditioner, s.ended, string.format("%.4f", s.outside))
end
print(pcall(linear.solve, { matrix = singular, rhs = {1, 0, 1}, device = "c" }))
linear.solve { matrix = indefinite, rhs = {1, -2}, method = "cg", preconditioner = "multigrid", device = "c" }
