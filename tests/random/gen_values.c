/* Short schemes in which one value decides: states of one value, globals, requirements; several states assigned at once; rules that fix, give and
 * add by any of these, by what others are inside, and by t. When a value is there, and of what time it is, is all that they ask. Longer schemes
 * ask it beside much else, of few seeds, and take ten times as long. */
#include "gen_internal.h"

static const char *const parameter_names[] = {"s", "t0", "last", "beside", "face", "up", "on_way", "item"};

/* Of those values that stand for themselves. */
static const char *one_value(gen *g, ctx *c) {
  const int what = below(g, 7);
  if (what == 0 && g->one) return hit(g, C_STATE_ONE), "one0";
  if (what < 3 && g->n_globals > 0) {
    hit(g, c->rule ? c->fixes ? C_GLOBAL_IN_FIX : C_GLOBAL_IN_RULE : C_GLOBAL_READ);
    return fmt(g, "g%d", c->step || c->rule ? below(g, g->n_globals) : 0);
  }
  if (what == 3 && g->n_params > 0) return "p0";
  if (what == 4) return fmt(g, "sin(3*t + %s)", number(g));
  if (what == 5 && g->n_params > 0) return parameter_names[g->n_params % 8];
  return number(g);
}

/* At another point, or of what lies around. */
static const char *around(gen *g, ctx *c, const sym *s, const char *name) {
  static const char *const index[3][3] = {{"m"}, {"m,j", "i,m"}, {"m,j,k", "i,m,k", "i,j,m"}};
  if (!gen_on_grid(g) || chance(g, 75)) return gen_around(g, c, s, name);
  const int axis = below(g, g->dim);
  const char letter = "ijk"[axis];
  c->deep = true;
  hit(g, C_RANGE);
  return fmt(g, "0.4*(sum(m in %c-%d..%c%s) %s[%s])", letter, below(g, 3), letter, chance(g, 50) ? "" : "+1",
             name, index[g->dim - 1][axis]);
}

/* A quantity, now or at the start of the step. */
static const char *quantity(gen *g, ctx *c) {
  const sym *s = &g->sym[below(g, g->n_syms)];
  const bool back = gen_has_start(s) && chance(g, c->step ? 25 : 15);
  const char *name = back ? fmt(g, "%s.prev", s->name) : s->name;
  if (back) hit(g, C_PREV);
  c->back = c->back || back || s->back;
  if (s->at != c->at || (!gen_on_grid(g) && chance(g, 40)) || (gen_on_grid(g) && chance(g, 60)))
    return around(g, c, s, name);
  c->deep = c->deep || (s->deep && !s->state);
  return name;
}

static const char *combination(gen *g, ctx *c) {
  const char *a = quantity(g, c);
  switch (below(g, 7)) {
  case 0: return fmt(g, "0.8*%s", a);
  case 1: return fmt(g, "0.5*%s + %s", a, one_value(g, c));
  case 2: return fmt(g, "max(%s, %s)", a, one_value(g, c));
  case 3: return fmt(g, "(if %s > 0.5624 then %s else %s)", a, quantity(g, c), one_value(g, c));
  case 4: return hit(g, C_FUNCTION), fmt(g, "f0(%s, %s)", a, one_value(g, c));
  case 5: return fmt(g, "sin(%s)", a);
  default: return fmt(g, "0.5*%s - 0.3*%s", a, quantity(g, c));
  }
}

/* ---- what is declared -------------------------------------------------------------------------------------------------- */

static where some_place(gen *g) { return gen_on_grid(g) ? gen_short_place(g) : place_of_states(g); }

static void declarations(gen *g) {
  g->n_params = below(g, 3) ? 0 : 1 + below(g, 8); /* and which name */
  if (g->n_params)
    emit(g, "  parameter p0 = 0.37\n  parameter %s = 0.61\n", parameter_names[g->n_params % 8]);
  for (int k = 0; k < 1 + below(g, 2); k++) {
    const where at = some_place(g);
    const char *name = fmt(g, "s%d", k);
    if (gen_on_grid(g)) hit(g, at == W_CELLS ? C_EQ_CELLS : C_EQ_STAGGERED);
    emit(g, "  state %s @ %s\n", name, where_name(at));
    gen_short_sym(g, name, at)->state = true;
  }
  if (chance(g, 15)) g->n_variants = 1, hit(g, C_VARIANT), emit(g, "  variant way = one | two\n");
  g->one = chance(g, 60);
  if (g->one) emit(g, "  state one0 : scalar\n");
  if (chance(g, 30)) {
    emit(g, "  given h0 @ %s\n", where_name(place_of_states(g)));
    gen_short_sym(g, "h0", place_of_states(g))->given = true;
  }
  gen_short_integrals(g);
  emit(g, "  fn f0(a, b) = a%s\n", chance(g, 50) ? " + 0.1*b" : "");
}

