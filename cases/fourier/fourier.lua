-- Heat conducted through a rarefied gas at rest between plates at y = 0 and y = 1, with temperature jump: the exact solution.
--
-- With the conductivity CT1*sqrt(T), CT1 = 25*sqrt(pi)/32*Kn, T^(3/2) is linear between T0 and T1, the gas's temperatures at the
-- plates. There T - T_w = 2.1904*Kn*T/p*dT/dn. The mean density is 1, so 1/p is the mean of 1/T.
return function(Th, Kn)
  local T0, T1, p, rise = 1, Th, 1, 0
  for _ = 1, 500 do
    rise = T1^1.5 - T0^1.5
    p = rise/(3*(math.sqrt(T1) - math.sqrt(T0)))
    local jump = 2.1904*Kn/p*2/3*rise
    T0, T1 = 1 + jump*math.sqrt(T0), Th - jump*math.sqrt(T1)
  end
  return {
    p = p, T0 = T0, T1 = T1, flux = 25*math.sqrt(math.pi)/32*Kn*2/3*rise,
    temperature = function(y) return (T0^1.5 + rise*y)^(2/3) end,
  }
end
