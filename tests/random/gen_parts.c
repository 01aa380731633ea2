/* Declarations, functions, globals and the step: what all families have. */
#include "gen_internal.h"

#include <string.h>

/* ---- declarations ----------------------------------------------------------------------------------------------------- */

/* That none of the values meets which are drawn. Without a draw, so that schemes without bounds stay what they were. */
const char *gen_bounds(gen *g) {
  static const char *const all[] = {" >= -50", "", " > -40 and <= 40", " < 60"};
  const char *text = g->bounded ? all[g->bounds_asked++ % 4] : "";
  if (*text) hit(g, C_BOUNDS);
  return text;
}

/* A formula of those before it. */
static const char *made_of_others(gen *g, int n) {
  ctx c = {.at = W_FN, .axis = -1};
  g->n_params = n;
  const char *e = expr(g, &c, R_SCALAR, 3);
  hit(g, C_PARAMETER_MADE);
  return fmt(g, "0.5*tanh(%s) + 0.11", e);
}

static void declare_parameters(gen *g) {
  const int n = 1 + below(g, 3);
  for (int i = 0; i < n; i++) {
    bool open = chance(g, 30), made = i > 0 && chance(g, 30);
    hit(g, open ? C_PARAMETER_OPEN : C_PARAMETER);
    const char *bounds = i > 0 ? gen_bounds(g) : ""; /* p0 may get a unit */
    if (open) emit(g, "  parameter p%d%s\n", i, bounds);
    else if (made) emit(g, "  parameter p%d%s = %s\n", i, bounds, made_of_others(g, i));
    else
      emit(g, "  parameter p%d%s = %s\n", i, bounds, chance(g, 20) ? "0" : chance(g, 10) ? "1" : number(g));
  }
  g->n_params = n;
  if (g->dim > 1) {
    g->n_vector_params = 1;
    hit(g, C_PARAMETER);
    if (g->letter_d || chance(g, 50)) emit(g, "  parameter w0 : vector\n");
    else emit(g, "  parameter w0 : vector = (0.3, -0.2%s)\n", g->dim == 3 ? ", 0.1" : "");
  }
  if (g->tabled) emit(g, "  parameter tx = 0.2173, ty = 0.4119\n");
  if (chance(g, 15))
    g->has_int = true, hit(g, C_PARAMETER_INT), emit(g, "  parameter n0 : int = %d\n", 1 + below(g, 4));
  if (chance(g, 30)) {
    g->n_variants = 1;
    hit(g, C_VARIANT);
    emit(g, "  variant way = one | two\n");
  }
}

static void declare_state(gen *g, const char *name, where at, rank r) {
  static const char *const types[] = {"", " : vector", " : tensor"};
  static const construct kinds[] = {C_STATE_SCALAR, C_STATE_VECTOR, C_STATE_TENSOR, C_STATE_LIST};
  sym *s = add_sym(g, name, at, r);
  s->state = true;
  s->n = r == R_LIST ? 2 + below(g, 12) : 0;
  hit(g, s->n > 9 ? C_STATE_LONG_LIST : kinds[r]);
  if (at >= W_XFACES) hit(g, C_STATE_STAGGERED);
  if (at >= W_XEDGES && at <= W_ZEDGES) hit(g, C_AT_EDGES_3D);
  if (r == R_LIST) emit(g, "  state %s : real[%d] @ %s\n", name, s->n, where_name(at));
  else emit(g, "  state %s%s @ %s\n", name, types[r], where_name(at));
}

static void declare_states(gen *g) {
  where at = place_of_states(g);
  int more = g->crowded ? 0 : below(g, 3);
  if (g->one) emit(g, "  state one0 : scalar\n");
  declare_state(g, "s0", at, R_SCALAR);
  for (int i = 1; i <= more; i++) declare_state(g, fmt(g, "s%d", i), at, R_SCALAR);
  if (g->dim > 1 && chance_in(g, 45, 10)) declare_state(g, "v0", at, R_VECTOR);
  if (g->dim > 1 && chance_in(g, 12, 2)) declare_state(g, "k0", at, R_TENSOR);
  if (chance_in(g, 20, 2)) declare_state(g, "l0", at, R_LIST);
  if (g->family != F_GRID) return;
  if (g->exchange || chance(g, 45)) declare_state(g, "u0", W_XFACES, R_SCALAR);
  if (g->dim > 1 && (g->exchange || chance(g, 45))) declare_state(g, "u1", W_YFACES, R_SCALAR);
  if (g->dim > 2 && chance(g, 45)) declare_state(g, "u2", W_ZFACES, R_SCALAR);
  if (g->dim > 1 && chance_in(g, 15, 30)) declare_state(g, "c0", gen_low_point(g), R_SCALAR);
}

