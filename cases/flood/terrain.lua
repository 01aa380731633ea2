-- Writes the valley's ground as an ESRI ASCII grid: lua5.4 terrain.lua > terrain.asc
-- A river with meanders runs from left to right and falls 3 m on its way; north of it lies a flat plain, where the town
-- stands; hills on both sides. Roughness comes from smoothed random numbers, the same on every computer.

local width, height, size = 1000, 600, 8  -- extent and spacing of the grid [m]

local function river(x) return 250 + 55*math.sin(x/130 + 1) + 18*math.sin(x/47) end

-- Random numbers at the points of a lattice, smooth in between.
local function lattice(i, j)
  local n = (i*374761393 + j*668265263) & 0xffffffff
  n = ((n ~ (n >> 13))*1274126177) & 0xffffffff
  return ((n ~ (n >> 16)) & 0xffff)/0xffff - 0.5
end

local function smooth(s) return s*s*(3 - 2*s) end

local function noise(x, y)
  local i, j = math.floor(x), math.floor(y)
  local s, t = smooth(x - i), smooth(y - j)
  local low = lattice(i, j)*(1 - s) + lattice(i + 1, j)*s
  local high = lattice(i, j + 1)*(1 - s) + lattice(i + 1, j + 1)*s
  return low*(1 - t) + high*t
end

local function ramp(from, to, value) return smooth(math.min(math.max((value - from)/(to - from), 0), 1)) end

local function ground(x, y)
  local off = y - river(x)
  local bed = -2.4*(1 - ramp(9, 26, math.abs(off)))           -- the river
  local banks = 0.5*ramp(18, 34, math.abs(off))*(1 - ramp(40, 80, math.abs(off)))
  local gap = math.exp(-((x - 470)/35)^2)                      -- where the bank is low, above the town
  local plain = off > 0 and 0.004*off + 26*ramp(190, 400, off) or 0.012*-off + 30*ramp(70, 280, -off)
  local rough = 0.5*noise(x/70, y/70) + 0.25*noise(x/25 + 9, y/25) + 5*ramp(120, 300, math.abs(off))*noise(x/90, y/90 + 5)
  return 10 - 0.003*x + bed + banks*(1 - gap) + plain + rough*(1 - 0.7*ramp(-30, -20, -math.abs(off)))
end

local columns, rows = width//size + 1, height//size + 1
print("ncols "..columns)
print("nrows "..rows)
print("xllcenter 0")
print("yllcenter 0")
print("cellsize "..size)
print("NODATA_value -9999")
for j = rows - 1, 0, -1 do
  local row = {}
  for i = 0, columns - 1 do row[#row + 1] = string.format("%.2f", ground(i*size, j*size)) end
  print(table.concat(row, " "))
end
