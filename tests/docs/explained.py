#!/usr/bin/env python3
"""explained.py DSLC LANGUAGE.md [CODE...]: compiles every example of every page of `dslc explain`. What the page calls wrong, or hard, gives that very
code and no other error; what it calls right gives no error, and not the code. An example stands in a scheme here, for @@ and each ... in turn; what
no scheme can show stands in ALONE with the reason. An example that the table does not have, or has and the page has not, is a failure, too."""
import os
import re
import subprocess
import sys
import tempfile


def mesh(declared, step="", rules="", dt="dt = 0.1", head="", dims="mesh(2)", boundary="boundary wall { ghost z = 0 %s }"):
    return "%s\nscheme s on %s {\n  state z @ cells\n  %s\n  %s\n  %s\n  step { update z = z\n %s }\n}\n" % (
        head, dims, dt, declared, boundary % rules if "%s" in boundary else boundary, step)


def cells(states, **more):
    """A formula of a cell's quantities: its value is read by nobody."""
    return mesh(states, **more)


def held(*names):
    return " ".join("ghost %s = %s[L]" % (n, n) for n in names)


def grid(declared, dims=2, step="", rules=""):
    return "scheme s on grid(%d) {\n  state z @ cells\n  dt = 0.1\n  %s\n  %s\n  step { update z = z %s }\n}\n" % (dims, declared, rules, step)


NUMBERS = "parameter %s"
H = "state h @ cells state q @ cells parameter h_dry = 1 "
HQ = "state h @ cells state q : vector @ cells parameter h_dry = 1 "
AB = "state a @ cells state b @ cells parameter n = 1 "
HEAT = mesh("state T @ cells rate @ cells = 1 \n@@", rules=held("T"))
STEP = mesh("state T @ cells rate @ cells = 1", step="\n@@\n", rules=held("T"))
OWN_STEP = "scheme s on mesh(2) { state T @ cells rate @ cells = 1 dt = 0.1 boundary wall { ghost T = 0 } \n@@\n }"
RATE = mesh("state u @ cells rate @ cells = 1", step="\n@@\n")
BARE = mesh("\n@@\n")
FORMULA = mesh(AB + "x @ cells = \n@@\n")
ALL = "@@\n"
NODES = mesh("state phi @ nodes Ld @ edges = integral(outer(dN[I], dN[J])) Lap @ edges = trace(Ld) parameter a0 = 2 state a @ nodes load @ nodes = phi "
             "matrix K symmetric @ nodes { K[I,J] = Lap K[I,I] = -sum(J near I) K[I,J] }\n%s", step="%s", rules="fix phi = 0")
SOLVE, MATRIX = NODES % ("", "\n@@\n"), NODES % ("\n@@\n", "solve H*a = load by gmres")
BLOCK = mesh("state T @ cells F @ faces {\n@@\n}", rules=held("T"))
IMPORT = "@@\n" + mesh("")

