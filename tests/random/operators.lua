-- Random operators on grids, and the same schemes written out: what a call means is that the argument stands where the operator's field stands, at
-- each of its indices. Operators call others, at other places, with formulas; shifts, slices and index variables lie inside. Writes both schemes
-- of each of COUNT (40) seeds from SEED (1) on, for operators.sh.
local first, count = tonumber(os.getenv "SEED" or 1), tonumber(os.getenv "COUNT" or 40)
local dims, operators
local function below(n) return math.random(0, n - 1) end
local function one_of(list) return list[1 + below(#list)] end
local function number() return string.format("%.3g", (1 + below(90))/100) end

local function index(shift)
  local text = {}
  for axis = 1, dims do
    local d = shift[axis]
    text[axis] = ("ijk"):sub(axis, axis)..(d == 0 and "" or string.format("%+d", d))
  end
  return "["..table.concat(text, ",").."]"
end
local function shift(most)
  local d = {}
  for axis = 1, dims do d[axis] = below(2*most + 1) - most end
  return d
end
local function none() return {0, 0, 0} end
local function sum(a, b) return {a[1] + b[1], a[2] + (b[2] or 0), 0} end
local function is_none(d) return d[1] == 0 and (d[2] or 0) == 0 end

-- What is written: `text`. What it means at a point: `at(d)`, text in which every quantity has its index. `bare`: no index of its own may follow.
local quantities = { {"a", "cells"}, {"b", "cells"}, {"u", "xfaces"} }

local function combine(make)
  local kind = below(6)
  local p = make()
  if kind == 0 then
    local k = number()
    return { text = k.."*"..p.text, at = function(d) return k.."*"..p.at(d) end }
  end
  if kind == 1 then return { text = "(-"..p.text..")", at = function(d) return "(-"..p.at(d)..")" end } end
  local q = make()
  if kind == 2 then return { text = "max("..p.text..", "..q.text..")", at = function(d) return "max("..p.at(d)..", "..q.at(d)..")" end } end
  if kind == 3 then
    return { text = "(if "..p.text.." > 0.5 then "..q.text.." else 0.7)", at = function(d) return "(if "..p.at(d).." > 0.5 then "..q.at(d).." else 0.7)" end }
  end
  local op = one_of {" + ", " - ", "*"}
  return { text = "("..p.text..op..q.text..")", at = function(d) return "("..p.at(d)..op..q.at(d)..")" end }
end

-- A quantity, where the reader lives at `place`.
local function quantity(place)
  local q = one_of(quantities)
  local e = below(3) == 0 and none() or shift(1)
  local bare = q[2] == place and is_none(e) and below(2) == 0
  return { text = bare and q[1] or q[1]..index(e), at = function(d) return q[1]..index(sum(d, e)) end }
end

local call

local function formula(place, depth)
  if depth > 0 and #operators > 0 and below(3) == 0 then return call(one_of(operators), place, formula(place, depth - 1)) end
  if depth > 0 and below(3) > 0 then return combine(function() return formula(place, depth - 1) end) end
  return quantity(place)
end

-- An operator's result is indexed where it lives elsewhere, or is shifted.
function call(o, place, argument)
  local e = below(2) == 0 and none() or shift(1)
  local bare = o.place == place and is_none(e)
  return {
    text = o.name.."("..argument.text..")"..(bare and "" or index(e)),
    at = function(d) return "("..o.expand(argument.at, sum(d, e))..")" end,
  }
end

-- The formula of an operator, whose argument may be called as a quantity is: `of` gives, for what the argument is at a shift, the text.
local function body(place, s, depth)
  local function leaf()
    local kind = below(6)
    local e = shift(1)
    if kind == 5 then
      local q = one_of(quantities)
      if q[1] ~= s then return { text = q[1]..index(e), of = function(_, d) return q[1]..index(sum(d, e)) end } end
    end
    if kind == 0 then
      local axis = below(dims) + 1
      local low, parts, ranged = below(3) - 2, {}, index(e)
      local letter = ("ijk"):sub(axis, axis)
      local function bound(k) return letter..(k == 0 and "" or string.format("%+d", k)) end
      local pieces = {}
      for k = 1, dims do
        local own = ("ijk"):sub(k, k)..(e[k] == 0 and "" or string.format("%+d", e[k]))
        pieces[k] = k == axis and bound(low)..".."..bound(low + 2) or own
      end
      return {
        text = "third("..s.."["..table.concat(pieces, ",").."])",
        of = function(argument, d)
          local point = {}
          for m = 0, 2 do
            local f = {e[1], e[2], 0}
            f[axis] = low + m
            point[m + 1] = argument(sum(d, f))
          end
          return "(0.2*"..point[1].." + 0.3*"..point[2].." - 0.4*"..point[3]..")"
        end,
      }
    end
    if kind == 1 and #operators > 0 then
      local o, inner, outer = one_of(operators), shift(1), shift(1)
      local k = number()
      return {
        text = o.name.."("..k.."*"..s..index(inner)..")"..index(outer),
        of = function(argument, d)
          return "("..o.expand(function(x) return "("..k.."*"..argument(sum(x, inner))..")" end, sum(d, outer))..")"
        end,
      }
    end
    if kind == 2 and #operators > 0 then
      local o, inner, outer = one_of(operators), shift(1), shift(1)
      return {
        text = o.name.."("..s..index(inner)..")"..index(outer),
        of = function(argument, d)
          return "("..o.expand(function(x) return argument(sum(x, inner)) end, sum(d, outer))..")"
        end,
      }
    end
    if kind == 3 then
      return {
        text = "(sum(m in i-1..i) "..s..index(e):gsub("%[i[^,%]]*", "[m")..")",
        of = function(argument, d)
          return "("..argument(sum(d, {-1, e[2], 0})).." + "..argument(sum(d, {0, e[2], 0}))..")"
        end,
      }
    end
    return { text = s..index(e), of = function(argument, d) return argument(sum(d, e)) end }
  end
  local p = leaf()
  for _ = 1, depth do
    local k, q, before = number(), leaf(), p
    local op = one_of {" + ", " - "}
    p = { text = before.text..op..k.."*"..q.text, of = function(argument, d) return before.of(argument, d)..op..k.."*"..q.of(argument, d) end }
  end
  return p
end

local function define(n)
  local place = one_of {"cells", "xfaces"}
  local s = one_of {"s", "s", "a", "u"}
  local formula = body(place, s, below(2))
  return {
    name = "op"..n, place = place,
    text = string.format("  op%d(%s) @ %s = %s\n", n, s, place, formula.text),
    expand = function(argument, d) return formula.of(argument, d) end,
  }
end

local function write_scheme(name, head, statements)
  local file = assert(io.open(name..".ew", "w"))
  file:write("scheme ", name, " on grid(", dims, ") {\n  state a @ cells\n  state b @ cells\n  state u @ xfaces\n", head,
             "  dt = 0.1\n  step { update { ", statements, " } }\n}\n")
  file:close()
end

for seed = first, first + count - 1 do
  math.randomseed(seed)
  dims, operators = 1 + below(2), {}
  local head = "  fn third(a) = 0.2*a[1] + 0.3*a[2] - 0.4*a[3]\n"
  for n = 1, 1 + below(3) do
    operators[n] = define(n)
    head = head..operators[n].text
  end
  local short, long = {}, {}
  for _, q in ipairs(quantities) do
    local f = call(one_of(operators), q[2], formula(q[2], 2))
    short[#short + 1] = q[1].." = 0.3*"..q[1].." + tanh("..f.text..")"
    long[#long + 1] = q[1].." = 0.3*"..q[1].." + tanh("..f.at(none())..")"
  end
  short, long = table.concat(short, "  "), table.concat(long, "  ")
  if #long < 20000 then
    local name = string.format("_%d_%d", dims, seed)
    write_scheme("called"..name, head, short)
    write_scheme("written"..name, "", long)
  end
end
