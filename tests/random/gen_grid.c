/* Grids: equations at all places, in an exchange or not, and rules across axes. */
#include "gen_internal.h"

#include <string.h>

/* A corner; in 3D an edge as often, without a draw. */
where gen_low_point(const gen *g) {
  const int edge = g->n_syms % 4;
  return g->dim == 3 && edge < 3 ? (where)(W_XEDGES + edge) : W_CORNERS;
}

static where some_place(gen *g) {
  if (chance_in(g, 55, 30)) return W_CELLS;
  if (g->dim > 1 && chance(g, 20)) return gen_low_point(g);
  return (where)(W_XFACES + below(g, g->dim));
}

static void constant_equation(gen *g, const char *name, where at) {
  int k = below(g, 3);
  hit(g, k == 0 ? C_EQ_ZERO : C_EQ_CONSTANT);
  emit(g, "  %s @ %s = %s\n", name, where_name(at), k == 0 ? "0" : k == 1 ? "0.37" : "0.5*p0");
  add_sym(g, name, at, R_SCALAR);
}

static void chain(gen *g, const char *name, where at) {
  ctx c = {.at = at, .axis = -1};
  int n = 3 + below(g, 14);
  hit(g, C_BLOCK);
  hit(g, C_SHARING);
  hit(g, C_LET_TYPED);
  emit(g, "  %s @ %s {\n    let a0 : scalar = %s", name, where_name(at), expr(g, &c, R_SCALAR, 1));
  for (int i = 1; i < n; i++) emit(g, ", a%d = 0.4*a%d*a%d + 0.3*a%d", i, i - 1, i - 1, i - 1);
  emit(g, "\n    half = 0.5*a%d\n  }\n", n - 1);
  sym *s = add_sym(g, fmt(g, "%s.half", name), at, R_SCALAR);
  s->deep = c.deep;
  s->back = c.back;
}

static void equation(gen *g, int k) {
  where at = some_place(g);
  const char *name = fmt(g, "e%d", k);
  int what = below(g, 12);
  hit(g, at == W_CELLS ? C_EQ_CELLS : C_EQ_STAGGERED);
  if (at >= W_XEDGES && at <= W_ZEDGES) hit(g, C_AT_EDGES_3D);
  if (what == 0) constant_equation(g, name, at);
  else if (what == 1) chain(g, name, at);
  else {
    rank r = g->dim > 1 && at == W_CELLS && chance(g, 15) ? R_VECTOR : R_SCALAR;
    ctx c = {.at = at, .axis = -1};
    emit(g, "  %s @ %s = %s\n", name, where_name(at), expr(g, &c, r, 1 + below(g, g->crowded ? 2 : 3)));
    sym *s = add_sym(g, name, at, r);
    s->deep = c.deep;
    s->back = c.back;
  }
}

/* ---- exchange ------------------------------------------------------------------------------------------------------------------ */

static void read_beyond(gen *g, const char *name) {
  for (int i = 0; i < g->n_syms; i++)
    if (strcmp(g->sym[i].name, name) == 0) g->sym[i].across = true;
}

static void add_both(gen *g, const char *stem, where x, where y) {
  const char *suffix[] = {"x", "y"};
  for (int a = 0; a < 2; a++) {
    sym *s = add_sym(g, fmt(g, "%s.%s", stem, suffix[a]), a ? y : x, R_SCALAR);
    s->deep = true;
  }
}

static void exchanged(gen *g) {
  hit(g, C_EXCHANGE);
  read_beyond(g, "s0"), read_beyond(g, "u0"), read_beyond(g, "u1");
  emit(g, "  exchange x <-> y, u0 <-> u1 {\n");
  emit(g, "    mid.x @ cells = 0.5*(u0[i,j] + u0[i+1,j])\n");
  emit(g, "    carry.x @ xfaces = tanh(u0)*(s0[i,j] + s0[i-1,j])/2\n");
  emit(g, "    bend.x @ corners = (u0[i,j] - u0[i,j-1])*%s/(dy[j] + dy[j-1])\n", number(g));
  if (chance(g, 60))
    emit(g, "    push.x @ xfaces = 0.2*(carry.x[i,j] - carry.x[i-1,j]) + 0.1*bend.x[i,j+1]\n");
  else emit(g, "    push.x @ xfaces = 0.2*(s0[i,j] - s0[i-1,j])*2/(dx[i] + dx[i-1]) + 0.1*mid.x[i,j]\n");
  emit(g, "  }\n");
  add_both(g, "mid", W_CELLS, W_CELLS);
  add_both(g, "carry", W_XFACES, W_YFACES);
  add_both(g, "bend", W_CORNERS, W_CORNERS);
  add_both(g, "push", W_XFACES, W_YFACES);
  for (int i = 0; i < g->n_syms; i++)
    if (strncmp(g->sym[i].name, "carry", 5) == 0 || strncmp(g->sym[i].name, "bend", 4) == 0)
      g->sym[i].across = true;
}

