/* Short schemes of meshes whose faces have states and sides: states that point from L to R and states that do not, fluxes and fluctuations made of
 * them, what cells sum of these, and rules that say each by the others, as they are and as they were. A face is seen from both its cells, and by
 * rules from one. */
#include "gen_internal.h"

/* Seen from the first side: @ is its own cell, # the other, $ before what changes its sign. */
static const char *seen(gen *g, ctx *c) {
  static const char *const forms[] = {"min($uf, 0)*(s0[@] - s0[#])",
                                      "max($uf, 0)*s0[@] + min($uf, 0)*s0[#]",
                                      "(if $uf > 0 then s0[@] else s0[#])*$uf",
                                      "(s0[@] - s0[#])*(0.3 + mean(s0))",
                                      "sin(s0[@]) - 0.4*s0[#]",
                                      "$uf*(s0[@] + 0.2)",
                                      "0.6*$q1 + 0.2*s0[@]",
                                      "0.5*$uf.prev*mean(s0)"};
  const bool flux = g->n_named > 0;
  const int k = below(g, 8);
  if (k == 6 && !flux) return "$uf + 0.2*s0[@]";
  if (k == 7) hit(g, C_PREV), c->back = true;
  return forms[k];
}

/* The same from both sides; or its sign changes. */
static const char *at_faces(gen *g, ctx *c, bool odd) {
  const char *form = seen(g, c);
  return fmt(g, "0.5*((%s) %c (%s))", seen_from(g, form, 'L', 'R', false), odd ? '-' : '+',
             seen_from(g, form, 'L', 'R', true));
}

static void face_quantity(gen *g, const char *name, bool odd) {
  ctx c = {.at = W_FACES, .axis = -1};
  const char *value = at_faces(g, &c, odd);
  hit(g, odd ? C_FLUX : C_EQ_FACES);
  emit(g, "  %s%s @ faces = %s\n", odd ? "flux " : "", name, value);
  sym *s = gen_short_sym(g, name, W_FACES);
  s->odd = s->flux = odd, s->back = c.back, s->deep = true;
  if (odd) g->n_named++; /* q1 is there */
}

static void fluctuation(gen *g) {
  ctx c = {.at = W_FACES, .axis = -1};
  const char *form = seen(g, &c);
  hit(g, C_FLUCTUATION), hit(g, C_BLOCK);
  emit(g, "  roe @ faces {\n    to L = 0.3*(%s)\n    to R = 0.3*(%s)\n  }\n",
       seen_from(g, form, 'L', 'R', false), seen_from(g, form, 'L', 'R', true));
  sym *s = gen_short_sym(g, "roe", W_FACES);
  s->odd = s->flux = s->deep = true, s->back = c.back;
}

/* What a cell makes of its faces. */
static const char *at_cells(gen *g, ctx *c) {
  const sym *s = &g->sym[1 + below(g, g->n_syms - 1)];
  while (s->at != W_FACES) s--; /* the second is uf */
  const bool back = gen_has_start(s) && chance(g, 20);
  if (back) hit(g, s->odd ? C_PREV_FLUX : C_PREV);
  hit(g, C_SUM_FACES);
  c->deep = true, c->back = c->back || back || s->back;
  const char *name = back ? fmt(g, "%s.prev", s->name) : s->name;
  if (s->odd && chance(g, 60))
    return fmt(g, "0.2*(sum(f of c) area*%s%s)/volume", name, chance(g, 30) ? "*mean(s0)" : "");
  if (s->odd) return fmt(g, "0.1*(sum(f of c) %s)", name);
  return fmt(g, chance(g, 50) ? "(max(f of c) abs(%s))/(1 + abs(s0))" : "0.1*(sum(f of c) %s)", name);
}

static void cell_quantity(gen *g, const char *name) {
  ctx c = {.at = W_CELLS, .axis = -1};
  const char *value = at_cells(g, &c);
  hit(g, C_EQ_CELLS);
  emit(g, "  %s @ cells = %s\n", name, value);
  sym *s = gen_short_sym(g, name, W_CELLS);
  s->deep = true, s->back = c.back;
}

/* ---- the step ------------------------------------------------------------------------------------------------------------- */

static const char *assigned(gen *g, int state) {
  static const char *const names[] = {"s0", "uf", "af"};
  ctx c = {.at = state ? W_FACES : W_CELLS, .axis = -1, .step = true};
  const char *value = state ? at_faces(g, &c, state == 1) : at_cells(g, &c);
  return fmt(g, "%s = 0.7*%s + 0.2*(%s)", names[state], names[state], value);
}

