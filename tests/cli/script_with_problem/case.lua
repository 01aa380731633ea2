local result = run(case {
  scheme = "plate",
  mash = 1,
})
