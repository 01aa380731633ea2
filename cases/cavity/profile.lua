-- Values along the two lines of a cube's profiles, x = z = 1/2 and y = z = 1/2, taken at the nodes; between them by cubics.
local profile = {}

-- u(i/n) and v(i/n) for i = 0..n, of a run on n blocks a side
function profile.lines(run, n)
  if n < 4 or n % 2 ~= 0 then error("n must be even and at least 4: else no nodes lie on the lines through the middle") end
  local x, u = run:nodes(), run:field("u")
  local lines = { u = {}, v = {} }
  for k, at in ipairs(x) do
    local i, j, l = at[1]*n, at[2]*n, at[3]*n
    if math.abs(l - n/2) < 1e-6 then
      if math.abs(i - n/2) < 1e-6 then lines.u[math.floor(j + 0.5)] = u[k][1] end
      if math.abs(j - n/2) < 1e-6 then lines.v[math.floor(i + 0.5)] = u[k][2] end
    end
  end
  lines.u.n, lines.v.n = n, n
  return lines
end

-- the cubic through the four nodes around s
function profile.at(line, s)
  local n = line.n
  local first = math.max(0, math.min(n - 3, math.floor(s*n) - 1))
  local sum = 0
  for a = 0, 3 do
    local w = line[first + a]
    for b = 0, 3 do
      if b ~= a then w = w*(s*n - first - b)/(a - b) end
    end
    sum = sum + w
  end
  return sum
end

-- the least value (sign = 1) or the largest (-1) inside, by the parabola through the extreme node and its neighbours
function profile.extreme(line, sign)
  local best = 1
  for i = 2, line.n - 1 do
    if sign*line[i] < sign*line[best] then best = i end
  end
  local a, b, c = line[best - 1], line[best], line[best + 1]
  local shift = (a - c)/(2*(a - 2*b + c))
  return b - (a - c)*shift/4, (best + shift)/line.n
end

-- root of the mean square of the differences from a table { place, value, place, value, ... }, and the largest
function profile.difference(line, wanted)
  local sum, most = 0, 0
  for i = 1, #wanted, 2 do
    local d = math.abs(profile.at(line, wanted[i]) - wanted[i + 1])
    sum, most = sum + d^2, math.max(most, d)
  end
  return math.sqrt(2*sum/#wanted), most
end

return profile
