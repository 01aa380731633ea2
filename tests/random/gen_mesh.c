/* Meshes with states in cells: equations, fluxes, fluctuations, rules. And equations at nodes. */
#include "gen_internal.h"

#include <string.h>

/* ---- at faces ------------------------------------------------------------------------------------------------------------- */

const char *gen_even(gen *g, ctx *c, rank r, int depth) {
  const char *t = expr(g, c, r, depth);
  return fmt(g, "0.5*((%s) + (%s))", seen_from(g, t, 'L', 'R', false), seen_from(g, t, 'L', 'R', true));
}

const char *gen_odd(gen *g, ctx *c, rank r, int depth) {
  const char *t = expr(g, c, r, depth);
  return fmt(g, "0.5*((%s) - (%s))", seen_from(g, t, 'L', 'R', false), seen_from(g, t, 'L', 'R', true));
}

static void read_beyond(gen *g, const char *name) {
  for (int i = 0; i < g->n_syms; i++)
    if (strcmp(g->sym[i].name, name) == 0) g->sym[i].across = true;
}

/* The usual fluxes, and any made odd. */
static const char *flux_formula(gen *g, ctx *c, rank r) {
  const char *s = g->sym[0].name;
  int k = below(g, 7);
  read_beyond(g, s);
  if (r == R_VECTOR || k > 3) return gen_odd(g, c, r, 2);
  if (k == 0) return fmt(g, "(0.2 + 0.1*mean(%s)^2)*(%s[L] - %s[R])/distance", s, s, s);
  if (k == 1) {
    const char *un = "dot(w0, normal)";
    hit(g, C_EXTREME);
    return fmt(g, "max(%s, 0)*%s[L] + min(%s, 0)*%s[R]", un, s, un, s);
  }
  if (k == 2) return hit(g, C_FLUX_CONSTANT), "dot(w0, normal)";
  return hit(g, C_MEAN_JUMP), fmt(g, "-jump(0.5*%s^2 + 0.1*%s)/(1 + distance)", s, s);
}

static void flux(gen *g, int k) {
  ctx c = {.at = W_FACES, .axis = -1, .no_globals = false};
  bool vector = chance(g, 20);
  const char *name = fmt(g, "q%d", k);
  bool block = !vector && chance(g, 15);
  hit(g, C_FLUX);
  if (block) {
    const char *f = flux_formula(g, &c, R_SCALAR);
    hit(g, C_BLOCK), hit(g, C_BLOCK_FLUX);
    emit(g, "  %s @ faces {\n    let m = 0.9*(%s)\n    flux = m\n  }\n", name, f);
    sym *s = add_sym(g, name, W_FACES, R_SCALAR);
    s->odd = s->flux = s->deep = true;
    s->back = c.back;
    return;
  }
  emit(g, "  flux %s @ faces = %s\n", name, flux_formula(g, &c, vector ? R_VECTOR : R_SCALAR));
  sym *s = add_sym(g, name, W_FACES, vector ? R_VECTOR : R_SCALAR);
  s->odd = s->flux = s->deep = true;
  s->back = c.back;
}

/* What the mesh's numbering would decide, so that it must be refused. The step reads it, and `far` is large enough. */
static void suspect(gen *g, const char *name) {
  hit(g, C_SUSPECT);
  g->suspect = name;
  read_beyond(g, "s0");
}

/* One-sided where values are large, which no sample of order one shows: the compiler has to see it, or to say that it cannot. */
static void suspect_flux(gen *g) {
  static const char *const terms[] = {"max(far[L] - 20, 0)", "(if abs(far[L]) > 20 then 1 else 0)",
                                      "(if far[R] > 21 then far[L] else 0)", "0.1*max(far[R] - 22, 0)"};
  suspect(g, "qs");
  const char *term = terms[below(g, 4)];
  if (g->dim == 2 && g->n_syms % 2)
    term = "(if region(some)[L] then 0 else 0.1*far[L])"; /* odd where all cells are of that part */
  emit(g, "  state far @ cells\n  flux qs @ faces = -0.1*jump(far) + %s\n", term);
  sym *far = add_sym(g, "far", W_CELLS, R_SCALAR);
  far->state = far->across = true;
}

/* Odd but where values coincide, as many are 0. */
static void suspect_at_ties(gen *g) {
  static const char *const terms[] = {
      "(if abs(still[L]) + abs(still[R]) > 0 then 0 else 0.3)", "(if abs(mean(still)) > 0 then 0 else 0.3)",
      "(if max(still[L], still[R]) > 0 then 0 else if min(still[L], still[R]) < 0 then 0 else 0.3)",
      "(if still[L] == 0 and still[R] == 0 then 0.3 else 0)"};
  suspect(g, "ts");
  emit(g, "  given still @ cells\n  flux ts @ faces = -0.1*jump(s0) + %s\n", terms[below(g, 4)]);
}

