-- One of `what` is given over time, as a series, from a file, or as a function; from t = 0.03 on it is `late`, and the run is stopped before.
local arg = arguments { on = "cells", what = "Tw", kind = "function", late = 1, halt = -1 }
local value = arg.kind == "function" and function(x, y, t) return (x + 2*y)*(t < 0.03 and 1 or arg.late) end
    or arg.kind == "series" and series { {0, 1}, {0.03, 1}, {0.04, arg.late} }
    or arg.kind == "file" and series "rows.csv" or 1
local side = {"left", "right", "bottom", "top"}
return case {
  scheme = arg.on..".ew",
  mesh = arg.on == "points" and mesh.grid { x = {0, 1}, y = {0, 1}, nx = 5, ny = 4 }
      or mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 5, ny = 4 },
  given = { power = arg.what == "power" and value or 0 },
  initial = { T = 0 },
  boundary = { { side, "held", Tw = arg.what == "Tw" and value or 1 } },
  time = { stop = 0.05 }, output = { vtu = false },
  on_step = function(run) if run.step == arg.halt then run:stop() end end,
}
