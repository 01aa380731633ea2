local function plate(n)
  return case {
    scheme = "plate", device = "c",
    mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = n, ny = n, cells = "quads", periodic = "xy" },
    given = { power = 0 },
    initial = { T = function(x, y) return 2 + math.cos(2*math.pi*x) end },
    time = { stop = 0.01 },
    output = { vtu = false, run_json = false, folder = "out" .. n },
  }
end

local last
for _, n in ipairs { 8, 16, 32 } do
  local result = run(plate(n))
  local error = result:l1("T", function(x, y, t) return 2 + math.exp(-4*math.pi^2*t)*math.cos(2*math.pi*x) end)
  print(n, result.cells, last and string.format("order %.1f", math.log(last/error, 2)) or "first")
  last = error
end