# code: what the page says, by kind; each example with its scheme, and what its `...` stand for.
TABLE = {
    "E0100": [("wrong", "q @ faces = kappa*(T[L] - )", mesh("state T @ cells parameter kappa = 1 \n@@", rules=held("T"))),
              ("right", "q @ faces = kappa*(T[L] - T[R])", mesh("state T @ cells parameter kappa = 1 \n@@", rules=held("T")))],
    "E0101": [("wrong", "a = 5 % 2", BARE), ("wrong", "name = \"heat\"", BARE)],
    "E0102": [("wrong", "parameter g = 9.81 [m/s^2", BARE), ("right", "parameter g = 9.81 [m/s^2]", mesh("@@", dt="dt = 0.1 [s]"))],
    "E0103": [(kind, x, mesh("parameter x = 1, g = @@\n")) for kind, all in (("wrong", ".5 5. 2x 1e"), ("right", "0.5 5.0 2*x 1e3")) for x in all.split()],
    "E0104": [(kind, x, mesh(H + "a @ cells = @@"))
              for kind, x in (("wrong", "if 0 < h < h_dry then 1 else 0"), ("right", "if 0 < h and h < h_dry then 1 else 0"))],
    "E0105": [("right", "a @ cells = b*b where b = (c + d)/2", mesh("state c_ @ cells parameter c = 1, d = 2 \n@@"))],
    "E0106": [("wrong", "param g = 9.81", BARE), ("right", "parameter g = 9.81", BARE)],
    "E0107": [("wrong", "update T = T + dt*rate", HEAT), ("right", "step { update T = T + dt*rate }", OWN_STEP)],
    "E0108": [("wrong", "state over @ cells", BARE), ("right", "state flow @ cells", BARE)],
    "E0109": [("wrong", "given h [m]", BARE), ("right", "given h @ cells [m]", mesh("@@", dt="dt = 0.1 [s]"))],
    "W0110": [("wrong", "d = a--b", mesh("parameter a = 1, b = 2 \n@@\n")), ("right", "d = a - -b", mesh("parameter a = 1, b = 2 \n@@\n")),
              ("right", "d = a + b", mesh("parameter a = 1, b = 2 \n@@\n"))],
    "E0111": [("wrong", "u @ cells = if h > h_dry then q/h", mesh(H + "\n@@\n")), ("right", "u @ cells = if h > h_dry then q/h else 0", mesh(H + "\n@@\n"))],
    "E0112": [("wrong", "U @ cells = (h,)", mesh(H + "\n@@\n")), ("right", "U @ cells = (h, q)", mesh(H + "\n@@\n"))],
    "E0113": [("wrong", "if (a > b) a else b", FORMULA), ("right", "if a > b then a else b", FORMULA)],
    "E0114": [("wrong", "x**2", mesh("parameter x = 2 y = @@\n"))] +
             [("wrong", x, mesh("parameter a = 2, b = 1 y = if %s then 1 else 0" % ctx)) for x, ctx in (
                 ("a && b", "(a > 0) == (b > 0) or @@"), ("a || b", "@@"), ("!a", "@@"), ("a <> b", "@@"))] + [("wrong", "a := b", mesh("parameter b = 1 \n@@\n"))] +
             [("right", "x^2", mesh("parameter x = 2 y = @@\n"))] +
             [("right", x, mesh("y @ cells = if @@ then 1 else 0 where a = z > 1, b = z > 2")) for x in ("a and b", "a or b", "not a")] +
             [("right", "a != b", mesh("parameter a = 2, b = 1 y = if @@ then 1 else 0")), ("right", "a = b", mesh("parameter b = 1 \n@@\n"))],
    "E0115": [("wrong", "if n = 1 then a else b", FORMULA), ("right", "if n == 1 then a else b", FORMULA)],
    "E0116": [(kind, x, BARE) for kind, x in (("wrong", "// depth"), ("wrong", "# depth"), ("wrong", "/* depth */"), ("right", "-- depth"))],
    "E0117": [("wrong", "a > b ? a : b", FORMULA), ("right", "if a > b then a else b", FORMULA)],
    "E0118": [("wrong", "step { update T = T + dt*rate", OWN_STEP), ("right", "step { update T = T + dt*rate }", OWN_STEP)],
    "E0119": [(kind, x, mesh("parameter p = 1 @@", dt="dt = 0.1 [s]"))
              for kind, all in (("wrong", "[m s]|[m^x]|[1000*kg]|[m^0.5]"), ("right", "[m*s]|[m^2]|[kg]|[m^(1/2)]")) for x in all.split("|")],
    "E0120": [("wrong", "ghost T = 0", HEAT), ("right", "boundary cold { ghost T = 0 }", HEAT.replace("@@", "@@"))],
    "E0121": [("wrong", "state u : vec @ cells", BARE), ("right", "state u : vector @ cells", BARE)],
    "E0122": [("right", "import limiters", IMPORT)],
    "E0123": [("wrong", "scheme s on mesh(2) { }  state h @ cells", ALL),
              ("right", "scheme s on mesh(2) { state h @ cells }", lambda x: x[:-1] + " dt = 1 step { update h = h } }")],
    "E0124": [("wrong", "scheme s on mesh(4) { }", ALL)] +
             [("right", "scheme s on %s { }" % x, lambda x: x[:-1] + "state h @ cells dt = 1 step { update h = h } }") for x in ("mesh(2)", "mesh(D)", "grid(1)")],
    "E0125": [("wrong", "parameter g [m/s^2] [m] = 1", mesh("@@", dt="dt = 0.1 [s]")), ("right", "parameter g [m/s^2] = 1", mesh("@@", dt="dt = 0.1 [s]"))],
    "E0126": [("right", "import limiters", IMPORT)],
    "E0200": [(kind, "state h @ cells   v @ cells = q/" + x, mesh("state q @ cells @@")) for kind, x in (("wrong", "depth"), ("right", "h"))],
    "E0201": [(kind, "parameter g = 9.81   state %s @ cells" % x, BARE) for kind, x in (("wrong", "g"), ("right", "level"))],
    "E0202": [(kind, "scheme s on %s(2) { state u @ xfaces }" % x, lambda x: x[:-1] + " dt = 1 step { update u = u } }") for kind, x in (("wrong", "mesh"), ("right", "grid"))],
    "E0203": [("wrong", "T @ cells = q", mesh("state q @ faces @@")), ("right", "T @ cells = sum(f of c) q", mesh("state q @ faces @@"))],
    "E0204": [("wrong", "q @ faces = h", mesh("state h @ cells @@", rules=held("h"))), ("right", "q @ faces = h[L]", mesh("state h @ cells @@", rules=held("h")))] +
             [("right", x, mesh("state h @ cells q @ faces = @@", rules=held("h"))) for x in ("h[R]", "mean(h)", "jump(h)")],
    "E0205": [(kind, x, mesh("state h @ cells \n@@\n", rules=held("h"))) for kind, x in (
        ("wrong", "a @ cells = h[L]"), ("right", "a @ faces = h[L]"), ("right", "a @ cells = h  "), ("right", "a @ cells = sum(f of c to d) h[d]"))],
    "E0206": [("wrong", "e @ cells = u*u/2", mesh("state u : vector @ cells @@")), ("right", "e @ cells = dot(u, u)/2", mesh("state u : vector @ cells @@"))],
    "E0207": [(kind, "if h > %s then q/h else 0" % x, mesh("state h @ cells [m] state q @ cells [m^2/s] v @ cells = @@", dt="dt = 0.1 [s]"))
              for kind, x in (("wrong", "1e-6"), ("right", "1e-6 [m]"))],
    "E0208": [("wrong", "parameter d = 3 [feet]", mesh("@@", dt="dt = 0.1 [s]")), ("right", "parameter d = 0.9144 [m]", mesh("@@", dt="dt = 0.1 [s]"))],
    "E0209": [(kind, "dt = min(f in faces) 1/roe." + x, mesh("state T @ cells roe @ faces { flux = jump(T) speed = 1 + mean(T)^2 }", rules=held("T"), dt="@@"))
              for kind, x in (("wrong", "velocity"), ("right", "speed"))],
    "E0210": [(kind, "2*kappa%s(T[L] - T[R])" % x, mesh("state T @ cells parameter kappa = 1 a @ faces = @@", rules=held("T"))) for kind, x in (("wrong", ""), ("right", "*"))],
    "E0211": [("wrong", "fn up(a, b, v) = if v > 0 then a else b     F @ xfaces = up(u[i-1], u[i])", grid("state u @ cells @@", 1)),
              ("right", "F @ xfaces = up(u[i-1], u[i], speed)", grid("state u @ cells parameter speed = 1 fn up(a, b, v) = if v > 0 then a else b @@", 1))],
    "E0212": [("wrong", "a @ cells = b + 1   b @ cells = a/2", BARE),
              ("right", "state b @ cells   a @ cells = b + 1   step { update b = a/2 }", "scheme s on mesh(2) { dt = 0.1 @@ }")],
    "E0213": [("wrong", "a @ cells = u.prev.prev", mesh("state u @ cells @@")), ("wrong", "a @ cells = u - u.old", mesh("state u @ cells @@")),
              ("right", "repeat { ... } until max(c in cells) abs(u - u.old) < tol at most 50",
               mesh("state u @ cells parameter tol = 1", step="\n@@\n"), "update u = u/2")],
    "E0214": [("wrong", "s @ faces = T[L]         a @ cells = sum(f of c) s", HEAT), ("right", "flux s @ faces = T[L] - T[R]     a @ cells = sum(f of c) s", HEAT),
              ("right", "a @ cells = sum(f of c to d) T[d]", HEAT), ("wrong", "top = max(f in faces) T[L]", HEAT),
              ("right", "top = max(f in faces) max(T[L], T[R])", HEAT), ("right", "heat = sum(f in faces(wall)) area*q", mesh("flux q @ faces = jump(z) \n@@\n"))],
    "E0215": [(kind, "flux q @ faces = kappa*%s/distance" % x, mesh("state T @ cells parameter kappa = 1 \n@@\na @ cells = sum(f of c) area*q", rules=held("T")))
              for kind, x in (("wrong", "T[L]"), ("right", "(T[L] - T[R])"))],
    "E0216": [(kind, x, mesh("state h @ cells state q @ cells flux F @ faces = jump(h) + jump(q)", boundary="@@", step="update h = h + sum(f of c) F"))
              for kind, x in (("wrong", "boundary wall { ghost h = h[L] }"), ("right", "boundary wall { ghost h = h[L]  ghost q = -q[L] }"))],
    "E0217": [("wrong", "boundary wall { }   drag = sum(f in faces(walls)) area*p[L]", mesh("state p @ cells \n@@\n", boundary="")),
              ("right", "drag = sum(f in faces(wall)) area*p[L]", mesh("state p @ cells \n@@\n"))],
    "E0218": [("wrong", "boundary wall { flux T = 0 }", mesh("state T @ cells", boundary="@@")),
              ("right", "boundary wall { flux q = 0 }", lambda x: mesh("state T @ cells flux q @ faces = jump(T) a @ cells = sum(f of c) area*q", boundary=x, step="update T = a")),
              ("right", "flux q @ faces = ...", mesh("@@ a @ cells = sum(f of c) area*q"), "jump(z)")],
    "E0219": [("wrong", "state volume @ cells", BARE), ("right", "state content @ cells", BARE)],
    "E0220": [("wrong", "variant space = upwind | tvd     a = if space == central then 1 else 0", BARE),
              ("right", "a = if space == tvd then 1 else 0", mesh("variant space = upwind | tvd @@"))],
    "E0221": [("wrong", "parameter depth = max(c in cells) h", mesh("state h @ cells @@")), ("right", "parameter depth = 2 [m]", mesh("@@", dt="dt = 0.1 [s]"))],
    "E0222": [("wrong", "velocity @ cells = q/h    step { update velocity = 0 }",
               "scheme s on mesh(2) { state h @ cells state q @ cells dt = 0.1 @@ }"),
              ("right", "step { update q = 0 }", "scheme s on mesh(2) { state q @ cells dt = 0.1 @@ }")],
    "E0223": [(kind, x, mesh("state h @ cells state q : vector @ cells state u : vector @ cells state E @ cells a @ cells = @@"))
              for kind, x in (("wrong", "(h, q) + (1, u, E)"), ("right", "(h, q) + (1, u)"))],
    "E0224": [("wrong", "if h then 1 else 0", mesh(H + "a @ cells = @@")), ("right", "if h > 0 then 1 else 0", mesh(H + "a @ cells = @@"))],
    "E0225": [("wrong", "a @ cells = (h > 0)*q", mesh(H + "@@")), ("right", "a @ cells = if h > 0 then q else 0", mesh(H + "@@"))],
    "E0226": [(kind, x, grid("state v @ yfaces @@")) for kind, x in (
        ("wrong", "parameter gy = 9.81   exchange x <-> y { b.y @ yfaces = gy }"),
        ("right", "parameter grav : vector = (0, 9.81)   exchange x <-> y { b.y @ yfaces = grav.y }"))],
    "E0227": [("wrong", "import limiter\n", IMPORT), ("right", "import limiters", IMPORT)],
    "E0228": [("right", "step { update T = T + dt*rate }", OWN_STEP),
              ("right", "step { integrate u' = rate by rk4 over dt }", OWN_STEP.replace("state T", "state u").replace("ghost T", "ghost u"))],
    "E0230": [("wrong", "integrate u' = rate by runge_kutta over dt", RATE), ("right", "integrate u' = rate by rk4 over dt", RATE)],
    "E0231": [("wrong", "solve K*phi = load by cg(eps = 1e-8)", SOLVE), ("right", "solve K*phi = load by cg(tol = 1e-8, iterations = 2000)", SOLVE)],
    "E0232": [("wrong", "matrix H @ nodes { H[I,J] = Lap }", MATRIX), ("right", "matrix H @ nodes { H[I,J] = Lap   H[I,I] = -sum(J near I) H[I,J] }", MATRIX)],
    "E0233": [(kind, "matrix H symmetric @ nodes { H[I,J] = %s*Lap ... }" % x, MATRIX, "H[I,I] = -sum(J near I) H[I,J]")
              for kind, x in (("wrong", "a[I]"), ("right", "mean(a)"))],
    "E0234": [("wrong", "update { u = a   u = b }", mesh("state u @ cells parameter a = 1, b = 2", step="@@")),
              ("right", "update u = a   update u = u + b", mesh("state u @ cells parameter a = 1, b = 2", step="@@"))],
    "E0235": [("wrong", "a @ nodes = sum(f of c) q", mesh("state q @ faces @@")), ("right", "a @ cells = sum(f of c) q", mesh("state q @ faces @@"))],
    "E0236": [(kind, x, grid("state u @ cells a @ cells = @@")) for kind, x in (
        ("wrong", "u[i]"), ("wrong", "u[i,j,j]"), ("right", "u[i+1,j]"), ("right", "u[i-1,j]"))],
    "N0238": [("right", "parameter scale = 2 [m]", mesh("@@ state h @ cells [m] a @ cells = h*scale", dt="dt = 0.1 [s]")),
              ("right", "[1]", mesh("parameter scale = 2 @@ state h @ cells [m] a @ cells = h*scale", dt="dt = 0.1 [s]"))],
    "E0239": [(kind, x, mesh("state u @ cells [m] rate @ cells [m/s] = u/time parameter time = 1 [s]", dt="dt = 0.1 [s]", step="@@")) for kind, x in (
        ("wrong", "integrate u' = u + dt*rate by rk4 over dt"), ("right", "integrate u' = rate by rk4 over dt"))],
    "E0240": [(kind, x, mesh("state u @ nodes \n@@\n")) for kind, x in (
        ("wrong", "g(s) @ nodes = g(s + 1)   a @ nodes = g(u)"), ("right", "g(s) @ nodes = s + 1      a @ nodes = g(u)"))],
    "E0241": [(kind, x, grid("state v @ cells fn psi(s) = s[1] a @ cells = @@")) for kind, x in (("wrong", "psi(v[i+1..i-2,j])"), ("right", "psi(v[i-2..i+1,j])"))],
    "E0242": [("wrong", "parameter a = 2*b, b = a/2", BARE), ("right", "parameter a = 2, b = a/2", BARE)],
    "E0243": [("right", "dt = cfl * min(c in cells) volume/(sum(f of c) area*speed)", mesh("parameter cfl = 1 speed @ faces = 1 + mean(z)^2", dt="@@")),
              ("right", "dt = 1e-3", mesh("", dt="@@"))],
    "E0244": [("wrong", "boundary inflow(q >= least) { ... }", mesh("parameter least = 0 @@"), "ghost z = q"),
              ("right", "boundary inflow(q [m^2/s] >= 0) { ... }", mesh("state h @ cells [m^2/s] @@", dt="dt = 0.1 [s]"), "ghost h = q"),
              ("right", "boundary mixed(part >= 0 and <= 1 = 0.5) { ... }", BARE, "ghost z = part"),
              ("right", "parameter kappa [m^2/s] > 0 and <= 100 = 0.1", mesh("@@", dt="dt = 0.1 [s]"))],
    "E0250": [("wrong", "to L = -jump(T)    to R = -jump(T)", BLOCK), ("right", "to L = -jump(T)    to R = jump(T)", BLOCK), ("right", "flux = -jump(T)", BLOCK)],
    "W0251": [("hard", "flux = if p[R] > 2*p[L] then a else if p[L] > 2*p[R] then b else c",
               mesh("given p @ cells > 0 F @ faces {\n let a = p[R], b = -p[L], c = jump(p) \n@@\n}")),
              ("right", "flux = max(un, 0)*a + min(un, 0)*b",
               mesh("state T @ cells state u : vector @ cells F @ faces {\n let un = dot(mean(u), normal), a = T[L], b = T[R] \n@@\n}", rules=held("T", "u")))],
    "E0252": [("wrong", "dt = 0/0*cfl", mesh("parameter cfl = 1", dt="@@")), ("wrong", "parameter big = 1e300*1e300", BARE),
              ("right", "dt = cfl*1e-3", mesh("parameter cfl = 1", dt="@@")), ("right", "parameter big = 1e300", BARE)],
    "E0253": [("wrong", "import shallow_water\n", IMPORT), ("right", "import limiters", IMPORT),
              ("right", "import drag_rate of shallow_water", "@@" + mesh("", dt="dt = 0.1 [s]")), ("right", "scheme rain extends shallow_water { }", ALL)],
    "W0254": [("hard", "let volume = 3", mesh("F @ faces { @@ flux = jump(z)*volume }")), ("hard", "boundary wall(t) { ... }", mesh("", boundary="@@"), "ghost z = t"),
              ("hard", "state L @ cells", mesh("@@ F @ faces = z[L] + L[L]", rules=held("L"))), ("right", "let content = 3", mesh("F @ faces { @@ flux = jump(z)*content }")),
              ("right", "boundary wall(t_wall) { ... }", mesh("", boundary="@@"), "ghost z = t_wall"), ("right", "state level @ cells", BARE)],
    "E0255": [("wrong", "scheme mine extends shallow_water { celerity @ cells = ...          step { update h = ... } }", ALL, "sqrt(g*h)", "h"),
              ("right", "scheme mine extends shallow_water { replace celerity @ cells = ...  step { step of shallow_water update h = ... } }", ALL, "sqrt(g*h)", "h")],
    "E0256": [(kind, "scheme mine extends shallow_water { replace %s @ cells = ... }" % x, ALL, "sqrt(g*h)") for kind, x in (("wrong", "celerty"), ("right", "celerity"))],
    "E0257": [(kind, "scheme mine extends %s { ... }" % x, ALL, "") for kind, x in (("wrong", "limiters"), ("right", "shallow_water"))],
    "E0258": [("wrong", "scheme mine on mesh(2) { replace celerity @ cells = ... }",
               lambda x: x[:-1] + " state h @ cells dt = 0.1 step { update h = h } }", "h"),
              ("right", "scheme mine extends shallow_water { replace celerity @ cells = ... }", ALL, "sqrt(g*h)")],
    "E0259": [("wrong", "at t { update T = ... }", STEP, "T"), ("wrong", "at t + dt { integrate T' = rate by rk4 over dt }", STEP),
              ("wrong", "integrate T' = rate by rk4 over 2*dt", STEP), ("right", "at t + dt { update T = ... }", STEP, "T"),
              ("right", "at t + dt/2 { solve A*p = q by cg }", SOLVE.replace("K", "A").replace("phi", "p").replace("load", "q"))],
    "W0260": [("hard", "flux q @ faces = sin(2*pi*centre.x)*jump(T)", mesh("state T @ cells \n@@\na @ cells = sum(f of c) area*q", rules=held("T"), step="update T = a")),
              ("right", "flux q @ faces = dot(mean(grad), centre[R] - centre[L])*area",
               mesh("state T @ cells grad @ cells = sum(f of c to d) T[d]*normal \n@@\na @ cells = sum(f of c) q", rules=held("T") + " flux q = 0", step="update T = a"))],
    "W0261": [(kind, "repeat { update a = ... } until max(c in cells) abs(%s - %s.old) < 1e-6" % (x, x), mesh(AB, step="@@"), "a/2") for kind, x in (("hard", "b"), ("right", "a"))],
    "W0262": [("right", "dslc check scheme.ew time=explicit space=tvd", "--variants")],
    "E0300": [("wrong", "roe.evaluate = inline", "--schedule"), ("right", "roe = inline", "--schedule")],
}