static void declare_given(gen *g, int k) {
  static const char *const types[] = {"", " : vector", " : tensor"};
  bool time = chance(g, 30), at_faces = g->family != F_NODES && chance(g, 12);
  rank r = g->dim > 1 && chance(g, 25) ? R_VECTOR : g->dim > 1 && chance(g, 8) ? R_TENSOR : R_SCALAR;
  where at = !at_faces ? place_of_states(g) : g->family == F_GRID ? W_XFACES : W_FACES;
  if (at_faces) r = R_SCALAR;
  sym *s = add_sym(g, fmt(g, "h%d", k), at, r);
  s->given = true;
  hit(g, time ? C_GIVEN_TIME : C_GIVEN);
  if (at_faces) hit(g, C_GIVEN_FACES);
  if (r == R_TENSOR) hit(g, C_GIVEN_TENSOR);
  emit(g, "  given %s%s @ %s%s%s\n", s->name, types[r], where_name(at), r == R_SCALAR ? gen_bounds(g) : "",
       time ? " over time" : "");
}

static void declare_givens(gen *g) {
  int n = below(g, 3);
  for (int i = 0; i < n; i++) declare_given(g, i);
}

/* One that equations may read, so it is made of states and givens alone. */
static void first_global(gen *g) {
  where at = place_of_states(g);
  ctx c = {.at = at, .pointwise = true, .no_globals = true, .axis = -1};
  if (chance(g, 50)) return;
  hit(g, C_GLOBAL);
  emit(g, "  g0 = %s(%s in %s) (%s)\n", chance(g, 50) ? "max" : "0.01*sum", at == W_NODES ? "I" : "c",
       where_name(at), expr(g, &c, R_SCALAR, 2));
  g->n_globals = 1;
}

void gen_declarations(gen *g) {
  declare_parameters(g);
  declare_states(g);
  declare_givens(g);
  first_global(g);
  if (g->family != F_NODES) return;
  hit(g, C_INTEGRALS);
  emit(g, "  M @ nodes = integral(N[I])\n  grad @ edges = integral(N[I]*dN[J])\n");
  emit(g, "  G @ edges = integral(dN[I]*N[J])\n  Ld @ edges = integral(outer(dN[I], dN[J]))\n");
  if ((g->edge_given = g->n_syms % 3 == 0))
    hit(g, C_GIVEN_EDGES), emit(g, "  given he @ edges%s\n", g->n_syms % 2 ? " over time" : "");
  const bool weighs = g->n_syms % 2; /* by a constant, and a given */
  if (g->bounded) hit(g, C_REGION_INTEGRAL), emit(g, "  kr @ cells = if region(all) then 1.07 else 0.43\n");
  if (weighs) hit(g, C_INTEGRALS_WEIGHTED), emit(g, "  given kw @ cells\n");
  emit(g, "  Lap @ edges = integral(%sdot(dN[I], dN[J]))\n  NN @ edges = integral(%sN[I]*N[J])\n",
       g->bounded ? "kr*"
       : weighs   ? "1.07*"
                  : "",
       weighs ? "kw*" : "");
}

