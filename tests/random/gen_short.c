/* What the generators of short schemes share: symbols that are read anywhere, and steps of a few statements in all of which the same kind of
 * formula stands. */
#include "gen_internal.h"

bool gen_has_start(const sym *s) { return !s->given && !s->back; }

sym *gen_short_sym(gen *g, const char *name, where at) {
  sym *s = add_sym(g, name, at, R_SCALAR);
  s->across = true;
  return s;
}

where gen_short_place(gen *g) {
  const int k = below(g, 8);
  if (k < 3) return W_CELLS;
  return k < 4 && g->dim > 1 ? gen_low_point(g) : (where)(W_XFACES + below(g, g->dim));
}

/* Along most axes; sometimes far along one, or none, which of another place is half a cell on. */
const char *gen_diagonal(gen *g, ctx *c, const sym *s, const char *name) {
  int shift[3] = {0};
  const bool none = chance(g, s->at == c->at ? 8 : 30);
  for (int a = 0; a < g->dim && !none; a++) shift[a] = chance(g, 75) ? (chance(g, 50) ? 1 : -1) : 0;
  if (chance(g, 15)) shift[below(g, g->dim)] *= 2;
  c->deep = c->deep || s->deep || s->at != c->at || shift[0] || shift[1] || shift[2];
  return fmt(g, "%s[%s]", name, shifted_index(g, shift));
}

/* The same quantity, of what lies around. */
const char *gen_around(gen *g, ctx *c, const sym *s, const char *name) {
  c->deep = true;
  if (g->family == F_CELLS) return fmt(g, "0.2*(sum(f of c to d) (%s[d] - %s[c]))", name, name);
  if (g->family == F_NODES) return fmt(g, "0.2/M*(sum(J near I) Lap*(%s[J] - %s[I]))", name, name);
  return gen_diagonal(g, c, s, name);
}

bool gen_on_grid(const gen *g) { return g->family == F_GRID; }

void gen_short_integrals(gen *g) {
  if (g->family != F_NODES) return;
  emit(g, "  M @ nodes = integral(N[I])\n  Lap @ edges = integral(dot(dN[I], dN[J]))\n");
}

static void assign(gen *g, formula *combination) {
  const sym *s = &g->sym[0];
  for (int k = below(g, 3); k > 0 && (s + 1)->state; k--) s++;
  ctx c = {.at = s->at, .axis = -1, .step = true};
  emit(g, "    update %s = 0.4*%s + 0.5*(%s)\n", s->name, s->name, combination(g, &c));
}

/* Over parts of dt, or all over the same global: what goes on in time goes on from where it was. */
static const char *interval(gen *g) {
  if (g->by_span) return hit(g, C_INTEGRATE_GLOBAL), "span";
  return chance(g, 30) ? (hit(g, C_INTEGRATE_PART), "dt/2") : "dt";
}

/* Whether the pass was the last: never, or by what a state was at other points before it, far from the bound in most runs. */
static const char *until(gen *g) {
  const sym *s = &g->sym[g->sym[1].state && chance(g, 50)];
  if (s->rank != R_SCALAR || chance(g, 60)) return "1 < 0";
  hit(g, C_OLD);
  ctx c = {.at = s->at, .axis = -1, .step = true};
  return fmt(g, "%s(%s in %s) abs(%s) < %.4f", chance(g, 50) ? "max" : "min", s->at == W_NODES ? "I" : "c",
             where_name(s->at), gen_around(g, &c, s, fmt(g, "%s.old", s->name)), 0.1717 + 0.2 * below(g, 4));
}

static void statement(gen *g, formula *combination, own_statement *own) {
  const int k = below(g, 6);
  if (own && chance(g, 50)) own(g);
  else if (k == 0) {
    hit(g, C_REPEAT);
    emit(g, "    repeat {\n");
    assign(g, combination);
    emit(g, "    } until %s at most 2\n", until(g));
  } else if (k == 1) {
    hit(g, C_AT_TIME);
    emit(g, "    at t + dt/2 {\n");
    assign(g, combination);
    emit(g, "    }\n");
  } else if (k < 4) {
    static const char *const method[] = {"euler", "heun", "rk4"};
    hit(g, C_INTEGRATE);
    const sym *s = &g->sym[g->sym[1].state && chance(g, 50)];
    ctx c = {.at = s->at, .axis = -1, .step = true};
    emit(g, "    integrate %s' = %s by %s over %s\n", s->name, combination(g, &c), method[below(g, 3)],
         interval(g));
  } else assign(g, combination);
}

