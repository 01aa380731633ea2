/* Grids whose rules look at each other: few equations with short formulas that are read diagonally, and across each axis a rule for all of
 * them, made of others, of what was before and of arguments over time. What one wall gives lies beyond the next one then, of another
 * quantity and another time, and so on through three. Longer schemes meet such a chain in one of a hundred thousand. */
#include "gen_internal.h"

/* Read where others are computed: at any point, of any time. */
static const char *read_of(gen *g, ctx *c) {
  const bool last = c->step && chance(g, 60);
  const sym *s = &g->sym[last ? g->n_syms - 1 - below(g, 2) : below(g, g->n_syms)];
  if (s->own_only) s = &g->sym[0];
  const bool back = gen_has_start(s) && chance(g, 25);
  if (back) hit(g, C_PREV);
  c->back = c->back || back || s->back;
  return gen_diagonal(g, c, s, back ? fmt(g, "%s.prev", s->name) : s->name);
}

/* Of the point, which goes on across a periodic side for a reader alone: along an axis on which cells have one where it lies. The compiler keeps
 * reciprocals along an axis as quantities of their own. */
static const char *coordinate(gen *g, where at) {
  const int axis = below(g, g->dim);
  if (gen_on_boundary(at, axis)) return number(g);
  return fmt(g, chance(g, 60) ? "0.7/(2.3 + %cc)" : "0.1*%cc", "xyz"[axis]);
}

/* Of the two that lie half a cell from it: what is known on both sides of a wall, as at faces, makes it follow there. NULL: all live here. */
static const char *between(gen *g, ctx *c) {
  const sym *s = &g->sym[below(g, g->n_syms)];
  int near[3] = {0}, far[3] = {0};
  if (s->at == c->at || s->own_only) return NULL;
  far[below(g, g->dim)] = chance(g, 50) ? 1 : -1;
  const bool back = gen_has_start(s) && chance(g, 50);
  if (back) hit(g, C_PREV);
  c->back = c->back || back || s->back;
  const char *name = back ? fmt(g, "%s.prev", s->name) : s->name, *here = shifted_index(g, near);
  return fmt(g, "0.5*(%s[%s] + %s[%s])", name, here, name, shifted_index(g, far));
}

/* It depends on nothing, but looks at points, its own or others, as it is written. */
static const char *either_way(gen *g, const char *read) {
  const char *same = number(g);
  return fmt(g, "(if %s > 0.1 then %s else %s)", read, same, same);
}

/* At its own point: without a rule it follows beyond walls, point by point. NULL: nothing lives there. */
static const char *pointwise(gen *g, ctx *c) {
  const char *halves = chance(g, 40) ? between(g, c) : NULL;
  if (halves) return halves;
  if (chance(g, 25)) return fmt(g, "%s + 0.1", coordinate(g, c->at));
  for (int i = g->n_syms - 1; i >= 0; i--) {
    const sym *s = &g->sym[i];
    if (s->at != c->at || s->back) continue;
    c->deep = s->deep && !s->state;
    if (gen_has_start(s) && chance(g, 25)) {
      hit(g, C_PREV);
      c->back = true;
      return fmt(g, "0.7*%s.prev", s->name);
    }
    if (chance(g, 15)) return either_way(g, s->name);
    return fmt(g, chance(g, 50) ? "sin(2*%s)" : "0.8*%s^2 - 0.3", s->name);
  }
  return NULL;
}

static const char *combination(gen *g, ctx *c) {
  const char *a = read_of(g, c);
  if (chance(g, 15)) return fmt(g, "%s + 0.4*%s", coordinate(g, c->at), a);
  if (chance(g, 6)) return either_way(g, a);
  switch (below(g, 4)) {
  case 0: return fmt(g, "0.8*%s", a);
  case 1: return fmt(g, "0.5*%s + %s", a, number(g));
  case 2: return fmt(g, "sin(%s)", a);
  default: return fmt(g, "0.5*%s - 0.3*%s", a, read_of(g, c));
  }
}

static void equations(gen *g) {
  const int n = g->tiny ? 1 : 2 + below(g, 2);
  const where common = gen_short_place(g);
  for (int k = 0; k < n; k++) {
    const where at = chance(g, 60) ? common : gen_short_place(g);
    ctx c = {.at = at, .axis = -1};
    const char *name = fmt(g, "e%d", k), *own = chance(g, 30) ? pointwise(g, &c) : NULL,
               *value = own             ? own
                        : chance(g, 20) ? number(g)
                        : chance(g, 15) ? either_way(g, read_of(g, &c))
                                        : combination(g, &c);
    hit(g, at == W_CELLS ? C_EQ_CELLS : C_EQ_STAGGERED);
    emit(g, "  %s @ %s = %s%s\n", name, where_name(at), value, chance(g, 40) ? " + 0.1*t" : "");
    sym *s = gen_short_sym(g, name, at);
    s->deep = c.deep, s->back = c.back,
    s->own_only = chance(g, 30); /* rules alone look at it from elsewhere */
  }
}