void gen_functions(gen *g) {
  int n = below(g, 3);
  ctx c = {.at = W_FN, .n_formals = 2, .axis = -1};
  for (int i = 0; i < n; i++) {
    bool with = chance(g, 40);
    hit(g, C_FUNCTION);
    if (with) hit(g, C_WHERE);
    c.n_formals = 2;
    emit(g, "  fn f%d(a, b) = %s", i, expr(g, &c, R_SCALAR, 2));
    emit(g, with ? " + 0.1*e*e where e = 0.3*(a + b)\n" : "\n");
    g->n_fns = i + 1;
  }
  if (g->family == F_GRID)
    emit(
        g,
        "  fn third(f, w) = if w > 0.4137 then (2*f[3] + 5*f[2] - f[1])/8 else (2*f[2] + 5*f[3] - f[4])/8\n");
  if (g->dim > 1 && chance(g, 20)) {
    g->fn_vector = true;
    hit(g, C_FUNCTION);
    emit(g, "  fn fv(a, b) = dot(a, b)/(1 + norm(a + 0.5*b))\n");
  }
  if (chance(g, 25)) {
    g->fn_tuple = true;
    hit(g, C_FUNCTION_TUPLE);
    emit(g, "  fn pair(a, b) = if a < b + 0.0137 then (a, b) else (b, 0.5*a)\n");
  }
}

/* ---- globals ---------------------------------------------------------------------------------------------------------- */

static void global_of_rule(gen *g, int k) {
  const char *s = g->sym[0].name;
  hit(g, C_GLOBAL_RULE);
  if (g->family == F_GRID) {
    emit(g, "  g%d = sum(f in xfaces(r0)) normal.x%s\n", k, chance(g, 60) ? "*sin(t)" : "");
    return;
  }
  if (g->family == F_CELLS) emit(g, "  g%d = sum(f in faces(r0)) area*%s[L]*normal.x\n", k, s);
  else emit(g, "  g%d = 0.1*sum(I in nodes(r0)) M*%s\n", k, s);
}

/* The same from both sides: which cell of a face is L is up to the mesh. */
static void global_of_faces(gen *g, int k) {
  ctx c = {.at = W_FACES, .no_globals = true, .axis = -1};
  const char *e = expr(g, &c, R_SCALAR, 1);
  hit(g, C_GLOBAL_FACES);
  emit(g, "  g%d = %s(f in faces) (0.5*((%s) + (%s)))\n", k, chance(g, 50) ? "max" : "0.02*sum",
       seen_from(g, e, 'L', 'R', false), seen_from(g, e, 'L', 'R', true));
}

/* Over all faces across an axis, or all corners, of a state there. */
static void global_of_place(gen *g, int k) {
  const char *name = NULL;
  where at = W_CELLS;
  for (int i = 0; i < g->n_syms; i++) {
    const sym *s = &g->sym[i];
    if (s->rank == R_SCALAR && s->state && s->at >= W_XFACES && s->at <= W_CORNERS)
      name = s->name, at = s->at;
  }
  if (name)
    hit(g, C_GLOBAL_PLACE),
        emit(g, "  g%d = max(f in %s) %s%s\n", k, where_name(at), name, chance(g, 25) ? ".prev" : "");
  else emit(g, "  g%d = 0.3 + t\n", k);
}

/* What an integrator goes over may follow from the states and the time that its stages change. */
static const char *span_factor(gen *g) {
  const where at = place_of_states(g);
  switch (below(g, 4)) {
  case 0: return "";
  case 1: return "*(1 + 0.1*p0/(1 + p0^2))";
  case 2: return "*(1 + 0.5*sin(3*t))";
  default:
    return fmt(g, "/(1 + (max(%s in %s) %s^2))", at == W_NODES ? "I" : "c", where_name(at), g->sym[0].name);
  }
}

static void rare_globals(gen *g, int n) {
  if (n > 1 && chance(g, 10)) {
    hit(g, C_GLOBAL_OF_GLOBALS);
    emit(g, "  g8 = 0.3*g1/(1 + g1^2) + 0.1\n");
  }
  if (chance(g, 15)) g->has_span = true, emit(g, "  span = 0.02%s\n", span_factor(g));
}

/* What dt may follow from: an equation, on meshes at a cell's faces. Without a draw. */
static const char *through_equation(gen *g) {
  const where at = g->family == F_CELLS ? W_FACES : place_of_states(g);
  for (int i = g->n_syms - 1; i >= 0 && g->n_syms % 2; i--) {
    const sym *e = &g->sym[i];
    if (e->at != at || e->rank != R_SCALAR || e->state || e->given || e->back || e->own_only) continue;
    hit(g, at == W_FACES ? C_DT_FACES : C_DT_EQUATION);
    return fmt(g, at == W_FACES ? " + (0.1*sum(f of c) %s)^2" : " + (0.1*%s)^2", e->name);
  }
  return "";
}

