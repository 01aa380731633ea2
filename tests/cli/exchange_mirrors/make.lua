-- Prints a scheme of random formulas in an `exchange`.
local arg = arguments { seed = 1 }
math.randomseed(arg.seed)
local scalars = { "xc", "yc", "dx", "dy", "T[i+1,j]", "T[i,j-1]", "K.xx", "K.xy", "K.yx", "K.yy", "s.x", "s.y", "u[i,j]", "v[i,j+1]", "p.x[i+1,j]", "p.y", "2", "0.3" }
local draw
local vectors = { function(d) return "s" end, function(d) return "(" .. draw(d) .. ", " .. draw(d) .. ")" end,
  function(d) return "dot(K, s)" end, function(d) return "dot(transpose(K), (" .. draw(d) .. ", " .. draw(d) .. "))" end }
local function vector(d) return vectors[math.random(#vectors)](d) end
local forms = { function(d) return draw(d) .. " + " .. draw(d) end, function(d) return draw(d) .. "*(" .. draw(d) .. ")" end,
  function(d) return "dot(" .. vector(d) .. ", " .. vector(d) .. ")" end,
  function(d) return "trace(outer(" .. vector(d) .. ", s))" end, function(d) return "max(" .. draw(d) .. ", " .. draw(d) .. ")" end }
function draw(d)
  if d == 0 then return scalars[math.random(#scalars)] end
  return "(" .. forms[math.random(#forms)](d - 1) .. ")"
end
local lines = {}
for i = 1, 4 do
  lines[#lines + 1] = string.format("    r%d.x @ cells = %s", i, draw(2))
  lines[#lines + 1] = string.format("    q%d.x @ cells = k.x - 2*k.y where k : vector = %s", i, vector(1))
  lines[#lines + 1] = string.format("    t%d.x @ cells = l.x + k.yx where k : tensor = (%s, %s, %s, %s), l = dot(k, %s)", i, draw(1), draw(1), draw(1), draw(1), vector(1))
  lines[#lines + 1] = string.format("    S%d.xy @ cells = %s", i, draw(1))
end
-- Names of locals, results, parts and parameters are exchanged like those of states.
local own = { "xc", "T[i+1,j]", "K.xy", "s.x", "p.y", "T[i,j-1]*yc", "2" }
local function plain() return own[math.random(#own)] .. " + " .. own[math.random(#own)] end
for i = 5, 7 do
  lines[#lines + 1] = string.format("    r%d.x @ cells = 2*u + v*v where u = %s, v = %s", i, plain(), plain())
  lines[#lines + 1] = string.format("    c%d.x @ cells {\n      let w = %s\n      u = w*w\n      v = w + 3*u\n    }", i, plain())
  lines[#lines + 1] = string.format("    q%d.x @ cells = c%d.x.u - 2*c%d.y.v + T[i+1,j]*c%d.x.u", i, i, i, i)
  lines[#lines + 1] = string.format("    gx%d(u) @ cells = (u[i+1,j] - u[i,j])*(%s)", i, plain())
  lines[#lines + 1] = string.format("    t%d.x @ cells = gx%d(T) + gx%d(p.y)", i, i, i)
end
print([[
scheme mirrored on grid(2) {
  given K : tensor @ cells
  given s : vector @ cells
  state T @ cells
  state u @ xfaces
  state v @ yfaces
  exchange x <-> y, u <-> v, gx5 <-> gy5, gx6 <-> gy6, gx7 <-> gy7 {
    p.x @ cells = 0.5*(u[i,j] + u[i+1,j])*xc
]] .. table.concat(lines, "\n") .. [[

    boundary side across x {
      ghost T = T[mirror]  ghost u = -u[mirror]  ghost v = v[mirror]  ghost p.x = p.x[mirror]  ghost p.y = 3*p.y[mirror]
    }
  }
  dt = 0.1
  step { update T = T }
}
]])
