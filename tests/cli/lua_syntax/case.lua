return case {
  scheme = "heat"
  mesh = nil,
}
