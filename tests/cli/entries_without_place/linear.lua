local linear = edgewise.linear
local function try(f, ...) print(select(2, pcall(f, ...))) end
local m = linear.matrix { rows = 2, row = {1, 2}, column = {1, 2}, value = {1, 1} }
try(linear.matrix, { rows = 2, row = {1, 2, x = 3}, column = {1, 2}, value = {1, nil, 1} })
try(linear.solve, { matrix = m, rhs = {1, 2, x = 3} })
try(linear.solve, { matrix = m, guess = {1, [0] = 3, 2} })
try(m.multiply, m, {1, 2, x = 3})
try(linear.write_vector, "x.mtx", {1, 2, x = 3})
