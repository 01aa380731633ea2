edgewise.linear.solve {
  matrix = "chain.mtx",
  method = "gmres",
  tolerence = 1e-6,
  iterations = -1,
}