static void exchanged_twice(gen *g) {
  static const char *const suffix[] = {"x", "y", "z"};
  hit(g, C_EXCHANGE_3);
  read_beyond(g, "s0");
  emit(g, "  exchange x -> y -> z {\n    turn.x @ cells = 0.3*(s0[i+1,j,k] - %s*s0[i-1,j,k])*sin(yc[j])\n",
       number(g));
  emit(g, "    low.x @ xfaces = 0.2*(s0[i,j,k] - s0[i-1,j,k])*2/(dx[i] + dx[i-1])\n  }\n");
  for (int a = 0; a < 3; a++) {
    add_sym(g, fmt(g, "turn.%s", suffix[a]), W_CELLS, R_SCALAR)->deep = true;
    add_sym(g, fmt(g, "low.%s", suffix[a]), (where)(W_XFACES + a), R_SCALAR)->deep = true;
  }
}

void gen_grid_equations(gen *g) {
  int n = 2 + below(g, g->crowded ? 3 : 6);
  if (g->dim > 1 && chance(g, 30)) {
    g->n_ops = 1;
    hit(g, C_OPERATOR);
    emit(g, g->dim == 2
                ? "  op0(s) @ cells = 0.2*(s[i+1,j] - 2*s + s[i-1,j])/dx^2 + 0.1*(s[i,j+1] - 2*s + "
                  "s[i,j-1])/dy^2\n"
                : "  op0(s) @ cells = 0.2*(s[i+1,j,k] - 2*s + s[i-1,j,k])/dx^2 + 0.1*(s[i,j,k+1] - s)/dz\n");
  }
  if (g->exchange) exchanged(g);
  if (g->dim == 3 && chance_in(g, 20, 35)) exchanged_twice(g);
  for (int k = 0; k < n; k++) equation(g, k);
}

/* ---- rules ------------------------------------------------------------------------------------------------------------------------ */

bool gen_on_boundary(where at, int axis) {
  if (at >= W_XEDGES && at <= W_ZEDGES) return (int)at - (int)W_XEDGES != axis;
  return at == W_CORNERS || (int)at == (int)W_XFACES + axis;
}

/* Another equation that lives there, and may look across the same boundary; NULL: none. Without a draw, so that schemes whose rules do not
 * turn to equations stay what they were. */
static const sym *other_equation(gen *g, const sym *s) {
  if (!g->turns || s->state || s->rank != R_SCALAR || ++g->turned % 3 == 0) return NULL;
  for (int i = g->n_syms - 1, k = g->turned % 2; i >= 0; i--) {
    const sym *e = &g->sym[i];
    const bool fits = e != s && e->at == s->at && e->rank == R_SCALAR && !e->state && !e->given && !e->back;
    if (fits && k-- == 0) return e;
  }
  return NULL;
}