bool gen_short_update(gen *g, own_statement *update, const char *until) {
  const int what = below(g, 4);
  if (what == 0) {
    hit(g, C_REPEAT), hit(g, C_OLD);
    emit(g, "    repeat {\n");
    update(g);
    emit(g, "    } until %s at most 3\n", until);
  } else if (what == 1) {
    hit(g, C_AT_TIME);
    emit(g, "    at t + dt/2 {\n");
    update(g);
    emit(g, "    }\n");
  } else update(g);
  return what == 0;
}

/* Its bound decides in some runs, and far from it in each. At faces of meshes nothing is required. */
void gen_short_require(gen *g) {
  const sym *s = &g->sym[below(g, g->n_syms)];
  const char *bound = fmt(g, "%.4f", 0.2717 + 0.2 * below(g, 8)),
             *size = s->rank == R_VECTOR ? "norm" : "abs";
  const int what = below(g, 4);
  if (what == 0 && g->n_globals > 0) {
    hit(g, C_REQUIRE_GLOBAL);
    emit(g, "  require %s < %s\n", g->one && chance(g, 50) ? "one0" : "g0", bound);
  } else if (what == 1 && g->n_globals > 0) { /* at each point, by what all of them are */
    hit(g, C_REQUIRE_GLOBAL);
    emit(g, "  require abs(s0 - g%d) < %s\n", below(g, g->n_globals), bound);
  } else if (!gen_on_grid(g) && s->at != place_of_states(g)) {
    return;
  } else if (what < 3 && s->state) {
    hit(g, C_REQUIRE_BACK);
    emit(g, "  require %s(%s - 0.9*%s.prev) < %s\n", size, s->name, s->name, bound);
  } else {
    hit(g, s->state ? C_REQUIRE : C_REQUIRE_EQUATION);
    emit(g, "  require %s(%s) < %s\n", size, s->name, bound);
  }
}

/* It may follow from what rules say at the start of the step, which stages ask for at their own times. */
static void time_step(gen *g) {
  const sym *s = &g->sym[below(g, g->n_syms)];
  const bool faces = s->at == W_FACES; /* of a mesh: its cells take what is at theirs */
  const bool reduced = chance(g, 60), back = reduced && gen_has_start(s) && chance(g, 20);
  hit(g, reduced ? C_DT_REDUCED : C_DT_CONSTANT);
  if (back) hit(g, C_DT_BACK);
  const char *level = back ? ".prev" : "";
  if (reduced && faces)
    emit(g, "  dt = 0.1/(1 + 0.1*(max(c in cells) (sum(f of c) %s%s^2)))\n", s->name, level);
  else if (reduced)
    emit(g, "  dt = 0.1/(1 + 0.1*(max(%s in %s) %s%s^2))\n", s->at == W_NODES ? "I" : "c", where_name(s->at),
         s->name, level);
  else emit(g, "  dt = 0.1\n");
}

/* dt, what is integrated over, the statements. */
void gen_short_step(gen *g, formula *combination, own_statement *own) {
  const char *at = where_name(g->sym[0].at), *of = g->sym[0].at == W_NODES ? "I" : "c";
  time_step(g);
  if ((g->by_span = chance(g, 25)))
    emit(g, "  span = %s%s\n", number(g),
         chance(g, 50) ? fmt(g, "/(1 + 0.3*(max(%s in %s) s0^2))", of, at) : "*(1 + 0.5*sin(3*t))");
  emit(g, "  step {\n");
  for (int n = g->tiny || chance(g, 25) ? 1 : 2 + below(g, 2); n > 0; n--) statement(g, combination, own);
  emit(g, "  }\n");
}
