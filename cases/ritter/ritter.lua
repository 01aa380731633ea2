-- Ritter (1892): at t = 0 a dam at x = 0 breaks over a flat, smooth and dry bed; behind it stands water of depth hl. It
-- becomes a parabola, whose tip runs at twice the speed of a small wave on the reservoir.
return function(hl, g)
  local c = math.sqrt(g*hl)

  local function depth(x, _, t)
    if x <= -c*t then return hl end
    if x >= 2*c*t then return 0 end
    return (2*c - x/t)^2/(9*g)
  end

  return { depth = depth, tip = function(t) return 2*c*t end }
end