/* Of any kind: over cells, faces, what a rule marks. Without a draw. */
static const char *through_global(gen *g) {
  if (!g->governed || g->n_named < 2) return "";
  hit(g, C_DT_GLOBAL);
  return fmt(g, "/(1 + 0.1*g%d^2)", 1 + g->n_syms % (g->n_named - 1));
}

void gen_globals(gen *g) {
  static const char *const forms[] = {"0.05*sum", "max", "min"};
  where at = place_of_states(g);
  int n = 1 + below(g, 3);
  for (int k = 1; k < n; k++) {
    ctx c = {.at = at, .no_globals = true, .no_sums = g->family != F_GRID, .axis = -1};
    const char *e = expr(g, &c, R_SCALAR, 2);
    hit(g, C_GLOBAL);
    if (k == 1 && chance(g, 60)) global_of_rule(g, k);
    else if (g->family == F_CELLS && chance(g, 25)) global_of_faces(g, k);
    else
      emit(g, "  g%d = %s(%s in %s) (%s)\n", k, forms[below(g, 3)], at == W_NODES ? "I" : "c", where_name(at),
           e);
  }
  if (g->family == F_GRID && (chance(g, 30) || g->again)) global_of_place(g, n++);
  g->n_named = n;
  rare_globals(g, n);
  if (g->steady) {
    hit(g, C_DT_NONE);
    return;
  }
  const char *s = g->sym[0].name;
  bool reduced = chance(g, 35) || (g->has_matrix && g->n_syms % 2);
  hit(g, reduced ? C_DT_REDUCED : C_DT_CONSTANT);
  const char *back = reduced && g->backward ? fmt(g, " + 0.1*%s.prev^2", s) : "";
  if (*back) hit(g, C_DT_BACK);
  if (reduced)
    emit(g, "  dt = 0.05*(min(%s in %s) 1/(1 + %s^2%s%s))%s\n", at == W_NODES ? "I" : "c", where_name(at), s,
         back, through_equation(g), through_global(g));
  else emit(g, "  dt = %s\n", chance(g, 50) ? "0.05" : "0.03 + 0.02*p0/(1 + p0^2)");
}

/* ---- the step ------------------------------------------------------------------------------------------------------------ */

static const char *right_side(gen *g, const sym *s) {
  ctx c = {.at = s->at, .step = true, .axis = -1};
  if (s->rank == R_LIST) {
    const char *k = expr(g, &c, R_SCALAR, 1);
    return fmt(g, "%s*(1 + dt*(%s))", s->name, k);
  }
  const char *e = expr(g, &c, s->rank, 1 + below(g, 3));
  if (s->rank == R_TENSOR || chance(g, 25)) return fmt(g, "0.9*%s + 0.1*(%s)", s->name, e);
  return fmt(g, "%s + dt*(%s)", s->name, e);
}

static void update_one(gen *g, const sym *s) {
  hit(g, C_UPDATE);
  emit(g, "    update %s = %s\n", s->name, right_side(g, s));
}

/* The second looks at its own point only: both may become one kernel. */
static void update_some(gen *g, const sym *s) {
  const char *said = right_side(g, s);
  hit(g, C_UPDATE);
  emit(g, "    update %s = %s\n", s->name, said);
  if (!g->again || s->rank == R_BOOL) return;
  hit(g, C_UPDATE_AGAIN);
  if (g->n_syms % 3) emit(g, "    update %s = 0.93*%s\n", s->name, s->name);
  else emit(g, "    update %s = %s\n", s->name, said); /* of what the first has made of it */
}

static sym *some_state(gen *g, int from) {
  for (int k = 0; k < g->n_syms; k++) {
    sym *s = &g->sym[(from + k) % g->n_syms];
    if (s->state) return s;
  }
  return &g->sym[0];
}

