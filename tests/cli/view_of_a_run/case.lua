local arg = arguments { what = "hooks" }

local function pair(extra)
  local c = {
    scheme = "pair.ew", device = "c",
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
    initial = { u = function(x, y) return 3, 4 end, phi = 0 },
    boundary = { { {"left", "right", "bottom", "top"}, "held", value = 0 } },
    time = { steps = 2 },
    output = { vtu = false, run_json = false, history = "total", probes = { middle = {0.5, 0.4} } },
  }
  for k, v in pairs(extra) do c[k] = v end
  return case(c)
end

local function say(...)
  local good, what = pcall(...)
  print(good and "good" or "error", good and what or tostring(what):gsub("^[^:]*:%d+: ", ""))
end

local function look(run)
  print("length of u", run:max("u"), "its parts", run:max("u.x"), run:min("u.y"), "number", run:max("u.2"))
  print("total", run:global("total"), "iterations", run:global("phi.iterations") >= 0, run:global("phi.residual") < 1e-9)
  print("probe", run:probe("middle", "u.x"), run:probe("middle", "phi") > 0)
  say(run.max, run, "v")
  say(run.max, run, "u.z")
  say(run.global, run, "totla")
  say(run.probe, run, "midle", "u.x")
end

if arg.what == "hooks" then
  return pair { on_step = function(run)
    if run.step ~= 2 then return end
    look(run)
    print("at", run:at("u", 0.1, 0.2))
    say(run.at, run, "u", 3, 0.2)
  end }
end

local kept
local run = run(pair { on_step = function(r) kept = r end })
print(run.step, "steps")
look(run)
say(run.at, run, "u", 0.1, 0.2)
say(function() return kept:max("u") end)
