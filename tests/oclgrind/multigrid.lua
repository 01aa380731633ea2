-- Multigrid's set-up in kernels: two levels, the iterations that the host's takes.
local linear = edgewise.linear
local s = linear.solve { matrix = linear.laplacian { n = 8 }, method = "cg", preconditioner = "multigrid" }
assert(s.converged and s.iterations <= 9, s.iterations)
