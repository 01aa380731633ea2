-- What a script reads itself, and a series of a file with what is asked for.
local arg = arguments { columns = "table.csv", column = "Tw", more = 0, read = "" }
if arg.read ~= "" then
  local file = io.open("notes.txt")
  local first = file:read()
  file:close()
  for line in io.lines("notes.txt") do assert(line == first) end
  print(first, io.open("missing.txt"))
  io.open("notes.txt", arg.read)
end
return case {
  scheme = "plate",
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, pattern = "alternating" },
  given = { power = 0 },
  initial = { T = 1 },
  boundary = {
    { {"left", "right", "bottom"}, "insulated" },
    { "top", "held", Tw = series { file = arg.columns, column = arg.column ~= "none" and arg.column or nil, scale = arg.more == 0 and 2 or nil,
                                   many = arg.more == 1 or nil } },
  },
  time = { stop = 0.01 },
}