static void ghost_on_grid(gen *g, const sym *s, int axis) {
  ctx c = {.at = s->at, .rule = true, .axis = axis, .no_globals = true};
  const char *inside = chance(g, 60) ? "mirror" : "inner", *name = s->name;
  hit(g, s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ);
  hit(g, strcmp(inside, "mirror") == 0 ? C_RULE_MIRROR : C_RULE_INNER);
  int k = below(g, 5);
  const char *e = s->rank == R_SCALAR && k < (g->crowded ? 2 : 1) && (!s->deep || g->crowded) && !s->back
                      ? expr(g, &c, R_SCALAR, 1)
                      : NULL;
  const sym *other = other_equation(g, s);
  if (other) hit(g, C_RULE_GHOST_OTHER), emit(g, "    ghost %s = 0.8*%s[%s]\n", name, other->name, inside);
  else if (e) emit(g, "    ghost %s = %s\n", name, e);
  else if (s->state && s->rank == R_SCALAR && g->n_globals > 0 && chance(g, 12)) {
    hit(g, C_GLOBAL_IN_RULE);
    emit(g, "    ghost %s = g0/(1 + g0^2) - 0.5*%s[%s]\n", name, name, inside);
  }
  else if (s->rank == R_BOOL) emit(g, "    ghost %s = %s[%s]\n", name, name, inside);
  else if (s->rank == R_SCALAR && k == 1 && g->n_args > 0) {
    hit(g, C_RULE_STATE);
    emit(g, "    ghost %s = 2*a0 - %s[%s]\n", name, name, inside);
  } else emit(g, "    ghost %s = %s%s[%s]\n", name, k == 2 ? "-" : k == 3 ? "0.7*" : "", name, inside);
}

static void fix_on_grid(gen *g, const sym *s, int axis) {
  /* What fixes an equation must not need it, through another one either. */
  ctx c = {.at = s->at,
           .rule = true,
           .axis = axis,
           .no_globals = true,
           .no_equations = !s->state,
           .fixes = s->state && chance(g, 50)};
  hit(g, s->state ? C_RULE_FIX : C_RULE_FIX_EQ);
  int k = below(g, 4), last = g->n_named - 1;
  if (k == 0 && g->again && s->state && last > 0) {
    hit(g, C_GLOBAL_IN_FIX);
    emit(g, "    fix %s = g%d/(1 + g%d^2)\n", s->name, last, last);
  } else if (k == 0) emit(g, "    fix %s = 0\n", s->name);
  else if (k == 1 && s->state) {
    hit(g, C_RULE_INNER);
    emit(g, "    fix %s = 0.9*%s[inner]\n", s->name, s->name);
  } else if (k == 2 && g->n_args > 0) emit(g, "    fix %s = a0\n", s->name);
  else emit(g, "    fix %s = %s\n", s->name, expr(g, &c, s->rank, 1));
}

static void begin_rule(gen *g, int k, int axis) {
  emit(g, "  boundary r%d", k);
  for (int i = 0; i < g->n_args; i++) {
    hit(g, C_RULE_ARGUMENT);
    const bool time = chance_in(g, 25, 70);
    if (time) hit(g, C_RULE_TIME);
    emit(g, "%sa%d%s%s", i ? ", " : "(", i, gen_bounds(g), time ? " over time" : "");
  }
  emit(g, "%s", g->n_args ? ")" : "");
  if (axis >= 0) hit(g, C_RULE_ACROSS), emit(g, " across %c", "xyz"[axis]);
  emit(g, " {\n");
}

static void rule_across(gen *g, int k, int axis) {
  hit(g, C_RULE);
  begin_rule(g, k, axis);
  for (int i = 0; i < g->n_syms; i++) {
    const sym *s = &g->sym[i];
    /* Without a draw: some rules say what a given is beyond their walls, others leave it to the case. */
    if (s->given && s->rank == R_SCALAR && (g->n_syms + k + axis) % 3 == 0) {
      hit(g, C_RULE_GIVEN);
      emit(g, "    ghost %s = 0.7*%s[%s] + 0.11\n", s->name, s->name, k % 2 ? "mirror" : "inner");
    }
    if (s->rank == R_TUPLE || s->at > W_CORNERS || s->given) continue;
    const bool follows = !s->state && !s->deep && chance_in(g, 25, 50); /* point by point */
    if ((s->state || s->across) && !follows) ghost_on_grid(g, s, axis);
    if (axis >= 0 && gen_on_boundary(s->at, axis) && s->rank == R_SCALAR &&
        chance_in(g, s->state ? 55 : 20, 60))
      fix_on_grid(g, s, axis);
  }
  emit(g, "  }\n");
}

void gen_grid_rules(gen *g) {
  g->n_rules = 1 + below(g, 3);
  for (int k = 0; k < g->n_rules; k++) {
    g->n_args = g->crowded ? 1 + below(g, 2) : below(g, 3);
    if (chance_in(g, 30, 15)) rule_across(g, k, -1);
    else
      for (int a = 0; a < g->dim; a++) rule_across(g, k, a);
  }
}
