local a = arguments { what = "" }
local is = function(name) return a.what == name end
local c = {
  scheme = "any", parameters = { k = 1 },
  mesh = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3, pattern = "alternating" },
  given = { s = 1, v = {1, 0} },
  initial = { T = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { stop = 0.002 },
}
if is "infinite" then c.parameters.k, c.given.s = 1/0, -1/0 end
if is "below" then c.parameters.k, c.given.s = -1, -2 end
if is "never" then c.time.stop = 1/0 end
if is "past" then c.time.stop = -1 end
if is "variant" then c.variants = { wy = "plain" } end
if is "choice" then c.variants = { way = "twise" } end
if is "faces" then c.given.v = function(x, y) return x > 0.5 and 1/0 or 1, 0 end end
if is "patch" then c.boundary = { { {"left", "right", "bottom"}, "wall" }, { "top", "held", Tw = function(x, y) return x > 0.5 and 1/0 or 1 end } } end
if is "line" then c.given.s = function(x, y) return x < 0.5 and 1 or -1 end end
if is "grid" then c.mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 } end
if is "data on a grid" or is "below on a grid" or is "not finite on a grid" or is "in space" or is "components" then
  c.scheme, c.parameters = "flat", nil
  c.mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 }
  c.given = { s = function(x, y) return is "below on a grid" and x > 0.5 and -1 or 1 end, u = function(x, y) return is "not finite on a grid" and y > 0.5 and 1/0 or x end }
  c.boundary = { { {"left", "right", "bottom", "top"}, "closed" } }
  if is "data on a grid" then c.given.s = mesh_data "depth" end
  if is "components" then c.given.u = {1, 2} end
  if is "in space" then c.mesh = mesh.grid { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 3, ny = 3, nz = 3 } end
end
return case(c)
