-- Stoker (1957): at t = 0 a dam at x = 0 breaks; water of depth hl behind it, of depth hr before it, both at rest on a
-- flat, smooth bed. A rarefaction runs back, a bore of speed `shock` forward; between them the plateau (hm, um).
return function(hl, hr, g)
  local root = math.sqrt

  -- The velocity behind the rarefaction equals that behind the bore: the depth where they do, by bisection.
  local low, high = hr, hl
  for _ = 1, 100 do
    local h = (low + high)/2
    if 2*(root(g*hl) - root(g*h)) > (h - hr)*root(g/2*(h + hr)/(h*hr)) then low = h else high = h end
  end
  local hm = (low + high)/2
  local um = 2*(root(g*hl) - root(g*hm))
  local shock = um*hm/(hm - hr)

  local function depth(x, _, t)
    if t == 0 then return x < 0 and hl or hr end
    local speed = x/t
    if speed <= -root(g*hl) then return hl end
    if speed < um - root(g*hm) then return (2*root(g*hl) - speed)^2/(9*g) end
    return speed < shock and hm or hr
  end

  return { depth = depth, hm = hm, um = um, shock = shock }
end
