-- scheme = simple_ts | maxwell_yee | gray_scott; gas around a block, in through one side and out of another, one pass a step.
local arg = arguments { scheme = "simple_ts", time = "implicit", space = "tvd", window = "off", periodic = false,
                        nx = 7, ny = 6 }

local schemes = {
  simple_ts = {
    variants = { time = arg.time, space = arg.space },
    parameters = { Kn = 0.05, step_size = 0.004, tol = 100 },
    initial = { p = 1, T = function(x, y) return 1 + 0.1*x end, u = 0.3, v = function(x, y) return 0.1*x*y end },
    sides = { { "left", "inlet", vel = {0.4, 0} }, { "right", "outlet" } },
    walls = { "wall", T_w = 1.1 },
  },
  maxwell_yee = {
    given = { eps = 1 },
    initial = { Hz = function(x, y) return x*y end, Ex = 0, Ey = 0 },
    sides = { { {"left", "right"}, "conductor" } },
    walls = { "conductor" },
  },
  gray_scott = {
    initial = { u = 1, v = function(x, y) return x < 0.5 and 0.5 or 0 end },
    sides = { { {"left", "right"}, "closed" } },
    walls = { "closed" },
  },
}

local s = schemes[arg.scheme]
local boundary = arg.periodic and {} or s.sides
local wall = { {"bottom", "top", "block"}, s.walls[1], T_w = s.walls.T_w }
boundary[#boundary + 1] = wall

return case {
  scheme = arg.scheme,
  variants = s.variants,
  schedule = { ["grid.window"] = arg.window, ["grid.columns"] = "16", ["grid.rows"] = "4", items = "each", group = "32" },
  mesh = mesh.grid { x = {0, arg.nx/10}, nx = arg.nx, y = {0, arg.ny/10}, ny = arg.ny, periodic = arg.periodic and "x" or nil,
                     solids = { { name = "block", x = {0.2, 0.4}, y = {0.2, 0.3} } } },
  parameters = s.parameters,
  given = s.given,
  initial = s.initial,
  boundary = boundary,
  time = { steps = 2 },
}
