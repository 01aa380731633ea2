-- On a mesh without boundaries a flux goes in where it goes out, and what is summed by faces is what is summed by cells.
local arg = arguments { nodes = 0, cells = "triangles", seed = 1 }
math.randomseed(arg.seed)
local a, b = math.random(), 3*math.random()
local text, names = io.open("both.ew"):read("a"), {}
for name in text:gmatch("\n  ([%a_]+%d) = ") do names[#names + 1] = name end
local function smooth(x, y) return 1.5 + math.sin(2*math.pi*(x + a)) + 0.3*math.cos(2*math.pi*(y - b)) end
local function rough(x, y) return 1 + a*x + b*y end
return case {
  scheme = "both.ew", device = "c",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3 + arg.seed % 4, ny = 5, periodic = "xy", cells = arg.cells, jitter = 0.2 },
  given = arg.nodes == 0 and { zf = rough, vf = function(x, y) return x - a, b*y end } or nil,
  initial = arg.nodes == 1 and { w = smooth } or { T = rough, s = function(x, y) return x, a - y end, u = function(x, y) return b*x, x + y end },
  time = { steps = 3 },
  output = { vtu = false, run_json = false, history = names },
  on_step = function(run)
    local function same(p, q, what)
      if math.abs(p - q) > 1e-11*(1 + math.abs(p) + math.abs(q)) then error(string.format("%s: %.15g and %.15g\n%s", what, p, q, text)) end
    end
    for k = 1, 4 do
      if arg.nodes == 1 then same(run:global("by_edge" .. k), run:global("by_node" .. k), "by edges and by nodes " .. k)
      else
        same(run:global("net" .. k), 0, "out of the whole mesh, " .. k)
        same(run:global("work_by_face" .. k), run:global("work_by_cell" .. k), "work by faces and by cells " .. k)
        same(run:global("even_by_face" .. k), run:global("even_by_cell" .. k), "by faces and by cells " .. k)
      end
    end
  end,
}
