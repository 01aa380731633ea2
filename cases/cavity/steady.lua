-- The steady flow in the cube, on meshes of half the spacing each, every one begun with the flow on the mesh before; beside the
-- profiles of other solvers.
local profile = require "profile"
local arg = arguments { re = 100, from = 14, to = 28, stop = 30, later = 12, cfl = 0.5 }

-- u on x = z = 1/2 and v on y = z = 1/2, as place, value; least u, least and largest v.
-- Re 100: second-order finite volumes, extrapolated from 32^3 to 96^3 cells; Re 1000: Albensoeder and Kuhlmann (2005), spectral.
local wanted = ({
  [100] = {
    u = { .0547, -.04023, .0625, -.04529, .0703, -.05023, .1016, -.06898, .1719, -.10721, .2813, -.16153, .4531, -.21507, .5, -.21350,
          .6172, -.16473, .7344, -.05003, .8516, .17887, .9531, .66432, .9609, .71745, .9688, .77293, .9766, .82895 },
    v = { .0625, .08777, .0703, .09577, .0781, .10315, .0938, .11622, .1563, .14726, .2266, .15155, .2344, .15055, .5, .01310,
          .8047, -.24918, .8594, -.22888, .9063, -.17438, .9453, -.10797, .9531, -.09316, .9609, -.07802, .9688, -.06243 },
    least_u = -.21559, least_v = -.24925, largest_v = .15298,
  },
  [1000] = {
    u = { .0547, -.20623, .0625, -.22283, .0703, -.23696, .1016, -.27293, .1719, -.25160, .2813, -.10999, .4531, -.00612, .5, .00802,
          .6172, .03905, .7344, .07334, .8516, .12183, .9531, .33171, .9609, .39821, .9688, .48443, .9766, .58964 },
    v = { .0625, .21738, .0703, .22746, .0781, .23503, .0938, .24407, .1563, .22924, .2266, .17580, .2344, .16987, .5, .03674,
          .8047, -.15223, .8594, -.31117, .9063, -.43423, .9453, -.33511, .9531, -.29032, .9609, -.24095, .9688, -.18864 },
    least_u = -.2803833, least_v = -.4350186, largest_v = .2466511,
  },
})[arg.re] or error("re must be 100 or 1000: there are tables for these")

-- a function of place from the nodes of a run on n blocks a side, linear along each axis
local function between(run, name, n)
  local value, at = {}, run:nodes()
  for k, f in ipairs(run:field(name)) do
    local i, j, l = math.floor(at[k][1]*n + .5), math.floor(at[k][2]*n + .5), math.floor(at[k][3]*n + .5)
    value[(l*(n + 1) + j)*(n + 1) + i] = type(f) == "table" and f or {f}
  end
  local function split(s)
    local i = math.min(n - 1, math.floor(s*n))
    return i, s*n - i
  end
  return function(x, y, z)
    local i, a = split(x)
    local j, b = split(y)
    local l, c = split(z)
    local sum = {}
    for corner = 0, 7 do
      local p, q, r = corner & 1, corner >> 1 & 1, corner >> 2
      local w = (p == 1 and a or 1 - a)*(q == 1 and b or 1 - b)*(r == 1 and c or 1 - c)
      for d, f in ipairs(value[((l + r)*(n + 1) + j + q)*(n + 1) + i + p]) do sum[d] = (sum[d] or 0) + w*f end
    end
    return table.unpack(sum)
  end
end

local function flow(n, stop, before)
  return run(case {
    name = "cavity",
    scheme = "edge_navier_stokes",
    parameters = { nu = 1/arg.re, cfl = arg.cfl },
    mesh = mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = n, ny = n, nz = n },
    given = { b = {0, 0, 0} },
    initial = before and { u = between(before, "u", n//2), p = between(before, "p", n//2) } or { u = {0, 0, 0}, p = 0 },
    boundary = {
      { {"left", "right", "bottom", "back", "front"}, "fixed", U = {0, 0, 0} },
      { "top", "fixed", U = {1, 0, 0} },
    },
    solver = { preconditioner = "multigrid" },
    time = { stop = stop },
    output = { folder = "steady_"..n, history = { "dt", "energy", "p.iterations" }, sample = 100 },
  })
end

-- the mesh's figures against the others', in per cent and where
local function report(r, n)
  local line = profile.lines(r, n)
  local function extreme(name, of, sign)
    local value, place = profile.extreme(of, sign)
    return ("%s %.5f (%+.2f %%) at %.4f"):format(name, value, 100*(value/wanted[name] - 1), place)
  end
  local u, u_most = profile.difference(line.u, wanted.u)
  local v, v_most = profile.difference(line.v, wanted.v)
  print(("n = %d, %d steps, %.0f s: %s, %s, %s; u differs by %.5f, at most %.5f, v by %.5f, at most %.5f"):format(n, r.step, r.seconds,
    extreme("least_u", line.u, 1), extreme("least_v", line.v, 1), extreme("largest_v", line.v, -1), u, u_most, v, v_most))
end

local n, before = arg.from, nil
while n <= arg.to do
  local now = flow(n, before and arg.later or arg.stop, before)
  report(now, n)
  before, n = now, 2*n
end
