/* Meshes whose rules look at each other: few short equations, at cells and at faces in turn, each of those before it, as they are and as they
 * were at the start of the step; and rules that give fluxes by sums of other fluxes. What such a rule needs must be there before the flux is
 * summed, in each pass and at each time. Longer schemes meet such a chain in one of a hundred thousand. */
#include "gen_internal.h"

/* The last two more often than the others; NULL if it is not at that place. */
static const sym *some(gen *g, where at) {
  for (int tries = 0; tries < 6; tries++) {
    const sym *s =
        &g->sym[chance(g, 60) ? g->n_syms - 1 - below(g, g->n_syms > 1 ? 2 : 1) : below(g, g->n_syms)];
    if (s->at == at) return s;
  }
  return NULL;
}

static const char *named(gen *g, ctx *c, const sym *s) {
  const bool back = gen_has_start(s) && chance(g, s->at == W_FACES ? 50 : 15);
  if (back) hit(g, s->odd ? C_PREV_FLUX : C_PREV);
  c->back = c->back || back || s->back;
  return back ? fmt(g, "%s.prev", s->name) : s->name;
}

/* What a cell sums over its faces. */
static const char *sum(gen *g, ctx *c) {
  const sym *q = some(g, W_FACES), *s = q && chance(g, 75) ? q : &g->sym[0];
  c->deep = true;
  const char *name = named(g, c, s);
  if (s->at == W_FACES && !s->odd && chance(g, 30))
    return fmt(g, "(max(f of c) abs(%s))/(1 + abs(s0))", name);
  if (s->at == W_FACES) return fmt(g, "0.3*(sum(f of c) area*%s)/volume", name);
  if (chance(g, 50)) return fmt(g, "0.2*(sum(f of c to d) (%s[d] - %s[c]))", name, name);
  return fmt(g, "0.1*(sum(f of c) mean(%s))", name);
}

/* At its own point, or of what lies around. */
static const char *at_cells(gen *g, ctx *c) {
  if (chance(g, 70)) return sum(g, c);
  const sym *s = some(g, W_CELLS);
  if (!s) return number(g);
  c->deep = s->deep && !s->state;
  const char *name = named(g, c, s);
  return fmt(g, chance(g, 50) ? "0.8*%s^2 - 0.3" : "sin(2*%s)", name);
}

static const char *at_faces(gen *g, ctx *c, bool odd) {
  const sym *q = chance(g, 40) ? some(g, W_FACES) : NULL, *e = some(g, W_CELLS);
  c->deep = true;
  if (q && q->odd && (!q->back || !odd)) { /* of a flux as it is */
    c->back = c->back || q->back;
    return fmt(g, odd ? "0.7*%s" : "%s^2", q->name);
  }
  const char *cells = named(g, c, e ? e : &g->sym[0]),
             *difference =
                 fmt(g, chance(g, 50) ? "(%s[L] - %s[R])" : "0.6*(sin(%s[L]) - sin(%s[R]))", cells, cells);
  if (q && !q->odd) {
    const char *middle = named(g, c, q);
    return odd ? fmt(g, "%s*%s", middle, difference) : fmt(g, "sin(%s)", middle);
  }
  return odd ? difference : fmt(g, "0.5*(%s[L] + %s[R])", cells, cells);
}

static void equation_of(gen *g, int k, where at) {
  ctx c = {.at = at, .axis = -1};
  const bool flux = at == W_FACES && chance(g, 65);
  const char *name = fmt(g, "%c%d", flux ? 'q' : 'e', k);
  const char *value = at == W_CELLS ? at_cells(g, &c) : at_faces(g, &c, flux);
  hit(g, flux ? C_FLUX : at == W_CELLS ? C_EQ_CELLS : C_EQ_FACES);
  emit(g, "  %s%s @ %s = %s%s\n", flux ? "flux " : "", name, where_name(at), value,
       !flux && chance(g, 15) ? " + 0.1*t" : "");
  sym *s = gen_short_sym(g, name, at);
  s->deep = c.deep, s->back = c.back, s->odd = s->flux = flux;
}

/* What a rule says of quantity k: time, an argument, any cell's of before; as they are, what stands before it, and now and then any, which leads
 * in a cycle as often as not. */
static const char *said(gen *g, int k, bool argument) {
  const sym *own = &g->sym[k], *s = NULL;
  const int what = own->flux ? 2 + below(g, 8) : below(g, 10);
  if (what == 0) return number(g);
  if (what < 3) return argument ? "a0" : fmt(g, "%s*sin(t)", number(g));
  const bool before = what > 7, any = before || chance(g, 12);
  for (int tries = 0; tries < 4 && (!s || (s->state && own->flux)); tries++) s = some(g, W_CELLS);
  if (!s || (!any && s > own)) s = own;
  while (s->at != W_CELLS || (s == own && own->deep)) s--; /* the first are states */
  const bool back = before && gen_has_start(s);
  hit(g, back ? C_PREV_IN_RULE : s->state ? C_RULE_GHOST_OTHER : C_RULE_DEEP);
  const bool step = chance(g, own->flux ? 25 : 8), free = step && chance(g, 50);
  if (step) hit(g, C_RULE_DT);
  if (free) hit(g, C_DT_FREE);
  return fmt(g, "0.9*%s%s[L]%s", s->name, back ? ".prev" : "",
             free   ? " + 0.2*dt.free"
             : step ? " + 0.2*dt"
                    : "");
}

static void rule_of(gen *g, int number_of) {
  const bool argument = chance(g, 60), time = argument && chance(g, 60);
  hit(g, C_RULE);
  if (time) hit(g, C_RULE_TIME);
  emit(g, "  boundary r%d%s {\n", number_of, time ? "(a0 over time)" : argument ? "(a0)" : "");
  for (int k = 0; k < g->n_syms; k++) {
    const sym *s = &g->sym[k];
    const bool flux = s->at == W_FACES;
    if (!s->state && !chance(g, flux ? 60 : s->deep ? 85 : 30)) continue;
    hit(g, flux ? C_RULE_FLUX : s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ);
    emit(g, "    %s %s = %s\n", flux ? "flux" : "ghost", s->name, said(g, k, argument));
  }
  emit(g, "  }\n");
}

void gen_chain_scheme(gen *g) {
  hit(g, C_CHAINS);
  emit(g, "scheme random on mesh(%d) {\n", g->dim);
  const int n_states = 1 + below(g, 2), n = 2 + below(g, 3);
  for (int k = 0; k < n_states; k++) {
    const char *name = fmt(g, "s%d", k);
    emit(g, "  state %s @ cells\n", name);
    gen_short_sym(g, name, W_CELLS)->state = true;
  }
  const int first = below(g, 2);
  for (int k = 0; k < n; k++) equation_of(g, k, (k + first) % 2 || chance(g, 20) ? W_CELLS : W_FACES);
  if (chance(g, 20)) gen_short_require(g);
  gen_short_step(g, at_cells, NULL);
  const int n_rules = 1 + below(g, 3);
  for (int k = 0; k < n_rules; k++) rule_of(g, k);
  emit(g, "}\n");
}
