-- What the scripts of this folder expect; the first failure ends the script. EDGEWISE_TEST_DEVICE names the device.
local expect = { device = os.getenv("EDGEWISE_TEST_DEVICE") }

function expect.below(what, value, limit)
  print(string.format("%-58s %10.3e  limit %.3e", what, value, limit))
  if not (value <= limit) then error(string.format("%s: %.15g, limit %.15g", what, value, limit), 2) end
end

function expect.above(what, value, limit)
  print(string.format("%-58s %10.3e  at least %.3e", what, value, limit))
  if not (value >= limit) then error(string.format("%s: %.15g, limit %.15g", what, value, limit), 2) end
end

function expect.near(what, value, wanted, tolerance)
  print(string.format("%-58s %.10g  wanted %.10g within %.1e", what, value, wanted, tolerance))
  if not (math.abs(value - wanted) <= tolerance) then
    error(string.format("%s: %.15g, wanted %.15g within %g", what, value, wanted, tolerance), 2)
  end
end

-- The errors of meshes, each with half the spacing of the one before: none above its limit, falling with this order.
function expect.order(what, errors, limits, order)
  for i, e in ipairs(errors) do
    expect.below(string.format("%s, mesh %d", what, i), e, limits[i])
    if i > 1 then expect.above(what..": order", math.log(errors[i - 1]/e, 2), order) end
  end
end

return expect
