-- terrain(name): the bed at the centres of an ANUGA mesh's triangles, as a function of place: the mean of the corners'.
return function(name)
  local lines, z, x, y, at = io.lines(name), {}, {}, {}, {}
  local function rows(what, use)
    local count
    repeat count = lines():match("^(%d+).*"..what) until count
    for _ = 1, tonumber(count) do
      local row = {}
      for word in lines():gmatch("%S+") do row[#row + 1] = tonumber(word) end
      use(row)
    end
  end
  local function key(a, b) return math.floor(a + 0.5)..","..math.floor(b + 0.5) end -- of decimetres: centres are metres apart
  rows("<vertex #>", function(r) x[r[1]], y[r[1]], z[r[1]] = r[2], r[3], r[4] end)
  rows("<triangle #>", function(r)
    local a, b, c = r[2], r[3], r[4]
    at[key(10*(x[a] + x[b] + x[c])/3, 10*(y[a] + y[b] + y[c])/3)] = r[8] or (z[a] + z[b] + z[c])/3
  end)
  return function(px, py)
    for i = -1, 1 do
      for j = -1, 1 do
        local found = at[key(10*px + i, 10*py + j)]
        if found then return found end
      end
    end
    error(string.format("no triangle of %s has its centre at %g, %g: was the mesh made from it?", name, px, py))
  end
end
