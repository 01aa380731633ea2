-- A hill is carried once around: what is left of its height shows how much the scheme smears. With hill=gauss it also spreads.
local hills = require "hills"
local arg = arguments { n = 60, turns = 1, cfl = 0.5, form = "conservative", jitter = 0.2, hill = "cosine" }
local hill = hills[arg.hill] or error("hill must be cosine or gauss")
local side = {-hill.half, hill.half}

return case {
  scheme = "convection_diffusion",
  variants = { stabilisation = arg.form },
  parameters = { kappa = hill.kappa, cfl = arg.cfl },
  mesh = mesh.rectangle { x = side, y = side, nx = arg.n, ny = arg.n, jitter = arg.jitter, seed = 1 },
  given = { a = function(x, y) return {-y, x} end },
  initial = { phi = function(x, y) return hill.height(x, y, 0) end },
  boundary = { { {"left", "right", "bottom", "top"}, "held", value = 0 } },
  time = { stop = 2*math.pi*arg.turns },
  output = { picture = { field = "phi", contours = 8 } },
  on_end = function(run)
    local nodes, size = run:nodes(), 0
    for _, x in ipairs(nodes) do size = size + hill.height(x[1], x[2], run.t)^2 end
    print(("peak %.3f, least %.3f, error %.3f of the hill, mass %.4f"):format(run:max("phi"), run:min("phi"),
      run:l2("phi", hill.height)/math.sqrt(size/#nodes), run:integral("phi")/hill.mass))
  end,
}