static void update_block(gen *g) {
  hit(g, C_UPDATE_BLOCK);
  emit(g, "    update {\n");
  for (int i = 1; i < g->n_syms; i++)
    if (g->sym[i].state && chance(g, 70))
      emit(g, "      %s = %s\n", g->sym[i].name, right_side(g, &g->sym[i]));
  if (g->one && g->n_syms % 2) emit(g, "      one0 = 0.6*one0 + 0.17\n"); /* what rules fix may read it */
  emit(g, "      %s = %s\n    }\n", "s0", right_side(g, &g->sym[0]));
}

static const char *rate(gen *g, const sym *s) {
  ctx c = {.at = s->at, .axis = -1};
  if (s->rank == R_LIST) return fmt(g, "-0.3*%s", s->name);
  for (int i = 0; i < 6 && chance(g, 60); i++) {
    sym *e = &g->sym[below(g, g->n_syms)];
    if (e->at == s->at && e->rank == s->rank && !e->state && !e->given && !e->back) return e->name;
  }
  return fmt(g, "(%s)", expr(g, &c, s->rank, 2));
}

/* A global, a part of it, or a number. Without a draw, like what follows. */
static const char *other_interval(gen *g) {
  static const char *const forms[] = {"span", "0.5*span", "0.017"};
  const int k = g->n_syms % 3;
  hit(g, k ? C_INTEGRATE_FORMULA : C_INTEGRATE_GLOBAL);
  return forms[k];
}

/* The same equations once more, behind another statement: halves go on where the first left off; behind dt, whole or in halves, a new round
 * begins where the step does. */
static void integrate_again(gen *g, construct as, const char *system) {
  hit(g, as);
  emit(g, "    update s0 = s0/(1 + 0.1*dt)\n    integrate %s\n", system);
}

static void integrate(gen *g) {
  static const char *const methods[] = {"euler", "midpoint", "heun", "ssp_rk2", "ssp_rk3", "rk4"},
                           *const spans[] = {"dt", "dt", "dt", "dt/2", "0.5*dt"};
  sym *a = some_state(g, below(g, g->n_syms)), *b = some_state(g, below(g, g->n_syms));
  int span = below(g, 5);
  if (g->crowded && chance(g, 40)) span = 4;
  hit(g, C_INTEGRATE);
  if (span > 2) hit(g, C_INTEGRATE_PART);
  const char *system = fmt(g, "%s' = %s", a->name, rate(g, a));
  if (a != b && a->at == b->at && chance(g, 40)) {
    hit(g, C_INTEGRATE_MORE);
    system = fmt(g, "%s, %s' = %s", system, b->name, rate(g, b));
  }
  const bool global = g->has_span && chance(g, 50);
  const char *over = global ? other_interval(g) : spans[span];
  system = fmt(g, "%s by %s over %s", system, methods[below(g, 6)], over);
  emit(g, "    integrate %s\n", system);
  const bool halves = span > 2, turns = halves && (g->n_syms % 2 || g->crowded);
  if (global) return;
  if (turns) integrate_again(g, C_INTEGRATE_TURNS, system);
  if ((turns || !halves) && g->n_syms % 5 == 0) integrate_again(g, C_INTEGRATE_ROUNDS, system);
}

static void solve(gen *g);

