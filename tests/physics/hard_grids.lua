-- Kinds of hard_steps.lua for schemes on grids; `run_on` runs a case and gives the view, `largest` the largest magnitude of a field.
return function(kinds, hard, run_on, largest)
  local random, among, decades, tenths = hard.random, hard.among, hard.decades, hard.tenths
  local all = { "left", "right", "bottom", "top" }

  function kinds.burgers()
    local m, what = hard.line_grid()
    local enters, inside = decades(-3, 3), random(-1, 1)*decades(-3, 3)
    local r = run_on { scheme = "burgers", mesh = m, initial = { u = function(x) return x < 0.3 and 0 or inside end },
      boundary = { { "left", "given_value", value = enters }, { "right", "open" } } }
    return string.format("burgers, %s, %s enters %s", what, tenths(enters), tenths(inside)), largest(r, "u")/math.max(enters, math.abs(inside)), 1 + 1e-12
  end

  local function mac(name, boundary)
    return function()
      local m, what = hard.plane_grid(1)
      local nu, U = decades(-6, -1), decades(-1, 1)
      local r = run_on { scheme = "mac", mesh = m, parameters = { nu = nu, tol = 1e-5*U^2, omega = 1.5 }, given = { red = hard.chequer(m) },
        initial = { u = 0, v = 0, p = 0 }, boundary = boundary(U), time = 300 }
      return string.format("mac, %s, %s, nu %.1e", name, what, nu), largest(r, "u")/U, 3
    end
  end
  kinds.mac_lid = mac("lid", function(U) return { { {"left", "right", "bottom"}, "wall" }, { "top", "wall", speed = U } } end)
  kinds.mac_inlet = mac("inlet", function(U) return { { {"bottom", "top"}, "wall" }, { "left", "inlet", speed = U }, { "right", "outlet" } } end)

  -- permittivities of neighbours by chance, up to 1:10000
  local function permittivity()
    local spread = among { 0, 1, 2 }
    return function(x, y, z) return 10^(spread*(2*hard.noise(1, x, y, z) - 1)) end
  end
  function kinds.maxwell_yee()
    local m, what = hard.plane_grid(3)
    local eps = permittivity()
    local r = run_on { scheme = "maxwell_yee", mesh = m, given = { eps = function(x, y) return eps(x, y) end },
      initial = { Hz = function(x, y) return x < 0.4 and 1 or 0 end, Ex = 0, Ey = 0 }, boundary = { { all, "conductor" } } }
    return "maxwell_yee, "..what, largest(r, "Hz"), 5
  end
  function kinds.yee_3d()
    local m, what = hard.box_grid()
    local eps = permittivity()
    local r = run_on { scheme = "yee_3d", mesh = m, given = { eps = function(x, y, z) return eps(x, y, z) end },
      initial = { Hx = 0, Hy = 0, Hz = function(x) return x < 0.4 and 1 or 0 end, Ex = 0, Ey = 0, Ez = 0 },
      boundary = { { {"left", "right", "bottom", "top", "back", "front"}, "conductor" } } }
    return "yee_3d, "..what, math.max(largest(r, "Hz"), largest(r, "Hx"), largest(r, "Hy")), 5
  end

  function kinds.gray_scott()
    local m, what = hard.plane_grid(2)
    local r = run_on { scheme = "gray_scott", mesh = m, parameters = { Du = decades(-4, 2), Dv = decades(-4, 2) },
      initial = { u = function(x) return x < 0.5 and 1 or 0.5 end, v = function(x) return x < 0.3 and 0.25 or 0 end },
      boundary = { { all, "closed" } } }
    return "gray_scott, "..what, math.max(largest(r, "u"), largest(r, "v")), 3
  end
end
