getmetatable("").edgewise = "mesh.x"
local t = setmetatable({}, { __index = function(t, k) return k end, __call = function(...) return ... end, __gc = print })
local ok, e = pcall(run, case { name = 1 })
if type(e) == "table" then e.status = 0 end
local co = coroutine.wrap(function(a) for i = 1, 3 do coroutine.yield(a..i) end error(e) end)
pcall(function() while true do co("x") end end)
local s = string.rep("a", 100):sub(2, -2):upper():byte(1)
goto done
error(string.rep("long ", 100))
::done::
return case { name = t.name, scheme = "heat", mesh = mesh.file("a.msh"), given = t, time = { stop = 1/0 }, output = t("every") }
