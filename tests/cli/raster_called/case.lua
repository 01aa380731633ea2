local arg = arguments { at = "1, 1", file = "bed.asc", fill = "" }
local bed = raster { arg.file, fill = arg.fill ~= "" and (tonumber(arg.fill) or arg.fill) or nil }
local at = {}
for n in arg.at:gmatch("[^, ]+") do at[#at + 1] = tonumber(n) end
print(bed(table.unpack(at)))
print(bed(table.unpack(at))) -- read once
