-- Prints a scheme of random fluxes and what is the same from both sides, summed face by face and cell by cell, edge by edge and node by node.
local arg = arguments { seed = 1, nodes = 0 }
math.randomseed(arg.seed)
local function one(list) return list[math.random(#list)] end
if arg.nodes == 1 then
  local function even()
    return one { "(w[I] - w[J])^2", "w[I]*w[J]", "L[I,J]", "abs(w[I] - w[J])", "max(w[I], w[J])", "norm(centre[J] - centre[I])", "1" }
  end
  local lines = {}
  for k = 1, 4 do
    local e = even() .. "*" .. even()
    lines[#lines + 1] = "  by_edge" .. k .. " = sum(e in edges) " .. e:gsub("L%[I,J%]", "trace(Ld)")
    lines[#lines + 1] = "  of_node" .. k .. " @ nodes = sum(J near I) " .. e:gsub("L%[I,J%]", "trace(Ld)")
    lines[#lines + 1] = "  by_node" .. k .. " = 0.5*(sum(I in nodes) of_node" .. k .. ")"
  end
  print("scheme both on mesh(2) {\n  state w @ nodes\n  Ld @ edges = integral(outer(dN[I], dN[J]))\n" .. table.concat(lines, "\n") ..
    "\n  boundary closed { }\n  dt = 0.1\n  step { update w = w + 0.1*sin(w) }\n}")
  return
end
local function even()
  return one { "(T[L] + T[R])", "T[L]*T[R]", "area", "distance", "zf", "max(T[L], T[R])", "abs(u)", "abs(dot(normal, vf))", "norm(vf)", "1", "zf^2" }
end
local function odd()
  return one { "(T[L] - T[R])", "dot(normal, vf)", "u", "dot(s[L] + s[R], normal)", "dot(normal, (1, 2))" }
end
local lines, shown = {}, {}
for k = 1, 4 do
  local e = even() .. "*" .. even()
  lines[#lines + 1] = string.format([[
  flux q%d @ faces = %s*%s + %s*%s
  div%d @ cells = sum(f of c) area*q%d
  net%d = sum(c in cells) div%d
  work_by_face%d = -(sum(f in faces) area*q%d*jump(T))
  work_by_cell%d = sum(c in cells) T*div%d
  even%d @ faces = %s
  of_cell%d @ cells = sum(f of c) even%d
  even_by_face%d = sum(f in faces) even%d
  even_by_cell%d = 0.5*(sum(c in cells) of_cell%d)]], k, odd(), even(), odd(), even(), k, k, k, k, k, k, k, k, k, e, k, k, k, k, k, k)
end
print("scheme both on mesh(2) {\n  state T @ cells\n  state s : vector @ cells\n  state flux u @ faces\n  given zf @ faces\n  given vf : vector @ faces\n" ..
  table.concat(lines, "\n") .. "\n  boundary closed { ghost T = T[L]  ghost s = s[L] }\n  dt = 0.01\n  step { update { T = T - dt/volume*div1  s = s + 0.1*T*s  u = u + 0.1*q2 } }\n}")