static void update(gen *g) {
  const bool all = chance(g, 40);
  hit(g, C_UPDATE_FACES);
  if (!all) {
    emit(g, "    update %s\n", assigned(g, below(g, 3)));
    return;
  }
  hit(g, C_UPDATE_BLOCK);
  emit(g, "    update {\n");
  for (int k = 0; k < 3; k++)
    if (k != 1 || chance(g, 70)) emit(g, "      %s\n", assigned(g, k));
  emit(g, "    }\n");
}

static void statement(gen *g) {
  static const char *const method[] = {"euler", "heun", "ssp_rk3", "rk4"};
  ctx faces = {.at = W_FACES, .axis = -1, .step = true}, cells = {.at = W_CELLS, .axis = -1, .step = true};
  if (chance(g, 33)) {
    const bool both = chance(g, 50);
    hit(g, both ? C_INTEGRATE_FACES : C_INTEGRATE);
    emit(g, "    integrate uf' = %s", at_faces(g, &faces, true));
    if (both) emit(g, ", s0' = %s", at_cells(g, &cells));
    emit(g, " by %s over dt\n", method[below(g, 4)]);
    return;
  }
  if (gen_short_update(g, update, "max(f in faces) abs(uf - uf.old) < 0.00317")) hit(g, C_REPEAT_FACES);
}

/* ---- rules ------------------------------------------------------------------------------------------------------------------ */

static const char *said(gen *g, bool argument) {
  const sym *s = &g->sym[below(g, g->n_syms)];
  if (argument && chance(g, 40)) return "a0";
  if (chance(g, 20)) return "0.4*cos(3*t)";
  if (s->at == W_FACES && !s->state) s = &g->sym[1 + below(g, 2)];
  if (s->deep && chance(g, 60)) s = &g->sym[0];
  const bool back = gen_has_start(s) && chance(g, 30);
  hit(g, back ? C_PREV_IN_RULE : C_RULE_GHOST_OTHER);
  return fmt(g, "0.8*%s%s%s", s->name, back ? ".prev" : "", s->at == W_CELLS ? "[L]" : "");
}

static void rule(gen *g, int k) {
  const bool argument = chance(g, 40), time = argument && chance(g, 60);
  hit(g, C_RULE);
  emit(g, "  boundary r%d%s {\n", k, time ? "(a0 over time)" : argument ? "(a0)" : "");
  for (int i = 0; i < g->n_syms; i++) {
    const sym *s = &g->sym[i];
    if (s->at == W_CELLS && (s->state || chance(g, 40))) {
      hit(g, s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ);
      emit(g, "    ghost %s = %s\n", s->name, said(g, argument));
    } else if (s->flux && chance(g, 50)) {
      hit(g, C_RULE_FLUX);
      emit(g, "    flux %s = %s\n", s->name, said(g, argument));
    }
  }
  emit(g, "  }\n");
}

void gen_side_scheme(gen *g) {
  hit(g, C_SIDES), hit(g, C_STATE_FACES), hit(g, C_STATE_FLUX);
  emit(g, "scheme random on mesh(%d) {\n  state s0 @ cells\n  state flux uf @ faces\n  state af @ faces\n",
       g->dim);
  gen_short_sym(g, "s0", W_CELLS)->state = true;
  for (int k = 0; k < 2; k++) {
    sym *s = gen_short_sym(g, k ? "af" : "uf", W_FACES);
    s->state = s->at_face = true, s->odd = !k;
  }
  g->n_named = 0;
  if (chance(g, 70)) face_quantity(g, "q1", true);
  if (chance(g, 50)) fluctuation(g);
  if (chance(g, 60)) face_quantity(g, "e1", false);
  if (chance(g, 60)) cell_quantity(g, "e2");
  if (chance(g, 25)) gen_short_require(g);
  hit(g, C_DT_REDUCED);
  emit(g, "  dt = 0.1/(1 + 0.1*(max(%s))\n", chance(g, 50) ? "f in faces) abs(uf)" : "c in cells) abs(s0)");
  emit(g, "  step {\n");
  for (int n = 2 + below(g, 2); n > 0; n--) statement(g);
  emit(g, "  }\n");
  const int n_rules = 1 + below(g, 3);
  for (int k = 0; k < n_rules; k++) rule(g, k);
  emit(g, "}\n");
}