static void repeat(gen *g) {
  sym *s = some_state(g, below(g, g->n_syms));
  if (s->rank > R_VECTOR || s->at >= W_XFACES) s = &g->sym[0];
  hit(g, C_REPEAT);
  emit(g, "    repeat {\n");
  update_one(g, s);
  if (chance(g, 30)) update_one(g, some_state(g, below(g, g->n_syms)));
  if (chance(g, 12)) hit(g, C_REPEAT_INTEGRATE), integrate(g);
  if (chance(g, 15)) {
    hit(g, C_REPEAT_NESTED);
    emit(g, "    repeat {\n");
    update_one(g, some_state(g, below(g, g->n_syms)));
    emit(g, "    } until t < -1 at most %d\n", 1 + below(g, 2));
  }
  if (g->has_matrix && chance(g, 80)) hit(g, C_REPEAT_SOLVE), solve(g);
  if (g->n_syms % 4 == 1) { /* without a draw */
    hit(g, C_REPEAT_OPEN);
    emit(g, "    } until t > -1\n");
    return;
  }
  const bool of_rule = g->family == F_CELLS && (g->n_syms % 8 == 2 || g->n_named % 2 == 1);
  if (g->n_syms % 4 == 2 && (of_rule || g->n_named > 1)) { /* without a draw, too */
    hit(g, of_rule ? C_REPEAT_OF_RULE : C_REPEAT_GLOBAL);
    emit(g, of_rule ? "    } until (0.1*sum(f in faces(r0)) area*s0[L]) > 0.21173 or max(c in cells) s0 > "
                      "9.1317 at most 3\n"
                    : "    } until g1/(1 + g1^2) > 0.21173 at most 3\n");
    return;
  }
  hit(g, C_OLD);
  emit(g, "    } until max(%s in %s) %s(%s - %s.old) < %s at most %d\n", s->at == W_NODES ? "I" : "c",
       where_name(s->at), s->rank == R_VECTOR ? "norm" : "abs", s->name, s->name,
       chance(g, 50) ? "0.00317" : "-1", 1 + below(g, 3));
}

static void solve(gen *g) {
  static const char *const methods[] = {"cg", "cg", "bicgstab", "cg_three_term", "minres", "gmres"},
                           *const with[] = {"", ", preconditioner = jacobi", ", preconditioner = none",
                                            ", preconditioner = chebyshev", ", preconditioner = multigrid"};
  ctx c = {.at = W_NODES, .step = true, .axis = -1};
  const int method = below(g, 6);
  hit(g, C_SOLVE);
  if (method > 3) hit(g, C_SOLVE_OTHERS);
  emit(g, "    solve A*s0 = M*(%s) by %s(tol = 1e-14, iterations = 500%s)\n", expr(g, &c, R_SCALAR, 2),
       methods[method], with[below(g, 5)]);
}

static void update_tuple(gen *g) {
  for (int i = 0; i < g->n_syms; i++) {
    if (g->sym[i].rank != R_TUPLE || g->sym[i].at != W_FACES) continue;
    if (chance(g, 40)) {
      hit(g, C_INTEGRATE_TUPLE);
      emit(g, "    integrate U' = -0.1/volume*sum(f of c) area*%s by %s over dt\n", g->sym[i].name,
           chance(g, 50) ? "heun" : "ssp_rk3");
      return;
    }
    hit(g, C_UPDATE_TUPLE);
    emit(g, "    update U = U - 0.1*dt/volume*sum(f of c) area*%s\n", g->sym[i].name);
    return;
  }
}

/* Values stay near 1. Of an equation at any place where it has one value, of the start of the step too. Without a draw. At an edge it may
 * have one from each end: that the two agree is then tested only, by numbers that are others where a scheme is split in files. */
static void require_equation(gen *g) {
  for (int i = g->n_syms - 1; i >= 0; i--) {
    const sym *e = &g->sym[i];
    if (e->rank != R_SCALAR || e->state || e->given || e->own_only || e->tuple_of_two || e->at == W_EDGES)
      continue;
    const bool back = !e->back && !e->odd && g->n_syms % 2;
    hit(g, C_REQUIRE_EQUATION);
    emit(g, "  require abs(%s%s) < 2.2317\n", e->name, back ? ".prev" : "");
    return;
  }
}

static void gen_requires(gen *g) {
  if (g->governed && !g->steady) require_equation(g);
  if (g->backward && !g->steady) { /* without a draw, as g->backward is */
    hit(g, C_REQUIRE_BACK);
    emit(g, "  require abs(s0 - 0.9*s0.prev) < %s\n", g->n_syms % 2 ? "0.3717" : "0.2117 + 2*t");
  }
  if (!chance(g, 25)) return;
  hit(g, C_REQUIRE);
  emit(g, "  require s0 < 1000\n");
  if (chance(g, 30) && (g->one || g->n_named > 1)) {
    hit(g, C_REQUIRE_GLOBAL);
    emit(g, g->one ? "  require one0 < 900\n" : "  require g1 < 1e6\n");
  }
  if (chance(g, 20)) emit(g, "  require abs(s0)*(1 + s0^2) > -0.0317\n");
}

