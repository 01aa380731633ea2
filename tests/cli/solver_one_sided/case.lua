local arg = arguments { a = 1, seed = 1, more = 0, method = "bicgstab" }
math.randomseed(arg.seed)
local k, c = 6*math.random(), 3*math.random()
return case {
  scheme = "carried.ew", device = "c", solver = { method = arg.method }, parameters = { a = arg.a, more = arg.more },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2 + arg.seed % 7, ny = 5, jitter = 0.2 },
  initial = { p = 0, x0 = function(x, y) return math.sin(k*x + c*y*y) end },
  boundary = { { {"left", "right", "bottom", "top"}, "closed" } },
  time = { steps = 1 },
  output = { vtu = false, run_json = false, history = {"apart", "below"} },
  on_end = function(run)
    local off = run:global("apart") - run:global("below")
    if off > 1e-8 then error(string.format("seed %d, %s, a = %g: off by %g", arg.seed, arg.method, arg.a, off)) end
  end,
}
