-- Nodes that periodic sides lay on each other are one, in a hook as behind the run.
local arg = arguments { periodic = "x" }
local function look(run)
  print("nodes", #run:nodes(), run:global("ones"), "sum", run:sum("phi"), run:global("total"),
    "integral", run:integral("phi") == run:global("held") or math.abs(run:integral("phi") - run:global("held")) < 1e-14)
end
local with = case {
  scheme = "turned.ew", device = "c",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 4, periodic = arg.periodic },
  initial = { phi = function(x, y) return 8*(x % 1)*(1 - x % 1) + (y % 1)*(1 - y % 1) end },
  boundary = arg.periodic == "x" and { { {"bottom", "top"}, "closed" } } or nil,
  time = { steps = 2 },
  output = { vtu = false, run_json = false, history = {"ones", "total", "held"} },
  on_end = look,
}
look(run(with))
