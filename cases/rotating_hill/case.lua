-- A hill is carried once around: what is left of its height shows how much the scheme smears.
local arg = arguments { n = 60, turns = 1, cfl = 0.5, form = "conservative", jitter = 0.2 }
local pi = math.pi

-- Donea and Huerta's cosine hill, of height 1 and width 0.4, centred at (1/6, 1/6)
local function hill(x, y)
  local X, Y = (x - 1/6)/0.2, (y - 1/6)/0.2
  if X^2 + Y^2 > 1 then return 0 end
  return (1 + math.cos(pi*X))*(1 + math.cos(pi*Y))/4
end

return case {
  scheme = "convection_diffusion",
  variants = { stabilisation = arg.form },
  parameters = { kappa = 0, cfl = arg.cfl },
  mesh = mesh.rectangle {
    x = {-0.5, 0.5}, y = {-0.5, 0.5}, nx = arg.n, ny = arg.n, jitter = arg.jitter, seed = 1,
  },
  given = { a = function(x, y) return {-y, x} end },
  initial = { phi = hill },
  boundary = { { {"left", "right", "bottom", "top"}, "held", value = 0 } },
  time = { stop = 2*pi*arg.turns },
  output = { picture = { field = "phi", contours = 8 } },
  on_end = function(run)
    print(("peak %.3f, least %.3f, mean error %.4f, mass %.4f"):format(run:max("phi"), run:min("phi"),
      run:l2("phi", hill), run:integral("phi")/0.04))
  end,
}
