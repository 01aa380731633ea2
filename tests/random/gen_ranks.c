/* Short schemes of vectors beside scalars: states, equations, fluxes and what rules say of them, each made of the others: norms, products with
 * a normal, components, projections; as they are and as they were. Components are written one by one, and what holds of one rank - a mirror, a
 * fix, a copy from the start of the step - has to hold of each. */
#include "gen_internal.h"

/* One of a rank, at that place; NULL: none is. */
static const sym *some(gen *g, rank r, where at) {
  for (int tries = 0; tries < 8; tries++) {
    const sym *s = &g->sym[below(g, g->n_syms)];
    if (s->rank == r && s->at == at) return s;
  }
  return NULL;
}

static const char *named(gen *g, ctx *c, const sym *s) {
  const bool back = gen_has_start(s) && chance(g, 20);
  if (back) hit(g, C_PREV);
  c->back = c->back || back || s->back;
  return back ? fmt(g, "%s.prev", s->name) : s->name;
}

static const char *own_or_around(gen *g, ctx *c, rank r) {
  const sym *s = some(g, r, c->at);
  if (!s) return r == R_VECTOR ? "k0" : number(g);
  if (chance(g, 45)) return gen_around(g, c, s, named(g, c, s));
  c->deep = c->deep || (s->deep && !s->state);
  return named(g, c, s);
}

static const char *vector(gen *g, ctx *c);

static const char *scalar(gen *g, ctx *c) {
  switch (below(g, 6)) {
  case 0: return fmt(g, "norm(%s)", own_or_around(g, c, R_VECTOR));
  case 1: return fmt(g, "0.6*dot(%s, k0)", own_or_around(g, c, R_VECTOR));
  case 2: {
    const sym *s = some(g, R_VECTOR, c->at);
    c->deep = c->deep || (s && s->deep && !s->state);
    return s ? fmt(g, "%s.x", s->name) : number(g);
  }
  case 3: return fmt(g, "0.5*%s + %s", own_or_around(g, c, R_SCALAR), number(g));
  case 4: return fmt(g, "sin(%s)", own_or_around(g, c, R_SCALAR));
  default: return fmt(g, "0.8*%s", own_or_around(g, c, R_SCALAR));
  }
}

static const char *vector(gen *g, ctx *c) {
  switch (below(g, 6)) {
  case 0: return fmt(g, "%s*k0", own_or_around(g, c, R_SCALAR));
  case 1: return fmt(g, "0.5*%s + 0.2*k0", own_or_around(g, c, R_VECTOR));
  case 2:
    return fmt(g, "(if %s > 0.3137 then %s else k0)", own_or_around(g, c, R_SCALAR),
               own_or_around(g, c, R_VECTOR));
  case 3:
    if (g->family != F_CELLS) return own_or_around(g, c, R_VECTOR);
    c->deep = true;
    return fmt(g, "0.1*(sum(f of c) area*mean(%s)*normal)/volume", g->sym[0].name);
  case 4: return fmt(g, "%s*%s", own_or_around(g, c, R_SCALAR), own_or_around(g, c, R_VECTOR));
  default: return fmt(g, "0.8*%s", own_or_around(g, c, R_VECTOR));
  }
}

static const char *of_rank(gen *g, ctx *c, rank r) { return r == R_VECTOR ? vector(g, c) : scalar(g, c); }

/* ---- what is declared ---------------------------------------------------------------------------------------------------- */

static void quantity(gen *g, const char *name, bool state, rank r) {
  const where at = place_of_states(g);
  ctx c = {.at = at, .axis = -1};
  const char *value = state ? NULL : of_rank(g, &c, r);
  hit(g, at == W_CELLS ? C_EQ_CELLS : C_EQ_NODES);
  if (state) emit(g, "  state %s%s @ %s\n", name, r == R_VECTOR ? " : vector" : "", where_name(at));
  else emit(g, "  %s @ %s = %s\n", name, where_name(at), value);
  sym *s = gen_short_sym(g, name, at);
  s->rank = r, s->state = state, s->deep = c.deep, s->back = c.back;
}