# Pages without an example of what is wrong, and why no line of them could be one.
ALONE = {"E0105": "200 brackets", "E0122": "two files' worth", "E0126": "16 MiB", "E0228": "what is wrong is not there", "E0229": "a file",
         "W0237": "what is not read", "N0238": "of a whole file", "E0243": "what is wrong is not there", "E0299": "none is known", "E0301": "of settings",
         "W0262": "thousands of combinations", "W0302": "of settings", "E0303": "of a target"}

# What stands behind examples.
REMARKS = ["(this is d = a)", "or", "(q lives at faces)", "or , ,", "u a vector", "h in m", "the flux also reads q[R]", "T is a state", "on grid(2)",
           "or for a plain number", "seen from R, jump(T) has the other sign", "or, as what one loses the other gains,", "needs p > 0 to be the same",
           "a file of `fn`s", "all of it", "a file of functions", "is, if the period is 1, but that is not proved"]


def page_of(dslc, code):
    return subprocess.run([dslc, "explain", code], stdout=subprocess.PIPE, text=True, check=True).stdout


def says(dslc, folder, program):
    """Codes of what is said of a scheme, or of a setting or variants of a shipped one."""
    path = os.path.join(folder, "example.ew")
    if program[0] == "--schedule":
        command = [dslc, "check", "shallow_water", "--schedule", program[1].replace(" ", "")]
    elif program[0] == "--variants":
        command = [dslc, "check", "simple_ts"] + program[1].split()[3:]
    else:
        name = re.search(r"\bscheme (\w+)", program[0])
        path = os.path.join(folder, "%s.ew" % (name.group(1) if name else "example"))
        with open(path, "w") as f:
            f.write(program[0])
        command = [dslc, "check", "--periodic", path]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return set(re.findall(r"\[([EWN]\d{4})\]", ran.stdout)), ran.stdout


