-- Prints a scheme of random fluxes, of a formula and its mirrored copy in which some `<` became `<=`; and, as comments, those that are not
-- odd at some of 625 points, comparisons with equal sides among them.
local arg = arguments { seed = 1, n = 30 }
math.randomseed(arg.seed)
local leaf = { "h[L]", "h[R]", "z[L]", "z[R]" }
local other = { ["h[L]"] = "h[R]", ["h[R]"] = "h[L]", ["z[L]"] = "z[R]", ["z[R]"] = "z[L]" }
local slack = { ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">" }
local compares = { "<", "<=", ">", ">=" }
local function any(list) return list[math.random(#list)] end

local formula
local function condition(depth)
  local r = math.random()
  if r < 0.75 or depth <= 0 then return { op = any(compares), formula(depth - 1), formula(depth - 1) } end
  return { op = r < 0.88 and "and" or "or", condition(depth - 1), condition(depth - 1) }
end
function formula(depth)
  local r = math.random()
  if depth <= 0 or r < 0.25 then return { leaf = math.random() < 0.8 and any(leaf) or tostring(any { 0, 1, 2 }) } end
  if r < 0.4 then return { op = any { "+", "-", "*" }, formula(depth - 1), formula(depth - 1) } end
  if r < 0.5 then return { op = any { "min", "max" }, formula(depth - 1), formula(depth - 1) } end
  return { op = "if", condition(depth - 1), formula(depth - 1), formula(depth - 1) }
end
local function mirrored(e, change)
  if e.leaf then return { leaf = other[e.leaf] or e.leaf } end
  local out = { op = math.random() < change and slack[e.op] or e.op }
  for i = 1, #e do out[i] = mirrored(e[i], change) end
  return out
end
local function text(e)
  if e.leaf then return e.leaf end
  if e.op == "if" then return "(if " .. text(e[1]) .. " then " .. text(e[2]) .. " else " .. text(e[3]) .. ")" end
  if e.op == "min" or e.op == "max" then return e.op .. "(" .. text(e[1]) .. ", " .. text(e[2]) .. ")" end
  return "(" .. text(e[1]) .. " " .. e.op .. " " .. text(e[2]) .. ")"
end
local function value(e, at)
  local op = e.op
  if e.leaf then return at[e.leaf] or tonumber(e.leaf) end
  if op == "if" then return value(value(e[1], at) and e[2] or e[3], at) end
  local a, b = value(e[1], at), value(e[2], at)
  if op == "+" then return a + b elseif op == "-" then return a - b elseif op == "*" then return a*b end
  if op == "<" then return a < b elseif op == "<=" then return a <= b elseif op == ">" then return a > b elseif op == ">=" then return a >= b end
  if op == "and" then return a and b elseif op == "or" then return a or b end
  return op == "min" and math.min(a, b) or math.max(a, b)
end
local points = { -1, 0, 0.5, 1, 2 }
local function is_odd(e)
  for _, a in ipairs(points) do for _, b in ipairs(points) do for _, c in ipairs(points) do for _, d in ipairs(points) do
    local here = value(e, { ["h[L]"] = a, ["h[R]"] = b, ["z[L]"] = c, ["z[R]"] = d })
    if here ~= -value(e, { ["h[L]"] = b, ["h[R]"] = a, ["z[L]"] = d, ["z[R]"] = c }) then return false end
  end end end end
  return true
end

print("scheme s on mesh(2) {\n  state " .. any { "h, z", "z, h" } .. " @ cells")
for i = 1, arg.n do
  local e
  repeat e = formula(3) until #text(e) < 200
  local flux = { op = "-", e, mirrored(e, 0.3) }
  print("  flux F" .. i .. " @ faces = " .. text(flux))
  if not is_odd(flux) then print("-- not odd: `F" .. i .. "`") end
end
print("  boundary w {")
for i = 1, arg.n do print("    flux F" .. i .. " = 0") end
print("  }\n  dt = 1\n  step { update h = h - sum(f of c) area*(F1")
for i = 2, arg.n do print("    + F" .. i) end
print("  ) }\n}")
