local arg = arguments { what = "nothing" }
local square = { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, pattern = "alternating" }
local sides = {"left", "right", "bottom", "top"}
local plate = {
  scheme = "plate",
  mesh = mesh.rectangle(square),
  given = { power = 0 },
  initial = { T = 1 },
  boundary = { { sides, "insulated" } },
  time = { stop = 0.01 },
  output = { folder = "out" },
}
local still = {
  scheme = "still.ew",
  mesh = mesh.rectangle(square),
  initial = { s = 1, phi = 0 },
  boundary = { { sides, "held" } },
  time = { steps = 1 },
}
local lines = {
  scheme = "lines.ew",
  mesh = mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 },
  initial = { v = 1 },
  boundary = { { {"left", "right", "bottom", "top"}, "wall" } },
  time = { steps = 1 },
}

local function with(base, key, value)
  local c = {}
  for k, v in pairs(base) do c[k] = v end
  c[key] = value
  return c
end

local wrong = {
  nothing = plate,
  parameter_function = with(plate, "parameters", { kappa = function(x, y) return 1 end }),
  parameter_infinite = with(plate, "parameters", { kappa = 1/0 }),
  given_of_no_file = with(plate, "given", { power = mesh_data "power" }),
  variant = with(plate, "variants", { heatign = "full" }),
  choice = with(plate, "variants", { heating = "ful" }),
  steps = with(plate, "time", { steps = -1 }),
  look = with(plate, "time", { stop = 1, look = -3 }),
  mesh_of_a_grid = with(plate, "mesh", mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4 }),
  mesh_in_space = with(plate, "mesh", mesh.box { x = {0, 1}, y = {0, 1}, z = {0, 1}, nx = 2, ny = 2, nz = 2 }),
  no_arguments = with(plate, "boundary", { { sides, "insulated", Tw = 1 } }),
  argument = with(plate, "boundary", { { sides, "held", Twall = 1 } }),
  argument_of_raster = with(plate, "boundary", { { sides, "held", Tw = raster "bed.asc" } }),
  no_dt = with(still, "time", { stop = 1 }),
  no_dt_but_steps = with(still, "time", { steps = 1, first = 0.1 }),
  one_value = with(still, "initial", { s = function(x, y) return x end, phi = 0 }),
  part = with(still, "scheme", "parts.ew"),
  pin = with(still, "solver", { pin = { field = "phi", value = 0, at = {0.1, 0.2, 0.3} } }),
  axis_missing = with(lines, "mesh", mesh.grid { x = {0, 1}, nx = 4, ny = 4 }),
  cells_missing = with(lines, "mesh", mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4 }),
  cells_other = with(lines, "mesh", mesh.grid { x = {0, 0.5, 1}, y = {0, 1}, nx = 4, ny = 4 }),
  periodic = with(lines, "mesh", mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, periodic = "z" }),
  ratio = with(lines, "mesh", mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, ratio = { z = 1.1 } }),
  ratio_of_faces = with(lines, "mesh", mesh.grid { x = {0, 0.5, 1}, y = {0, 1}, ny = 4, ratio = { x = 1.1 } }),
  mask = with(lines, "mesh", mesh.grid { x = {0, 1}, y = {0, 1}, nx = 4, ny = 4, mask = 1 }),
  across = lines,
}
return case(wrong[arg.what])