/* Without a draw, so that other schemes stay what they were. */
static void choose_statements(gen *g) {
  hit(g, C_CHOICE);
  emit(g, "    if way == one {\n      update s0 = 0.93*s0\n    } else if way == two { update s0 = s0 - "
          "0.07*s0 } else { }\n");
}

static void look_up(gen *g) {
  hit(g, C_TABLE);
  emit(g, "    update s0 = s0 - 0.05*table(s0, (-0.3137, 0.1), (0.2171, 0.4), (1.113, 0.2))\n");
}

/* Cells sum what must be refused. */
static void update_by_suspect(gen *g) {
  bool far = strcmp(g->suspect, "qs") == 0;
  const char *s = far ? "far" : "s0";
  if (far) emit(g, "    update far = 0.02*far + 25\n");
  emit(g, "    update %s = %s - 0.1*dt/volume*sum(f of c) area*%s\n", s, s, g->suspect);
}

/* By a reduction over a state, alone or in one statement with it. */
static void update_one_value(gen *g) {
  const char *at = where_name(g->sym[0].at), *var = g->sym[0].at == W_NODES ? "I" : "c";
  hit(g, C_UPDATE_ONE);
  if (g->one_asked % 3 == 0)
    emit(g, "    update { one0 = one0/2 + 0.21*tanh(max(%s in %s) s0)  s0 = s0 + 0.07*one0 }\n", var, at);
  else
    emit(g, "    update one0 = 0.5*one0 + 0.23*tanh((min(%s in %s) s0) + (max(%s in %s) s0))\n", var, at, var,
         at);
}

/* Without a draw: the last statements at the end of the step, or at half of it, behind passes that go from one time to the other. */
static void at_time(gen *g, int n) {
  if (n == 2) return;
  hit(g, C_AT_TIME);
  if (n == 3 && g->n_variants > 0) {
    emit(g, "    repeat {\n");
    emit(g, "    at t + dt { update s0 = 0.9*s0 + 0.01*sin(t) }\n");
    update_one(g, &g->sym[0]);
    emit(g, "    } until t > 1e9 at most 2\n");
  }
  emit(g, n == 3 ? "    at t + dt {\n" : "    at t + dt/2 {\n");
}

/* Where time stands still there are systems at most, iterated or not. */
static void steady_step(gen *g) {
  emit(g, "  step {\n");
  if (g->has_matrix) solve(g);
  if (g->has_matrix && chance(g, 50)) {
    hit(g, C_REPEAT), hit(g, C_REPEAT_SOLVE);
    emit(g, "    repeat {\n");
    solve(g);
    hit(g, C_OLD);
    emit(g, "    } until max(I in nodes) abs(s0 - s0.old) < %s at most %d\n",
         chance(g, 50) ? "0.00317" : "-1", 1 + below(g, 3));
  }
  emit(g, "  }\n");
}

void gen_step(gen *g) {
  int n = 1 + below(g, 3);
  gen_requires(g);
  if (g->steady) {
    steady_step(g);
    return;
  }
  emit(g, "  step {\n");
  if (g->one && n % 2) update_one_value(g);
  if (g->suspect) update_by_suspect(g);
  if (g->has_matrix && n > 1) solve(g); /* the first to need anything */
  for (int i = 0; i < n; i++) {
    int k = below(g, 10);
    if (g->crowded) k = k / 2 + 3; /* integrators, most of all */
    if (k < 3) update_some(g, some_state(g, below(g, g->n_syms)));
    else if (k < 6) integrate(g);
    else if (k == 6 || (g->has_matrix && k == 7)) repeat(g);
    else update_block(g);
  }
  update_tuple(g);
  if (g->staggered && g->family == F_CELLS) gen_face_statements(g);
  if (g->n_variants > 0) choose_statements(g);
  else if (n == 2) look_up(g);
  at_time(g, n);
  if (g->has_matrix) solve(g);
  update_one(g, &g->sym[0]);
  if (n != 2) emit(g, "    }\n");
  if (g->one) update_one_value(g);
  emit(g, "  }\n");
}
