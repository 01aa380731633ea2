local arg = arguments { surface = "top", dims = 3, up = 1 }
local sides, domain = {"left", "right", "bottom", "top"}, { x = {0, 1}, y = {0, 1}, nx = 3, ny = 3 }
if arg.dims == 3 then
  sides[5], sides[6] = "back", "front"
  domain.z, domain.nz = {0, 1}, 3
end
return case {
  scheme = "poisson",
  mesh = arg.dims == 3 and mesh.box(domain) or mesh.rectangle(domain),
  given = { s = 1 },
  initial = { phi = 0 },
  boundary = { { sides, "held", value = 0 } },
  output = { picture = { field = "phi", surface = {arg.surface, "right"}, view = {arg.up, -arg.up, arg.up}, size = 120 } },
  time = { steps = 1 },
}
