-- Hills that a velocity (-y, x) carries around the origin: the square they turn in, its half side, what diffuses them, their
-- mass, and their exact height.
local exp, cos, sin, pi = math.exp, math.cos, math.sin, math.pi

return {
  -- Donea and Huerta's: of height 1 and width 0.4, at first centred at (1/6, 1/6)
  cosine = {
    half = 0.5,
    kappa = 0,
    mass = 0.0397567,
    height = function(x, y, t)
      local X, Y = (cos(t)*x + sin(t)*y - 1/6)/0.2, (cos(t)*y - sin(t)*x - 1/6)/0.2
      if X^2 + Y^2 > 1 then return 0 end
      return (1 + cos(pi*X))*(1 + cos(pi*Y))/4
    end,
  },
  -- of height 1 and standard deviation 0.1 at (1/2, 0), spreading on its way
  gauss = {
    half = 1,
    kappa = 1e-3,
    mass = 2*pi*0.1^2,
    height = function(x, y, t)
      local s = 0.1^2 + 2*1e-3*t
      return 0.1^2/s*exp(-((x - cos(t)/2)^2 + (y - sin(t)/2)^2)/(2*s))
    end,
  },
}
