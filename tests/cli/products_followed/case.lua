-- Random formulas are followed here, step by step, as cases.md says; the products of the run have to be the same.
local arg = arguments { seed = 1, late = 0 }
math.randomseed(arg.seed)
local atoms = { "T", "s", "slope", "mass", "clock", "push", "wall_of", "t", "0.3", "T[i-1]" }
local late = { "change", "through", "dt", "T.prev" }
local function draw(depth, names)
  if depth == 0 then return names[math.random(#names)] end
  local a, b = draw(depth - 1, names), draw(depth - 1, names)
  local how = { "%s + %s", "%s - %s", "%s*(%s)", "max(%s, %s)", "if %s > 0.1 then %s else T" }
  return "(" .. how[math.random(#how)]:format(a, b) .. ")"
end
local kinds = { "max", "min", "when_max", "first", "duration", "integral", "mean" }
local wanted, products, fields = {}, {}, {}
for i = 1, 6 do
  local kind, names = kinds[math.random(#kinds)], { table.unpack(atoms) }
  if arg.late == 1 and math.random(6) == 1 then for _, n in ipairs(late) do names[#names + 1] = n end end
  local formula = draw(math.random(0, 2), names)
  wanted[i] = { name = "p" .. i, kind = kind, formula = formula }
  fields[2*i - 1], fields[2*i] = "p" .. i, "p" .. i .. "_now"
  local is_condition = kind == "first" or kind == "duration"
  products[i] = { name = "p" .. i, [kind] = is_condition and formula .. " > 0.2" or formula }
end
local seen = {}
local function follow(run)
  for _, w in ipairs(wanted) do
    local now, at = run:field(w.name .. "_now"), run:field(w.name)
    seen[w] = seen[w] or { most = {}, value = {}, last = {} }
    local k = seen[w]
    for c = 1, #now do
      local x, v = now[c], k.value[c]
      if w.kind == "first" or w.kind == "duration" then x = x ~= 0 end
      if w.kind == "max" then v = v and math.max(v, x) or x
      elseif w.kind == "min" then v = v and math.min(v, x) or x
      elseif w.kind == "when_max" then if not k.most[c] or x > k.most[c] then k.most[c], v = x, run.t end
      elseif w.kind == "first" then if (not v or v < 0) then v = x and run.t or -1 end
      elseif w.kind == "duration" then v = v and v + (k.last[c] and run.dt or 0) or 0
      elseif w.kind == "integral" then v = v and v + k.last[c]*run.dt or 0
      elseif w.kind == "mean" then k.most[c] = k.most[c] and k.most[c] + k.last[c]*run.dt or 0; v = run.t > 0 and k.most[c]/run.t or x
      end
      k.value[c], k.last[c] = v, x
      if math.abs(v - at[c]) > 1e-11*(1 + math.abs(v)) then
        error(string.format("%s = %s of %s is %.12g in cell %d at t = %g, step by step it is %.12g", w.name, w.kind, w.formula, at[c], c, run.t, v))
      end
    end
  end
end
return case {
  scheme = "wave.ew", device = "c",
  mesh = mesh.grid { x = {0, 1}, nx = 5 },
  given = { push = function(x) return math.cos(3*x) end },
  initial = { T = function(x) return x*(1 - x) end, s = function(x) return x - 0.5 end },
  boundary = { { {"left", "right"}, "side", A = function(x, t) return 0.2*math.sin(5*t) end } },
  time = { steps = 25 },
  products = products,
  output = { vtu = false, run_json = false, history = "mass", fields = fields },
  on_output = function(run, number) if number == 0 then follow(run) end end,
  on_step = follow,
}