/* The first, which equations read, of states alone; others of anything, the faces of a rule, other globals. */
static void global(gen *g, bool of_states) {
  static const char *const reduction[] = {"max", "min", "0.01*sum"};
  const int k = g->n_globals;
  int n = g->n_syms;
  while (of_states && n > 1 && !g->sym[n - 1].state) n--;
  const sym *s = &g->sym[of_states && chance(g, 50) ? n - 1 : below(g, n)];
  hit(g, C_GLOBAL);
  if (k > 0 && chance(g, 20)) {
    hit(g, C_GLOBAL_OF_GLOBALS);
    emit(g, "  g%d = 0.3*g0%s + 0.1\n", k, g->one ? "*one0" : "");
  } else {
    const bool region = s->at >= W_XFACES && s->at <= W_ZFACES && !s->given && chance(g, 40);
    if (s->at != place_of_states(g)) hit(g, region ? C_GLOBAL_RULE : C_GLOBAL_PLACE);
    emit(g, "  g%d = %s(%s in %s%s) (%s)\n", k, region ? "0.01*sum" : reduction[below(g, 3)],
         s->at == W_NODES ? "I" : "c", where_name(s->at), region ? "(r0)" : "", s->name);
  }
  g->n_globals++;
}

static void equations(gen *g) {
  for (int k = below(g, 3); k >= 0; k--) {
    ctx c = {.at = some_place(g), .axis = -1};
    const char *name = fmt(g, "e%d", k);
    const int what = below(g, 10);
    const char *value = what == 0 ? number(g) : what == 1 ? one_value(g, &c) : combination(g, &c);
    if (gen_on_grid(g)) hit(g, c.at == W_CELLS ? C_EQ_CELLS : C_EQ_STAGGERED);
    emit(g, "  %s @ %s = %s%s\n", name, where_name(c.at), value, chance(g, 25) ? " + 0.1*t" : "");
    sym *s = gen_short_sym(g, name, c.at);
    s->deep = c.deep, s->back = c.back;
  }
}

/* Of nodes: its unknown is s0, whose coefficient may follow from that. */
static void matrix(gen *g) {
  ctx c = {.at = W_NODES, .axis = -1};
  g->has_matrix = true;
  hit(g, C_MATRIX_SYMMETRIC);
  emit(g, "  m0 @ nodes = %s\n", combination(g, &c));
  emit(g, "  matrix A symmetric @ nodes {\n    A[I,J] = 0.2*Lap*(1 + mean(m0)^2)\n    A[I,I] = M*(1.3 + "
          "m0^2) - sum(J near I) A[I,J]\n  }\n");
  sym *s = gen_short_sym(g, "m0", W_NODES);
  s->deep = c.deep, s->back = c.back;
}

/* ---- the step ------------------------------------------------------------------------------------------------------------ */

static void assign_one(gen *g) {
  ctx c = {.at = W_GLOBAL, .step = true, .axis = -1};
  hit(g, C_UPDATE_ONE);
  emit(g, "one0 = 0.7*one0 + 0.2*%s", one_value(g, &c));
}

static void assign_state(gen *g, const sym *s) {
  ctx c = {.at = s->at, .step = true, .axis = -1};
  const int what = below(g, 5);
  if (what == 0) emit(g, "%s = %s", s->name, one_value(g, &c));
  else if (what == 1) emit(g, "%s = 0.9*%s", s->name, s->name);
  else emit(g, "%s = 0.4*%s + 0.5*%s", s->name, s->name, combination(g, &c));
}

static void solve(gen *g) {
  ctx c = {.at = W_NODES, .step = true, .axis = -1};
  hit(g, C_SOLVE);
  emit(g, "    solve A*s0 = M*(%s) by cg(tol = 1e-14, iterations = 500)\n", combination(g, &c));
}

static const char *end_of_passes(gen *g) {
  const sym *s = &g->sym[0];
  if (chance(g, 45)) return fmt(g, "t > 1e9 at most %d", 1 + below(g, 2));
  if (g->n_globals > 0 && chance(g, 50)) {
    hit(g, C_REPEAT_GLOBAL);
    return fmt(g, "g%d > %.5f at most 3", below(g, g->n_globals), 0.21173 + 0.1 * below(g, 8));
  }
  hit(g, C_OLD);
  return fmt(g, "max(%s in %s) abs(%s - %s.old) < %s at most 3", s->at == W_NODES ? "I" : "c",
             where_name(s->at), s->name, s->name, chance(g, 50) ? "0.00317" : "0.31173");
}

