local arg = arguments { scheme = "crawl", limit = 10 }
local grows = arg.scheme == "grow"
return case {
  name = "b", scheme = arg.scheme,
  mesh = mesh.rectangle { x = {0, 4}, y = {0, 4}, nx = 4, ny = 4 },
  parameters = grows and { limit = arg.limit } or nil,
  initial = grows and { h = function(x, y) return x > 2 and x < 3 and y > 3 and 1.5 or 1 end }
    or { T = function(x, y) return x > 1 and x < 2 and y < 1 and 1 or 0.5 end },
  boundary = { { {"left", "right", "bottom", "top"}, "shut" } },
  time = { stop = 2 },
}
