local linear = edgewise.linear
print "before"
linear.solve { matrix = linear.laplacian { n = 6 }, preconditioner = "jacobi", iterations = 2, device = "c" }
print "after"