/* `to R` is not `to L` seen from R. */
static void suspect_fluctuation(gen *g) {
  static const char *const pairs[][2] = {{"-jump(s0)", "-jump(s0)"},
                                         {"s0[L]", "0.5*s0[R]"},
                                         {"max(s0[R], 0.1)", "max(s0[R], 0.1)"},
                                         {"0.3*(s0[L] - s0[R])", "0.2*(s0[R] - s0[L])"}};
  int k = below(g, 4);
  suspect(g, "rs");
  emit(g, "  rs @ faces {\n    to L = %s\n    to R = %s\n  }\n", pairs[k][0], pairs[k][1]);
}

static void tuple_flux(gen *g) {
  bool vector = false;
  for (int i = 0; i < g->n_syms; i++) vector = vector || strcmp(g->sym[i].name, "v0") == 0;
  if (!vector) return;
  ctx c = {.at = W_FACES, .axis = -1};
  hit(g, C_TUPLE);
  hit(g, C_FLUX_TUPLE);
  emit(g, "  U @ cells = (s0, v0)\n  flux QU @ faces = (%s, %s)\n", gen_odd(g, &c, R_SCALAR, 2),
       gen_odd(g, &c, R_VECTOR, 2));
  if (chance(g, 50)) {
    hit(g, C_TUPLE_PART);
    add_sym(g, "U.1", W_CELLS, R_SCALAR)->own_only = true;
  }
  sym *s = add_sym(g, "QU", W_FACES, R_TUPLE);
  s->odd = s->deep = true;
  s->back = c.back;
}

static void fluctuation(gen *g) {
  ctx c = {.at = W_FACES, .axis = -1};
  const char *t = expr(g, &c, R_SCALAR, 3);
  hit(g, C_FLUCTUATION);
  hit(g, C_BLOCK);
  emit(g, "  roe @ faces {\n    to L = 0.3*(%s)\n    to R = 0.3*(%s)\n  }\n",
       seen_from(g, t, 'L', 'R', false), seen_from(g, t, 'L', 'R', true));
  sym *s = add_sym(g, "roe", W_FACES, R_SCALAR);
  s->odd = s->flux = s->deep = true;
  s->tuple_of_two = true; /* only cells may sum it */
  s->back = c.back;
}

static void face_equation(gen *g, int k) {
  ctx c = {.at = W_FACES, .axis = -1};
  const char *name = fmt(g, "e%d", k);
  hit(g, C_EQ_FACES);
  emit(g, "  %s @ faces = %s\n", name, gen_even(g, &c, R_SCALAR, 2));
  sym *s = add_sym(g, name, W_FACES, R_SCALAR);
  s->deep = true;
  s->back = c.back;
}

/* ---- at cells and nodes ------------------------------------------------------------------------------------------------------ */

static void chain(gen *g, const char *name, where at) {
  ctx c = {.at = at, .axis = -1};
  int n = 3 + below(g, 14);
  hit(g, C_BLOCK);
  hit(g, C_SHARING);
  hit(g, C_LET_TYPED);
  emit(g, "  %s @ %s {\n    let a0 : scalar = %s", name, where_name(at), expr(g, &c, R_SCALAR, 1));
  for (int i = 1; i < n; i++) emit(g, ", a%d = 0.4*a%d*a%d + 0.3*a%d", i, i - 1, i - 1, i - 1);
  emit(g, "\n    half = 0.5*a%d\n    whole = half/(1 + a%d^2)\n  }\n", n - 1, n - 1);
  sym *s = add_sym(g, fmt(g, "%s.%s", name, chance(g, 50) ? "half" : "whole"), at, R_SCALAR);
  s->deep = c.deep;
  s->back = c.back;
}

static void pair_block(gen *g, const char *name, where at) {
  ctx c = {.at = at, .axis = -1};
  hit(g, C_BLOCK);
  hit(g, C_TUPLE);
  emit(g, "  %s @ %s {\n    let (low, high) = pair(%s, %s)\n    gap = high - low\n  }\n", name,
       where_name(at), expr(g, &c, R_SCALAR, 2), expr(g, &c, R_SCALAR, 1));
  sym *s = add_sym(g, fmt(g, "%s.gap", name), at, R_SCALAR);
  s->deep = c.deep;
  s->back = c.back;
}