/* What faces exchange, of either rank. */
static void flux(gen *g, const char *name) {
  const rank r = chance(g, 50) ? R_VECTOR : R_SCALAR;
  const sym *s = some(g, r, W_CELLS);
  ctx c = {.at = W_FACES, .axis = -1};
  if (!s) return;
  hit(g, C_FLUX);
  const char *of = named(g, &c, s);
  if (r == R_VECTOR && chance(g, 40))
    emit(g, "  flux %s @ faces = 0.3*mean(%s)*normal\n", name, g->sym[0].name);
  else emit(g, "  flux %s @ faces = 0.4*(%s[L] - %s[R])\n", name, of, of);
  sym *q = gen_short_sym(g, name, W_FACES);
  q->rank = r, q->flux = q->odd = q->deep = true, q->back = c.back;
}

static const char *divergence(gen *g, const sym *q) {
  hit(g, C_SUM_FACES);
  return fmt(g, "0.2*(sum(f of c) area*%s%s)/volume", q->name,
             gen_has_start(q) && chance(g, 20) ? ".prev" : "");
}

/* ---- the step ------------------------------------------------------------------------------------------------------------ */

/* What a state of this rank is assigned, or how fast it changes. */
static const char *value_of(gen *g, const sym *s) {
  ctx c = {.at = s->at, .step = true, .axis = -1};
  const sym *q = g->family == F_CELLS ? some(g, s->rank, W_FACES) : NULL;
  return q && chance(g, 60) ? divergence(g, q) : of_rank(g, &c, s->rank);
}

static const sym *some_state(gen *g) {
  int n = 1;
  while (n < g->n_syms && g->sym[n].state) n++;
  return &g->sym[below(g, n)];
}

static void update(gen *g) {
  const sym *s = some_state(g);
  if (chance(g, 40)) {
    hit(g, C_UPDATE_BLOCK);
    emit(g, "    update {\n");
    for (int k = 0; k < 2; k++)
      emit(g, "      %s = 0.5*%s + 0.4*%s\n", g->sym[k].name, g->sym[k].name, value_of(g, &g->sym[k]));
    emit(g, "    }\n");
    return;
  }
  emit(g, "    update %s = 0.5*%s + 0.4*%s\n", s->name, s->name, value_of(g, s));
}

static void statement(gen *g) {
  static const char *const method[] = {"euler", "heun", "ssp_rk2", "rk4"};
  const sym *s = some_state(g);
  if (chance(g, 33)) {
    hit(g, C_INTEGRATE);
    emit(g, "    integrate %s' = %s by %s over dt\n", s->name, value_of(g, s), method[below(g, 4)]);
    return;
  }
  gen_short_update(g, update,
                   fmt(g, "max(%s in %s) %s(%s - %s.old) < 0.00317", s->at == W_NODES ? "I" : "c",
                       where_name(s->at), s->rank == R_VECTOR ? "norm" : "abs", s->name, s->name));
}

static void step(gen *g) {
  const sym *s = &g->sym[below(g, 2)];
  const char *size = s->rank == R_VECTOR ? "norm" : "abs";
  hit(g, C_DT_REDUCED);
  emit(g, "  dt = 0.1/(1 + 0.1*(max(%s in %s) %s(%s)))\n", s->at == W_NODES ? "I" : "c", where_name(s->at),
       size, s->name);
  emit(g, "  step {\n");
  for (int n = 2 + below(g, 2); n > 0; n--) statement(g);
  emit(g, "  }\n");
}

/* ---- rules ----------------------------------------------------------------------------------------------------------------- */

/* Inside of the boundary, as it is and was: of that rank, made of one of either. */
static const char *inside(gen *g, rank r, bool fixes) {
  const char *at = g->family == F_NODES   ? ""
                   : g->family == F_CELLS ? "[L]"
                   : chance(g, 50)        ? "[inner]"
                                          : "[mirror]";
  const sym *s = some(g, chance(g, 70) ? r : r == R_VECTOR ? R_SCALAR : R_VECTOR, place_of_states(g));
  if (!s || (s->deep && !s->state && (fixes || chance(g, 70)))) s = &g->sym[0];
  const bool back = gen_has_start(s) && chance(g, 30);
  if (back) hit(g, C_PREV_IN_RULE);
  const char *value = fmt(g, "%s%s%s", s->name, back ? ".prev" : "", at);
  if (r == s->rank) return fmt(g, chance(g, 30) ? "-%s" : "0.8*%s", value);
  return r == R_VECTOR ? fmt(g, "%s*k0", value) : fmt(g, chance(g, 50) ? "norm(%s)" : "dot(%s, k0)", value);
}

