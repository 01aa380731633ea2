-- MacDonald's method: prescribe the depth of a steady flow with Manning's friction, and find the bed under which it is
-- the solution, from z' = (q^2/(g h^3) - 1) h' - n^2 q^2/h^(10/3). This is the subcritical channel of SWASHES (Delestre
-- et al. 2013, 3.2.1): 1 km, with z = 0 at its end.
return function(q, n, length, g)
  local K = (4/g)^(1/3)

  local function depth(x) return K*(1 + math.exp(-16*(x/length - 0.5)^2)/2) end

  local function slope(x)
    local s = x/length - 0.5
    local h, dh = depth(x), -16*s/length*K*math.exp(-16*s^2)
    return (q^2/(g*h^3) - 1)*dh - n^2*q^2/h^(10/3)
  end

  -- Simpson's rule upstream from the end; between the 4000 points slope and value fix a cubic.
  local points = 4000
  local dx, z = length/points, { [points] = 0 }
  for i = points - 1, 0, -1 do
    local x = i*dx
    z[i] = z[i + 1] - dx/6*(slope(x) + 4*slope(x + dx/2) + slope(x + dx))
  end

  local function bed(x)
    local i = math.min(math.max(math.floor(x/dx), 0), points - 1)
    local s = x/dx - i
    local a, b = dx*slope(i*dx), dx*slope((i + 1)*dx)
    return z[i]*(1 - s)^2*(1 + 2*s) + z[i + 1]*s^2*(3 - 2*s) + a*s*(1 - s)^2 - b*s^2*(1 - s)
  end

  return { bed = bed, depth = depth }
end