static void constant_equation(gen *g, const char *name, where at) {
  int k = below(g, 4);
  hit(g, k == 0 ? C_EQ_ZERO : C_EQ_CONSTANT);
  if (k == 0) emit(g, "  %s @ %s = 0\n", name, where_name(at));
  else
    emit(g, "  %s @ %s = %s\n", name, where_name(at), k == 1 ? "0.37" : k == 2 ? "p0" : "0.5*p0/(1 + p0^2)");
  add_sym(g, name, at, R_SCALAR);
}

/* What may stand behind the name: the letters of its place, its type. */
static const char *decoration(gen *g, where at, rank r) {
  static const char *const types[] = {" : scalar", " : vector", " : tensor", "", " : bool"};
  int k = below(g, 12);
  if (k == 0) return hit(g, C_EQ_LETTERS), at == W_CELLS ? "[c]" : "[I]";
  if (k == 1 && r <= R_BOOL) return hit(g, C_EQ_TYPE), types[r];
  return "";
}

static void plain_equation(gen *g, const char *name, where at) {
  rank r = g->dim > 1 && chance(g, 25)  ? R_VECTOR
           : chance(g, 6) && g->dim > 1 ? R_TENSOR
           : chance(g, 7)               ? R_BOOL
                                        : R_SCALAR;
  ctx c = {.at = at, .axis = -1};
  const char *e = expr(g, &c, r, 1 + below(g, 3));
  if (r == R_BOOL) hit(g, C_EQ_BOOL);
  if (r == R_SCALAR && chance(g, 15)) {
    hit(g, C_WHERE);
    emit(g, "  %s @ %s = 0.5*z0*z1 where z0 = %s, z1 = cos(z0)\n", name, where_name(at), e);
  } else
    emit(g, "  %s%s @ %s = %s%s\n", name, decoration(g, at, r), where_name(at), e,
         chance(g, 5) ? (hit(g, C_EQ_TAG), " -- (7), the seventh") : "");
  sym *s = add_sym(g, name, at, r);
  s->deep = c.deep;
  s->back = c.back;
}

static void equation(gen *g, int k, where at) {
  const char *name = fmt(g, "e%d", k);
  int what = below(g, 10);
  hit(g, at == W_CELLS ? C_EQ_CELLS : C_EQ_NODES);
  if (what == 0) constant_equation(g, name, at);
  else if (what == 1) chain(g, name, at);
  else if (what == 2 && g->fn_tuple) pair_block(g, name, at);
  else plain_equation(g, name, at);
}

void gen_mesh_equations(gen *g) {
  int n = 2 + below(g, 6);
  bool has_fluctuation = false;
  if (g->staggered) gen_face_states(g);
  if (g->dim > 1 && chance(g, 30)) {
    g->n_ops = 1;
    hit(g, C_OPERATOR);
    emit(g, "  op0(s) @ cells = 0.3/volume*sum(f of c) area*mean(s)*normal\n");
    if (chance(g, 60))
      g->n_ops = 2, emit(g, "  op1(a, b) @ cells = 0.2/volume*sum(f of c) area*mean(a*b)*normal\n");
  }
  for (int k = 0; k < n; k++) {
    int what = below(g, 10);
    if (what < 5) equation(g, k, W_CELLS);
    else if (what < 7) face_equation(g, k);
    else if (what < 9) flux(g, k);
    else if (!has_fluctuation) fluctuation(g), has_fluctuation = true;
  }
  if (chance(g, 3)) suspect_flux(g);
  else if (chance(g, 3)) suspect_fluctuation(g);
  else if (chance(g, 8)) suspect_at_ties(g);
  if (chance(g, 30)) tuple_flux(g);
}

/* ---- rules on meshes ----------------------------------------------------------------------------------------------------------- */

static void begin_rule(gen *g, int k, const char *across) {
  g->n_args = below(g, 3);
  g->n_vector_args = g->dim > 1 && chance(g, 30);
  emit(g, "  boundary r%d", k);
  for (int i = 0; i < g->n_args; i++) {
    hit(g, C_RULE_ARGUMENT);
    emit(g, "%sa%d%s%s", i ? ", " : "(", i, gen_bounds(g), chance(g, 25) ? " = 0.3" : "");
  }
  if (g->n_vector_args) emit(g, "%sb0 : vector", g->n_args ? ", " : "(");
  g->rule_int = chance(g, 12);
  if (g->rule_int) hit(g, C_RULE_INT), emit(g, "%sn1 : int = 2", g->n_args + g->n_vector_args ? ", " : "(");
  emit(g, "%s%s {\n", g->n_args + g->n_vector_args + g->rule_int ? ")" : "", across);
}

