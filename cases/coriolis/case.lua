-- A mound of water on the rotating earth does not fall apart: it turns, and the turning holds it up, as in a geostrophic vortex.
local arg = arguments { n = 160, days = 1 }
local f, g, H, top, R = 1e-4, 9.81, 100, 0.5, 300e3
local function mound(x, y) return top*math.exp(-(x^2 + y^2)/(2*R^2)) end

return case {
  name = "coriolis", scheme = "coriolis", parameters = { f0 = f },
  mesh = mesh.rectangle { x = {-1e6, 1e6}, y = {-1e6, 1e6}, nx = arg.n, ny = arg.n, cells = "quads" },
  given = { z = -H, n = 0 },
  initial = {
    h = function(x, y) return H + mound(x, y) end,
    q = function(x, y) return H*g/f*mound(x, y)*y/R^2, -H*g/f*mound(x, y)*x/R^2 end,  -- the Coriolis force balances the slope
  },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 86400*arg.days },
  output = { every = 21600, fields = { "h", "surface", "velocity" },
    picture = { { field = "surface", map = "diverging", range = {-0.5, 0.5} }, { field = "velocity", name = "speed" } } },
  on_end = function(run)
    print(string.format("height of the mound after %g days, over what it was: %.4f", arg.days, run:at("surface", 1, 1)/mound(1, 1)))
  end,
}