/* For rules: of what is now, in the middle of a step, too. */
static void global(gen *g) {
  const sym *s = &g->sym[below(g, g->n_syms)];
  hit(g, C_GLOBAL);
  if (chance(g, 30)) emit(g, "  g0 = 0.5\n");
  else emit(g, "  g0 = %s(c in %s) %s\n", chance(g, 50) ? "max" : "min", where_name(s->at), s->name);
  g->n_globals = 1;
}

/* ---- rules ------------------------------------------------------------------------------------------------------------- */

/* What a rule says of quantity k: of those before it as they are, of all as they were, so that it leads to an end more often than not. */
static const char *said(gen *g, int k, bool argument) {
  const char *inside = chance(g, 60) ? "mirror" : "inner";
  const int what = below(g, 10);
  if (what == 0) return chance(g, 30) ? coordinate(g, g->sym[k].at) : number(g);
  if (what < 3 && g->n_globals > 0 && chance(g, 60)) return hit(g, C_GLOBAL_IN_RULE), "0.3*g0";
  if (what < 3 && argument) return "a0";
  if (what < 3) return fmt(g, "%s*sin(t)", number(g));
  if (what < 4) return fmt(g, "%s%s[%s]", chance(g, 50) ? "-" : "", g->sym[k].name, inside);
  const bool any = chance(g, g->sym[k].state ? 35 : 50); /* leads in a cycle as often as not */
  const sym *s = &g->sym[what > 7 ? k : below(g, any ? g->n_syms : k + 1)];
  const bool back = what > 6 && gen_has_start(s);
  hit(g, back ? C_PREV_IN_RULE : C_RULE_GHOST_OTHER);
  return fmt(g, "0.9*%s%s[%s]", s->name, back ? ".prev" : "", inside);
}

static void rule(gen *g, int number_of, int axis) {
  const bool argument = chance(g, 60), time = argument && chance(g, 60);
  hit(g, C_RULE), hit(g, C_RULE_ACROSS);
  if (time) hit(g, C_RULE_TIME);
  emit(g, "  boundary r%d%s%s across %c {\n", number_of, argument ? "(a0" : "",
       time       ? " over time)"
       : argument ? ")"
                  : "",
       "xyz"[axis]);
  for (int k = 0; k < g->n_syms; k++) {
    const sym *s = &g->sym[k];
    if (s->given) continue;
    hit(g, s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ);
    const bool nowhere =
        s->state && s->at != W_CELLS && chance(g, 7); /* what is made of it follows from faces on the wall */
    if ((s->state && !nowhere) || (!s->state && chance(g, s->own_only ? 30 : s->deep ? 75 : 50)))
      emit(g, "    ghost %s = %s\n", s->name, said(g, k, argument));
    if (gen_on_boundary(s->at, axis) && chance(g, 40)) {
      hit(g, s->state ? C_RULE_FIX : C_RULE_FIX_EQ);
      const char *by = chance(g, 50) && argument ? "a0" : number(g);
      emit(g, "    fix %s = %s%s\n", s->name, by, chance(g, 40) ? "*cos(t)" : "");
    }
  }
  emit(g, "  }\n");
}

void gen_corner_scheme(gen *g) {
  hit(g, C_CORNERS);
  emit(g, "scheme random on grid(%d) {\n", g->dim);
  g->tiny = chance(g, 50); /* then what a scheme looks at is not looked at by something else, too */
  const int n_states = g->tiny ? 1 : 1 + below(g, 2);
  for (int k = 0; k < n_states; k++) {
    const where at = k || g->tiny ? gen_short_place(g) : W_CELLS;
    const char *name = fmt(g, "s%d", k);
    hit(g, at == W_CELLS ? C_EQ_CELLS : C_EQ_STAGGERED);
    emit(g, "  state %s @ %s\n", name, where_name(at));
    gen_short_sym(g, name, at)->state = true;
  }
  equations(g);
  if (chance(g, 30)) global(g);
  if (chance(g, 20)) gen_short_require(g);
  gen_short_step(g, combination, NULL);
  const int n_rules = 1 + below(g, 4) / 2;
  for (int k = 0; k < n_rules; k++)
    for (int a = 0; a < g->dim; a++) rule(g, k, a);
  emit(g, "}\n");
}
