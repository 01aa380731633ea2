-- A scheme of random formulas in an `exchange`, on a grid and on its mirror image across x = y with the mirror image of all that is given: what is
-- declared along x here is what is declared once more, along y, there.
local text, shown = io.open("mirrored.ew"):read("a"), {}
for name in text:gmatch("\n    ([rqtS]%d%.%a+) @") do
  shown[#shown + 1] = name
  shown[#shown + 1] = name:gsub("%.xy$", ".yx"):gsub("%.x$", ".y")
end
local edges = { {0, 0.5, 1.2, 2}, {0, 0.3, 1.3} }
local function T(x, y) return x + 2*y*y end
local function u(x, y) return math.sin(3*x) + y end
local function v(x, y) return x*y - 0.2 end
local function K(x, y) return 1 + x, 2, 3*y, 4 + x*y end
local function s(x, y) return 5 + y, 6 - x end
local function domain(turned)
  local function of(f) return turned and function(x, y) return f(y, x) end or f end
  local values = {}
  local c = case {
    scheme = "mirrored.ew", device = "c",
    mesh = mesh.grid { x = edges[turned and 2 or 1], y = edges[turned and 1 or 2] },
    given = {
      K = turned and function(x, y) local a, b, c, d = K(y, x) return d, c, b, a end or K,
      s = turned and function(x, y) local a, b = s(y, x) return b, a end or s,
    },
    initial = { T = of(T), u = of(turned and v or u), v = of(turned and u or v) },
    boundary = { { {"left", "right", "bottom", "top"}, "side" } },
    time = { steps = 1 },
    output = { vtu = false, run_json = false, fields = shown },
    on_end = function(run) for _, n in ipairs(shown) do values[n] = run:field(n) end end,
  }
  run(c)
  return values
end
local here, there = domain(false), domain(true)
for i, n in ipairs(shown) do
  local other = shown[i % 2 == 1 and i + 1 or i - 1]
  for ix = 1, 3 do
    for iy = 1, 2 do
      local a, b = here[n][ix + 3*(iy - 1)], there[other][iy + 2*(ix - 1)]
      if math.abs(a - b) > 1e-12*(math.abs(a) + math.abs(b) + 1) then
        error(string.format("%s is %.15g in column %d, row %d; %s of the mirror image %.15g:\n%s", n, a, ix, iy, other, b, text))
      end
    end
  end
end
print(#shown .. " agree")
