local arg = arguments { good = false }
local sides = {"left", "right", "bottom", "top", "back", "front"}
local function of(wrong, right) return arg.good and right or wrong end
return case {
  scheme = "plate3.ew",
  mesh = mesh.box { x = {0, 1}, y = {10, 11}, z = {100, 101}, nx = 2, ny = 2, nz = 2 },
  given = { power = of(function(x, z) return 0*z end, function(_, _, z) return 0*z end) },
  initial = { T = of(function(z) return z end, function(x, y, z) return z end) },
  boundary = { { sides, "held", Tw = of(function(t, y, x) return x end, function(a, b, t) return 0*a*b + t end) } },
  time = { steps = 1 },
  output = { vtu = false },
  device = "c",
  on_end = function(run)
    for _, exact in ipairs { function(z) return z end, function(y, t) return y + t end, function(x, z, y) return y end } do
      print(select(2, pcall(run.linf, run, "T", exact)))
    end
  end,
}