static void let_in_rule(gen *g, ctx *c) {
  g->rule_let = false;
  if (!chance(g, 20)) return;
  hit(g, C_RULE_LET);
  ctx at_faces = *c; /* where rules at nodes evaluate what they name by let, too */
  at_faces.at = W_FACES;
  emit(g, "    let z9 = %s\n", expr(g, &at_faces, R_SCALAR, 1));
  g->rule_let = true;
}

/* What a scalar's rule also reads, in some of a hundred: dt, or an equation that may sum over faces. It leads in a cycle as often as not. */
static const char *more_in_rule(gen *g, int some) {
  if (!chance(g, some)) return "";
  if (!g->steady && chance(g, 40)) return hit(g, C_RULE_DT), chance(g, 50) ? " + 0.2*dt" : " + 0.2*dt.free";
  for (int i = g->n_syms - 1; i >= 0; i--) {
    const sym *s = &g->sym[i];
    if (s->at != W_CELLS || s->rank != R_SCALAR || s->given || s->state || s->own_only || chance(g, 40))
      continue;
    return hit(g, C_RULE_DEEP), fmt(g, " + 0.1*%s[L]", s->name);
  }
  return "";
}

static void ghost_on_mesh(gen *g, const sym *s) {
  ctx c = {.at = W_FACES, .rule = true, .axis = -1, .no_globals = true};
  hit(g, s->state ? C_RULE_GHOST : C_RULE_GHOST_EQ);
  if (s->rank == R_LIST || s->rank == R_TENSOR)
    emit(g, "    ghost %s = %s\n", s->name, s->deep ? "0" : fmt(g, "0.8*%s[L]", s->name));
  else if (s->rank == R_BOOL) emit(g, "    ghost %s = 0.3 > 0.1*t\n", s->name);
  else {
    const char *said = expr(g, &c, s->rank, below(g, 3));
    emit(g, "    ghost %s = %s%s\n", s->name, said, s->rank == R_SCALAR ? more_in_rule(g, 8) : "");
  }
}

static void rule_on_mesh(gen *g, int k) {
  ctx c = {.at = W_FACES, .rule = true, .axis = -1, .no_globals = true};
  hit(g, C_RULE);
  begin_rule(g, k, "");
  let_in_rule(g, &c);
  for (int i = 0; i < g->n_syms; i++) {
    sym *s = &g->sym[i];
    if (s->given && s->at == W_CELLS && s->rank <= R_VECTOR && chance(g, 15)) {
      hit(g, C_RULE_GIVEN);
      emit(g, "    ghost %s = %s\n", s->name, expr(g, &c, s->rank, 1));
    }
    if (s->at == W_CELLS && s->rank != R_TUPLE && (s->state || (s->across && s->deep && !s->given)))
      ghost_on_mesh(g, s);
    if (s->at == W_FACES && s->flux && chance(g, 30)) {
      hit(g, C_RULE_FLUX);
      const char *said = expr(g, &c, s->rank, 2);
      emit(g, "    flux %s = %s%s\n", s->name, said,
           s->rank == R_SCALAR ? more_in_rule(g, g->governed ? 50 : 20) : "");
    }
  }
  emit(g, "  }\n");
}

