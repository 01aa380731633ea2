-- One setting of each kind that the case gives the scheme, and no output that would tell.
local arg = arguments { a = 1, p = 0, kappa = 1, Tw = 1, late = 1, ramp = 1, first = 0, rule = "held" }
return case {
  name = "b", scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, cells = "quads" },
  parameters = { kappa = arg.kappa },
  given = { power = function(x, y) return x*arg.p end },
  initial = { T = function(x, y) return arg.a*x end },
  boundary = { { "left", "held", Tw = arg.Tw }, { "right", "held", Tw = function(x, y, t) return t > 0.015 and arg.late or 1 end },
               { "top", "held", Tw = series { {0, 1}, {0.01, arg.ramp} } },
               arg.rule == "held" and { "bottom", "held", Tw = 1 } or { "bottom", "insulated" } },
  time = { stop = 0.02, first = arg.first > 0 and arg.first or nil }, output = { vtu = false },
  on_step = function(run) if run.step == tonumber(os.getenv("HALT")) then run:stop() end end,
}