def fault(dslc, folder, code, kind, example, context, *fill):
    text = example.strip()
    for f in fill:
        text = text.replace("...", f, 1)
    program = (context, text) if str(context).startswith("--") else (context(text) if callable(context) else context.replace("@@", text), None)
    codes, said = says(dslc, folder, program)
    errors = {c for c in codes if c.startswith("E")}
    if kind == "right":
        good = not errors and code not in codes
    else:
        good = code in codes and errors <= {code}
    return None if good else "%s %s: %s\n%s\n%s" % (code, kind, text, program[0], said)


def left_over(page, entries):
    """What of the page's examples the table does not have, and of the table's the page has not."""
    lines = [list(m) for m in re.findall(r"^  (wrong|right|hard):  (.*)$", page, re.M)]
    for kind, example, *_ in entries:
        example = example.strip()
        for line in lines:
            if line[0] == kind and example in line[1]:
                line[1] = line[1].replace(example, " ", 1)
                break
        else:
            yield "the page has no example  %s:  %s" % (kind, example)
    for kind, rest in lines:
        rest = " ".join(rest.split())
        if rest and rest not in REMARKS:
            yield "not in the table, of  %s:  %s" % (kind, rest)


def lists(dslc, language):
    """Lists that pages repeat of the compiler's tables."""
    words = re.search(r"<!-- table: words -->(.*?)<!-- end -->", open(language).read(), re.S).group(1)
    said = page_of(dslc, "E0108")
    yield from ("E0108 lacks %s" % w for w in re.findall(r"`(\w+)`", words) if not re.search(r"\b%s\b" % w, said))
    ran = subprocess.run([dslc, "check", "heat", "--schedule", "nosuch=1", "--schedule", "q=nosuch"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    settings, forms = re.search(r"settings are (.*), or the name", ran.stdout), re.search(r"it is one of: (.*)", ran.stdout)
    said = page_of(dslc, "E0300")
    yield from ("E0300 lacks %s" % s for s in settings.group(1).split(", ") if not re.search(r"(?<![\w.])%s\b(?![.])" % re.escape(s), said.replace(".\n", "\n")))
    if "faces = %s" % forms.group(1) not in page_of(dslc, "E0301"):
        yield "E0301 lacks faces = %s" % forms.group(1)


def main(dslc, language, *only):
    codes = re.findall(r"^([EWN]\d{4})  ", subprocess.run([dslc, "explain"], stdout=subprocess.PIPE, text=True).stdout, re.M)
    bad = list(lists(dslc, language))
    n = 0
    with tempfile.TemporaryDirectory() as folder:
        for code in only or codes:
            entries = TABLE.get(code, [])
            bad += ["%s: %s" % (code, x) for x in left_over(page_of(dslc, code), entries)]
            if (code in ALONE) == any(e[0] != "right" for e in entries):
                bad.append("%s: an example of what is wrong, or a reason why there is none" % code)
            bad += [f for f in (fault(dslc, folder, code, *e) for e in entries) if f]
            n += len(entries)
    print("\n".join(bad) or "%d examples" % n)
    return 1 if bad else 0


sys.exit(main(*sys.argv[1:]))
