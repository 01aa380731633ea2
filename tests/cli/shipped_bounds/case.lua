local arg = arguments { cfl = 0.5, g = 9.81, grass = 0.001, porosity = 0.4, nu = 0.01, theta = 0.5, water = true }
local sides = { "left", "right", "bottom", "top" }
local square = mesh.rectangle { x = {0, 1}, y = {0, 1}, nx = 2, ny = 2 }
if arg.water then
  return case {
    scheme = "exner", mesh = square,
    parameters = {
      cfl = arg.cfl, g = arg.g,
      grass = arg.grass, porosity = arg.porosity,
    },
    given = { n = 0.03 }, initial = { h = 1, q = 0, z = 0 }, boundary = { { sides, "wall" } }, time = { steps = 1 },
  }
end
return case {
  scheme = "edge_navier_stokes", mesh = square,
  parameters = { nu = arg.nu, theta = arg.theta },
  given = { b = 0 }, initial = { u = 0, p = 0 }, boundary = { { sides, "fixed", U = 0 } }, time = { steps = 1 },
}
