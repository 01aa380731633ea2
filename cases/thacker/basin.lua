-- Thacker (1981): water in a paraboloid of revolution, its surface a paraboloid too, swings up and down for ever; the
-- shore moves with it. Basin z = -h0 (1 - r^2/a^2), r from the centre; at t = 0 the depth in the middle is largest and
-- r0 sets how high the water stands there (SWASHES 4.2.2, Delestre et al. 2013).
return function(a, r0, h0, g)
  local A = (a^2 - r0^2)/(a^2 + r0^2)
  local omega = math.sqrt(8*g*h0)/a

  local function bed(x, y) return -h0*(1 - (x^2 + y^2)/a^2) end

  local function depth(x, y, t)
    local s, r2 = 1 - A*math.cos(omega*t), x^2 + y^2
    local surface = h0*(math.sqrt(1 - A^2)/s - 1 - r2/a^2*((1 - A^2)/s^2 - 1))
    return math.max(0, surface - bed(x, y))
  end

  local function shore(t) return a*math.sqrt((1 - A*math.cos(omega*t))/math.sqrt(1 - A^2)) end

  return { bed = bed, depth = depth, shore = shore, period = 2*math.pi/omega, volume = math.pi*h0*a^2/2 }
end
