-- A dam breaks whose water is dyed: the dye goes with the water that came from behind the dam, the wave runs ahead of it.
local arg = arguments { n = 200, stop = 30 }
local function behind(x) return x < 0 end

return case {
  name = "tracer", scheme = "tracer",
  mesh = mesh.rectangle { x = {-200, 200}, y = {0, 20}, nx = arg.n, ny = math.max(1, arg.n//20), cells = "quads" },
  given = { z = 0, n = 0 },
  initial = { h = function(x) return behind(x) and 2 or 1 end, q = 0, m = function(x) return behind(x) and 2 or 0 end },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = arg.stop },
  output = { every = 10, fields = { "h", "m", "concentration" },
    plot = { field = { "h", "concentration" }, from = {-200, 10}, to = {200, 10}, title = "depth [m], dye [kg/m^3]" } },
  on_end = function(run)
    -- Stoker: between the waves the water moves with um, and the dye's front with it
    local um, front, volume = 1.305834, 0, run:volumes()
    for i, c in ipairs(run:field("concentration")) do front = front + c*volume[i]/20 end
    print(string.format("the dye that is there, over what was: %.15f", run:integral("m")/(2*200*20)))
    print(string.format("dye's front, over the exact place: %.4f", (front - 200)/(um*run.t)))
  end,
}