/* Several at once, or one of them; a system; in passes, in one of two variants. */
static void statement(gen *g) {
  const bool two = g->sym[1].state, passes = chance(g, 30), ends = passes && chance(g, 40);
  const bool chosen = g->n_variants > 0 && chance(g, 50);
  if (chosen) hit(g, C_CHOICE), emit(g, "    if way == %s {\n", chance(g, 50) ? "one" : "two");
  if (passes) hit(g, C_REPEAT), emit(g, "    repeat {\n");
  if (ends) hit(g, C_AT_TIME), emit(g, "    at t + dt {\n");
  if (g->has_matrix && chance(g, 40)) solve(g);
  else if (chance(g, 50) && (two || g->one)) {
    hit(g, C_UPDATE_BLOCK);
    emit(g, "    update {\n      ");
    assign_state(g, &g->sym[0]);
    if (two) emit(g, "\n      "), assign_state(g, &g->sym[1]);
    if (g->one) emit(g, "\n      "), assign_one(g);
    emit(g, "\n    }\n");
  } else {
    emit(g, "    update ");
    if (g->one && chance(g, 40)) assign_one(g);
    else assign_state(g, &g->sym[two && chance(g, 50)]);
    emit(g, "\n");
  }
  if (ends) emit(g, "    }\n");
  if (passes) emit(g, "    } until %s\n", end_of_passes(g));
  if (chosen) emit(g, "    }\n");
}

/* ---- rules ----------------------------------------------------------------------------------------------------------------- */

/* What lies inside of it, as it is and was. */
static const char *inside(gen *g, const sym *s) {
  const bool back = gen_has_start(s) && chance(g, 30);
  hit(g, back ? C_PREV_IN_RULE : C_RULE_GHOST_OTHER);
  const char *at = g->family == F_NODES   ? ""
                   : g->family == F_CELLS ? "[L]"
                   : chance(g, 50)        ? "[inner]"
                                          : "[mirror]";
  return fmt(g, "%s%s%s", s->name, back ? ".prev" : "", at);
}

static const char *said(gen *g, const sym *own, bool argument, bool fixes) {
  ctx c = {.rule = true, .fixes = fixes, .axis = -1};
  const int what = below(g, 8);
  const sym *s = &g->sym[below(g, g->n_syms)];
  if (g->family == F_NODES && (s->deep || s == own)) s = &g->sym[0];
  if (what == 0 && argument) return "a0";
  if (what < 4) return one_value(g, &c);
  if (what == 4)
    return fmt(g, "(if %s < 0.5137 then %s else %s)", inside(g, s), argument ? "a0" : number(g), number(g));
  if (what == 5 && !fixes && g->family != F_NODES) return fmt(g, "-%s", inside(g, own));
  return fmt(g, "0.9*%s", inside(g, s));
}

static void entries(gen *g, int axis, bool argument) {
  for (int k = 0; k < g->n_syms; k++) {
    const sym *s = &g->sym[k];
    if (s->given) continue;
    const bool nodes = g->family == F_NODES, ghost = !nodes && (s->state || chance(g, s->deep ? 85 : 40));
    const bool fixes =
        nodes ? s->state && chance(g, 60) : gen_on_grid(g) && gen_on_boundary(s->at, axis) && chance(g, 50);
    if (ghost)
      hit(g, s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ),
          emit(g, "    ghost %s = %s\n", s->name, said(g, s, argument, false));
    if (fixes)
      hit(g, s->state ? C_RULE_FIX : C_RULE_FIX_EQ),
          emit(g, "    fix %s = %s\n", s->name, said(g, s, argument, true));
    if (nodes && !s->state && chance(g, 50))
      hit(g, C_RULE_ADD), emit(g, "    add %s = %s*area\n", s->name, said(g, s, argument, false));
  }
}

static void rule(gen *g, int k, int axis) {
  const bool argument = chance(g, 40), time = argument && chance(g, 60);
  hit(g, C_RULE);
  if (axis >= 0) hit(g, C_RULE_ACROSS);
  if (time) hit(g, C_RULE_TIME);
  emit(g, "  boundary r%d%s", k, time ? "(a0 over time)" : argument ? "(a0)" : "");
  if (axis >= 0) emit(g, " across %c", "xyz"[axis]);
  emit(g, " {\n");
  entries(g, axis < 0 ? 0 : axis, argument);
  emit(g, "  }\n");
}

void gen_value_scheme(gen *g) {
  hit(g, C_VALUES);
  if (g->letter_d) emit(g, "scheme random on mesh(D) {\n");
  else emit(g, "scheme random on %s(%d) {\n", gen_on_grid(g) ? "grid" : "mesh", g->dim);
  declarations(g);
  if (chance(g, 60)) global(g, true);
  equations(g);
  if (g->family == F_NODES && chance(g, 60)) matrix(g);
  if (g->n_globals > 0 && chance(g, 60)) global(g, false);
  if (chance(g, 45)) gen_short_require(g);
  gen_short_step(g, combination, statement);
  const int n_rules = 1 + below(g, 4) / 2;
  for (int k = 0; k < n_rules; k++)
    for (int a = 0; a < (gen_on_grid(g) ? g->dim : 1); a++) rule(g, k, gen_on_grid(g) ? a : -1);
  emit(g, "}\n");
}