static const char *said(gen *g, const sym *s, bool argument, bool fixes) {
  const bool mirrored = g->family == F_CELLS && s->rank == R_VECTOR && s->at == W_CELLS && s->state && !fixes;
  if (mirrored && chance(g, 40)) return fmt(g, "%s[L] - 2*dot(%s[L], normal)*normal", s->name, s->name);
  if (argument && chance(g, 40)) return s->rank == R_VECTOR ? "a0*k0" : "a0";
  if (chance(g, 20)) return s->rank == R_VECTOR ? "sin(3*t)*k0" : "0.4*cos(2*t)";
  return inside(g, s->rank, fixes);
}

static void at_nodes(gen *g, const sym *s, bool argument) {
  if (s->state && s->rank == R_VECTOR && chance(g, 30)) {
    hit(g, C_RULE_PROJECTION);
    emit(g, "    fix %s = %s - dot(%s, normal)*normal\n", s->name, s->name, s->name);
  } else if (s->state && chance(g, 60)) {
    hit(g, C_RULE_FIX);
    emit(g, "    fix %s = %s\n", s->name, said(g, s, argument, true));
  } else if (!s->state && chance(g, 50)) {
    hit(g, C_RULE_ADD);
    emit(g, "    add %s = (%s)*area\n", s->name, said(g, s, argument, false));
  }
}

static void rule(gen *g, int k, int axis) {
  const bool argument = chance(g, 40), time = argument && chance(g, 60);
  hit(g, C_RULE);
  if (axis >= 0) hit(g, C_RULE_ACROSS);
  emit(g, "  boundary r%d%s", k, time ? "(a0 over time)" : argument ? "(a0)" : "");
  if (axis >= 0) emit(g, " across %c", "xyz"[axis]);
  emit(g, " {\n");
  for (int i = 0; i < g->n_syms; i++) {
    const sym *s = &g->sym[i];
    if (g->family == F_NODES) at_nodes(g, s, argument);
    else if (s->flux && chance(g, 50))
      hit(g, C_RULE_FLUX), emit(g, "    flux %s = %s\n", s->name, said(g, s, argument, false));
    else if (!s->flux && (s->state || chance(g, s->deep ? 85 : 40)))
      hit(g, s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ),
          emit(g, "    ghost %s = %s\n", s->name, said(g, s, argument, false));
  }
  emit(g, "  }\n");
}

void gen_rank_scheme(gen *g) {
  hit(g, C_RANKS);
  g->letter_d = false;
  emit(g, "scheme random on %s(%d) {\n  parameter k0 : vector\n", gen_on_grid(g) ? "grid" : "mesh", g->dim);
  gen_short_integrals(g);
  quantity(g, "s0", true, R_SCALAR);
  quantity(g, "w0", true, R_VECTOR);
  if (chance(g, 40)) quantity(g, "s1", true, chance(g, 50) ? R_VECTOR : R_SCALAR);
  for (int k = below(g, 3); k >= 0; k--)
    quantity(g, fmt(g, "e%d", k), false, chance(g, 60) ? R_VECTOR : R_SCALAR);
  for (int k = g->family == F_CELLS ? below(g, 3) : 0; k > 0; k--) flux(g, fmt(g, "q%d", k));
  if (chance(g, 25)) gen_short_require(g);
  step(g);
  const int n_rules = 1 + below(g, 2);
  for (int k = 0; k < n_rules; k++)
    for (int a = 0; a < (gen_on_grid(g) ? g->dim : 1); a++) rule(g, k, gen_on_grid(g) ? a : -1);
  emit(g, "}\n");
}
