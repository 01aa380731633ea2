-- Values for small cases: smooth, different for every shift, nowhere symmetric.
local values = {}

local function wave(shift, low, high, x, y, z)
  return (low + high)/2 + (high - low)/2*math.sin(2.3*x + shift)*math.cos(3.1*y - 2*shift + z)
end

-- Between low and high, for meshes of one to three dimensions.
function values.wave(shift, low, high, dims)
  if dims == 1 then return function(x) return wave(shift, low, high, x, 0, 0) end end
  if dims == 3 then return function(x, y, z) return wave(shift, low, high, x, y, z) end end
  return function(x, y) return wave(shift, low, high, x, y, 0) end
end

function values.vector(shift, size, dims)
  local function part(k, x, y, z) return wave(shift + k, -size, size, x, y, z) end
  if dims == 3 then return function(x, y, z) return part(0, x, y, z), part(1, x, y, z), part(2, x, y, z) end end
  return function(x, y) return part(0, x, y, 0), part(1, x, y, 0) end
end

return values
