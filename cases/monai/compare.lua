-- Levels at the gauges, { t [s], level [cm] }, beside those that the laboratory measured: highest ones, when, when the wave came, and the mean
-- difference.

-- When the level first stood above 2 cm, linear between the samples.
local function arrival(samples)
  for i = 2, #samples do
    local a, b = samples[i - 1], samples[i]
    if b[2] > 2 then return a[1] + (b[1] - a[1])*(2 - a[2])/(b[2] - a[2]) end
  end
  return math.huge
end

return function(seen)
  local measured = { {}, {}, {} }
  for line in io.lines("data/output_ch5-7-9.txt") do
    local t, a, b, c = line:match("^(%S+)%s+(%S+)%s+(%S+)%s+(%S+)")
    t = tonumber(t)
    for i, value in ipairs(t and { a, b, c } or {}) do table.insert(measured[i], { t, tonumber(value) }) end
  end
  for i, name in ipairs { "gauge 5", "gauge 7", "gauge 9" } do
    local ours, sum, n, j = seen[i], 0, 0, 1
    local top, lab = {0, -1}, {0, -1}
    for _, now in ipairs(ours) do
      if now[2] > top[2] then top = now end
    end
    for _, m in ipairs(measured[i]) do
      if m[1] > ours[#ours][1] then break end
      while j < #ours - 1 and ours[j + 1][1] < m[1] do j = j + 1 end
      local a, b = ours[j], ours[j + 1]
      sum, n = sum + (a[2] + (b[2] - a[2])*(m[1] - a[1])/(b[1] - a[1]) - m[2])^2, n + 1
      if m[2] > lab[2] then lab = m end
    end
    print(string.format("%s: highest %.2f cm at %.2f s, measured %.2f cm at %.2f s", name, top[2], top[1], lab[2], lab[1]))
    print(string.format("  above 2 cm from %.2f s, measured %.2f s; root of the mean squared difference %.2f cm", arrival(ours),
      arrival(measured[i]), math.sqrt(sum/n)))
  end
end
