-- Couette flow of a rarefied gas: the exact solution of the Navier-Stokes-Fourier equations with slip and temperature jump, for
-- viscosity sqrt(T), walls at y = -1/2 and 1/2 that move with -U/2 and U/2, and the temperature 1 of both.
--
-- The shear s = sqrt(T)*u' is constant, T = Tc - k*u^2 with k = 4/15, and therefore
--   s*y = (u*sqrt(Tc - k*u^2) + Tc/sqrt(k)*asin(u*sqrt(k/Tc)))/2.
-- At the wall u + zeta*u' = U/2, T - 1 = tau*2*k*u*u', zeta = 1.1466*Kn*T/p, tau = 2.1904*Kn*T/p. The mean density is 1.
local k = 4/15

local function integral(u, Tc) return (u*math.sqrt(Tc - k*u*u) + Tc/math.sqrt(k)*math.asin(u*math.sqrt(k/Tc)))/2 end

-- A root of f between a and b, where its sign changes.
local function root(f, a, b)
  local fa = f(a)
  for _ = 1, 100 do
    local c = (a + b)/2
    local fc = f(c)
    if (fc > 0) == (fa > 0) then a, fa = c, fc else b = c end
  end
  return (a + b)/2
end

return function(U, Kn)
  local p, Tc, us = 1, 1 + k*U*U/4, U/2
  local s, Ts
  local function speed(y)
    local sign = y < 0 and -1 or 1
    return sign*root(function(u) return integral(u, Tc) - s*sign*y end, 0, us)
  end
  local function temperature(y) return Tc - k*speed(y)^2 end
  for _ = 1, 200 do
    s = 2*integral(us, Tc)
    Ts = Tc - k*us*us
    local slope = s/math.sqrt(Ts)
    us = U/2 - 1.1466*Kn*Ts/p*slope
    Tc = 1 + 2.1904*Kn*Ts/p*2*k*us*slope + k*us*us
    local mean, n = 0, 200  -- of 1/T by Simpson's rule: p = 1/mean
    for i = 0, n do mean = mean + (i == 0 and 1 or i == n and 1 or i % 2 == 1 and 4 or 2)/temperature(i/n/2)/(3*n) end
    p = 1/mean
  end
  return { speed = speed, temperature = temperature, p = p, slip = us, wall_temperature = Ts, shear = s }
end
