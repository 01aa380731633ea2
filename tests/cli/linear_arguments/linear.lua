edgewise.linear.solve {
  matrix = "chain.mtx",
  method = "gmress",
  tolerence = 1e-6,
  iterations = -1,
}