void gen_mesh_rules(gen *g) {
  g->n_rules = 1 + below(g, 3);
  for (int k = 0; k < g->n_rules; k++) rule_on_mesh(g, k);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------------------------ */

static void edge_equation(gen *g, int k) {
  ctx c = {.at = W_EDGES, .axis = -1};
  const char *name = fmt(g, "e%d", k), *t = expr(g, &c, R_SCALAR, 2);
  hit(g, C_EQ_EDGES);
  emit(g, "  %s @ edges = %s*(%s)%s\n", name, chance(g, 50) ? "trace(Ld)" : "0.5",
       seen_from(g, t, 'I', 'J', chance(g, 50)), g->edge_given ? "*(1 + 0.1*he)" : "");
  sym *s = add_sym(g, name, W_EDGES, R_SCALAR);
  s->deep = true;
  s->back = c.back;
}

static void usual_sum(gen *g, int k) {
  const char *name = fmt(g, "e%d", k), *s = g->sym[0].name;
  int way = below(g, 4);
  hit(g, C_SUM_NODES);
  hit(g, C_EQ_NODES);
  if (way == 0) emit(g, "  %s @ nodes = -0.1/M*sum(J near I) trace(Ld)*(%s[J] - %s[I])\n", name, s, s);
  else if (way == 1)
    emit(g, "  %s @ nodes = 0.2/M*sum(J near I) dot(grad, w0)*(%s[J] - %s[I])\n", name, s, s);
  else if (way == 2) emit(g, "  %s @ nodes = 0.2/M*sum(J near I) dot(G, w0)*mean(%s)\n", name, s);
  else emit(g, "  %s @ nodes = 0.3/M*sum(J near I) NN*%s[J]\n", name, s);
  sym *e = add_sym(g, name, W_NODES, R_SCALAR);
  e->deep = e->flux = true;
}

static void matrix(gen *g) {
  ctx c = {.at = W_NODES, .axis = -1, .no_sums = true, .pointwise = true};
  bool symmetric = chance(g, 60);
  hit(g, symmetric ? C_MATRIX_SYMMETRIC : C_MATRIX);
  g->has_matrix = true;
  emit(g,
       "  matrix A%s @ nodes {\n    A[I,J] = 0.2*Lap*(1 + mean(m0)^2)\n    A[I,I] = M*(1.3 + m0^2) - sum(J "
       "near I) A[I,J]\n  }\n",
       symmetric ? " symmetric" : "");
  emit(g, "  m0 @ nodes = %s\n", expr(g, &c, R_SCALAR, 1));
  add_sym(g, "A", W_GLOBAL, R_TUPLE);
}

void gen_node_equations(gen *g) {
  int n = 2 + below(g, 6);
  if (chance(g, 30)) {
    g->n_ops = 1;
    hit(g, C_OPERATOR);
    emit(g, "  op0(s) @ nodes = 0.2/M*sum(J near I) Lap*(s[J] - s[I])\n");
    if (chance(g, 60))
      g->n_ops = 2, emit(g, "  op1(a, b) @ nodes = 0.2/M*sum(J near I) Lap*mean(a)*(b[J] - b[I])\n");
  }
  for (int k = 0; k < n; k++) {
    int what = below(g, 10);
    if (what < 4) equation(g, k, W_NODES);
    else if (what < 7) usual_sum(g, k);
    else edge_equation(g, k);
  }
  if (chance(g, 40) || g->steady) matrix(g);
}

/* What stands in the rule may sum over neighbours, and look back; what it names is of before, but not what follows from the unknown
 * of a system. */
static void fix_at_nodes(gen *g, const sym *s) {
  const bool unknown = g->has_matrix && strcmp(s->name, "s0") == 0;
  ctx c = {.at = W_NODES, .rule = true, .axis = -1, .no_globals = true, .no_equations = unknown};
  c.fixes = !unknown && chance(g, 50);
  if (unknown) c.at = W_FACES; /* names nothing: what follows from the unknown is refused */
  const char *e = expr(g, &c, s->rank, 1), *sum = "";
  if (s->rank == R_SCALAR && !unknown && chance(g, 25)) {
    const bool own = chance(g, 30);
    const char *of = own ? s->name : g->sym[0].name;
    hit(g, C_FIX_SUMS);
    if (own || strcmp(of, s->name) == 0) e = fmt(g, "0.5*%s", s->name);
    sum = fmt(g, " + 0.1*sum(J near I) Lap*(%s[J] - %s[I])%s", of, of, g->n_syms % 3 ? "" : "*cos(20*t)");
  }
  const bool late = unknown && !g->steady;
  emit(g, "    fix %s = %s%s%s\n", s->name, e, sum, late ? " + 0.1*cos(20*t)" : "");
}

static void rule_at_nodes(gen *g, int k) {
  ctx c = {.at = W_NODES, .rule = true, .axis = -1, .no_globals = true, .no_equations = true};
  hit(g, C_RULE);
  begin_rule(g, k, "");
  let_in_rule(g, &c);
  for (int i = 0; i < g->n_syms; i++) {
    sym *s = &g->sym[i];
    bool can_add = s->at == W_NODES && s->rank == R_SCALAR && !s->state && !s->given && !strchr(s->name, '.');
    if (s->state && s->rank <= R_VECTOR && chance(g, 30)) {
      bool projection = s->rank == R_VECTOR && chance(g, 40);
      hit(g, projection ? C_RULE_PROJECTION : C_RULE_FIX);
      if (projection) emit(g, "    fix %s = %s - dot(%s, normal)*normal\n", s->name, s->name, s->name);
      else fix_at_nodes(g, s);
    } else if (can_add && chance(g, 25)) {
      hit(g, C_RULE_ADD);
      emit(g, "    add %s = %s*area\n", s->name, expr(g, &c, R_SCALAR, 1));
    }
  }
  emit(g, "  }\n");
}

void gen_node_rules(gen *g) {
  g->n_rules = 1 + below(g, 3);
  for (int k = 0; k < g->n_rules; k++) rule_at_nodes(g, k);
}
