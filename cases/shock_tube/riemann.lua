-- The Riemann problem of Sod (1978) for an ideal gas without friction, at rest on both sides. A: of simple_ts, 1/2.
-- Returns rho(x/t), p(x/t), u(x/t) as functions of the similarity variable.
return function(left, right, gamma, A)
  local g1, g2 = (gamma - 1)/(2*gamma), (gamma + 1)/(2*gamma)
  local function sound(s) return math.sqrt(gamma*A*s.p/s.rho) end
  -- speed that a wave from state s to pressure p gives the gas
  local function speed(s, p)
    if p > s.p then return (p - s.p)*math.sqrt(2*A/(s.rho*((gamma + 1)*p + (gamma - 1)*s.p))) end
    return 2*sound(s)/(gamma - 1)*((p/s.p)^g1 - 1)
  end
  local a, b = 1e-6, 10
  for _ = 1, 200 do
    local p = (a + b)/2
    if speed(left, p) + speed(right, p) > 0 then b = p else a = p end
  end
  local p = (a + b)/2
  local u = speed(right, p)
  local cl, rho_l = sound(left), left.rho*(p/left.p)^(1/gamma)
  local head, tail = -cl, u - math.sqrt(gamma*A*p/rho_l)
  local rho_r = right.rho*(p/right.p*(gamma + 1) + gamma - 1)/(p/right.p*(gamma - 1) + gamma + 1)
  local shock = sound(right)*math.sqrt(g2*p/right.p + g1)
  return function(s)
    if s < head then return left.rho, left.p, 0 end
    if s < tail then
      local c = 2/(gamma + 1)*(cl - (gamma - 1)/2*s)
      return left.rho*(c/cl)^(2/(gamma - 1)), left.p*(c/cl)^(2*gamma/(gamma - 1)), s + c
    end
    if s < u then return rho_l, p, u end
    if s < shock then return rho_r, p, u end
    return right.rho, right.p, 0
  end
end
