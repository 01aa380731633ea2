local linear = edgewise.linear

local chain = linear.read "chain.mtx"
local s = linear.solve { matrix = chain, rhs = { 1, 0, 1 }, preconditioner = "none" }
print(chain.rows, chain.entries, s.iterations, s.converged, #s.history)
print(string.format("%.12g %.12g %.12g", table.unpack(s.x)))
print(table.concat(chain:multiply { 1, 1, 1 }, " "))

linear.write_vector("b.mtx", { 1, 0, 1 })
print(table.concat(linear.read_vector "b.mtx", " "))
local again = linear.solve { matrix = "chain.mtx", rhs = "b.mtx", guess = s.x }
print(again.iterations)

local pair = linear.matrix { rows = 2, row = { 1, 2, 1, 2, 1 }, column = { 1, 2, 2, 1, 1 }, value = { 1, 2, -1, -1, 1 } }
print(string.format("%.12g %.12g", table.unpack(linear.solve { matrix = pair, rhs = { 1, 0 } }.x)))

local cube = linear.laplacian { n = 12 }
print(cube.rows, linear.solve { matrix = cube }.iterations < 15)
local ends = {}
for i = 1, 216 do ends[i] = i == 1 and 1 or i == 216 and -1 or 0 end
local free = linear.solve { matrix = linear.laplacian { n = 6, fixed = false }, rhs = ends }
print(free.constant_null, free.iterations < 15, free.x[1] > free.x[216])
local short = linear.solve { matrix = cube, preconditioner = "none", iterations = 3, may_fail = true }
print(short.converged, #short.history, short.message ~= "")
