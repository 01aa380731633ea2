print(pcall(function() return os.execute end))
print(pcall(io.open, "x", "w"))
print(pcall(function() return dofile end))
print(load("\27Lua"))
return 1
