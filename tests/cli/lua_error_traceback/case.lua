local function depth(x)
  return x.level + 1
end

local function build()
  local z = depth(nil)
  return z
end

build()
return case {}
