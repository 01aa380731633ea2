-- Steady, frictionless flow over a parabolic bump in a channel of 25 m (SWASHES 3.1, Delestre et al. 2013), all of it
-- subcritical: the head q^2/(2 g h^2) + h + z is the same everywhere.
return function(q, level, g)
  local function bed(x) return math.max(0, 0.2 - 0.05*(x - 10)^2) end

  local head = q^2/(2*g*level^2) + level
  local critical = (q^2/g)^(1/3)

  local function depth(x)
    local energy, low, high = head - bed(x), critical, head
    for _ = 1, 60 do
      local h = (low + high)/2
      if q^2/(2*g*h^2) + h > energy then high = h else low = h end
    end
    return (low + high)/2
  end

  return { bed = bed, depth = depth }
end
