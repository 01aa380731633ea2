/* Expressions: typed, tame, of what can be read at a place. */
#include "gen_internal.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------------------------ */

const char *shifted_index(gen *g, const int shift[3]) {
  const char *text = "";
  for (int a = 0; a < g->dim; a++) {
    const char *comma = a ? "," : "";
    if (shift[a] == 0) text = fmt(g, "%s%s%c", text, comma, "ijk"[a]);
    else text = fmt(g, "%s%s%c%+d", text, comma, "ijk"[a], shift[a]);
  }
  return text;
}

static void count_shift(gen *g, const int shift[3]) {
  int axes = 0;
  for (int a = 0; a < g->dim; a++) {
    int s = shift[a] < 0 ? -shift[a] : shift[a];
    axes += s > 0;
    if (s > 0) hit(g, (construct)(C_SHIFT1 + s - 1));
  }
  if (axes > 1) hit(g, C_SHIFT_CORNER);
}

static void draw_shift(gen *g, int shift[3]) {
  static const int far[] = {-1, 1, -1, 1, -1, 1, -2, 2, -3, 3};
  shift[0] = shift[1] = shift[2] = 0;
  if (chance_in(g, 35, 20)) return;
  shift[below(g, g->dim)] = far[below(g, 10)];
  if (g->dim > 1 && chance_in(g, 15, 45)) shift[below(g, g->dim)] = chance(g, 50) ? 1 : -1;
}

static const char *read_on_grid(gen *g, ctx *c, sym *s, const char *name) {
  int shift[3] = {0};
  if (c->rule) {
    bool mirror = chance(g, 60);
    hit(g, mirror ? C_RULE_MIRROR : C_RULE_INNER);
    return fmt(g, "%s[%s]", name, mirror ? "mirror" : "inner");
  }
  if (!c->pointwise) draw_shift(g, shift);
  bool here = s->at == c->at && !shift[0] && !shift[1] && !shift[2];
  if (here && chance(g, 60)) return name;
  if (!here) c->deep = s->across = true, count_shift(g, shift);
  return fmt(g, "%s[%s]", name, shifted_index(g, shift));
}

/* A rule may look back; one that fixes a state may name any equation. */
static const char *name_in_rule(gen *g, ctx *c, const sym *s, const char *name) {
  if (c->fixes && !s->state && !s->given) hit(g, C_FIX_NAMES);
  if (s->given || s->own_only || s->back || s->rank > R_TENSOR || !chance_in(g, c->fixes ? 20 : 8, 30))
    return name;
  hit(g, c->fixes ? C_PREV_IN_FIX : C_PREV_IN_RULE);
  return fmt(g, "%s.prev", name);
}

/* NULL if it cannot be read there. */
const char *read_sym(gen *g, ctx *c, sym *s) {
  const char *name = s->name;
  const bool start =
      g->crowded && c->rule && s->deep && !s->back && !s->given && !s->own_only && s->rank <= R_TENSOR;
  if (c->pointwise && (s->at != c->at || s->deep) && !c->rule) return NULL;
  if (c->rule && !c->fixes && (s->deep || s->back) && !start) return NULL;
  if (s->own_only && (c->at != s->at || c->rule)) return NULL;
  if (c->no_equations && !s->state && !s->given) return NULL;
  if (s->back) c->back = true;
  if (s->deep) c->deep = true;
  bool can_look_back =
      !s->given && !s->own_only && !s->back && !c->rule && s->rank != R_BOOL && s->rank != R_TUPLE;
  if (can_look_back && (c->step ? chance_in(g, 15, 35) : chance_in(g, 3, 12)) && (!s->odd || s->at_face)) {
    hit(g, C_PREV);
    c->back = true;
    name = fmt(g, "%s.prev", name);
  } else if (s->odd && !s->back && c->at == W_FACE_OF_CELL && chance(g, s->tuple_of_two ? 75 : 35)) {
    hit(g, s->tuple_of_two ? C_PREV_FLUCTUATION : C_PREV_FLUX);
    c->back = true;
    name = fmt(g, "%s.prev", name);
  }
  if (c->rule && start && !c->fixes) hit(g, C_PREV_IN_RULE), name = fmt(g, "%s.prev", name);
  else if (c->rule) name = name_in_rule(g, c, s, name);
  if (g->family == F_GRID) return s->at <= W_CORNERS ? read_on_grid(g, c, s, name) : NULL;
  if (s->at == W_FACES) {
    if (c->at == W_FACE_OF_CELL) return name;
    if (s->tuple_of_two) return NULL; /* a fluctuation: only cells may sum it */
    if (c->rule && s->at_face) return name;
    return c->at == W_FACES && !c->rule ? fmt(g, "%s%s", s->odd ? "$" : "", name) : NULL;
  }
  if (s->at == W_EDGES) return c->at == W_EDGES || c->at == W_NEIGHBOUR ? name : NULL;
  if (c->rule) return g->family == F_NODES ? (s->at == c->at ? name : NULL) : fmt(g, "%s[L]", name);
  if (c->at == s->at) return name;
  if (c->at == W_FACES || c->at == W_EDGES) {
    s->across = c->deep = true;
    if (chance(g, 25) && s->rank != R_BOOL) return hit(g, C_MEAN_JUMP), fmt(g, "mean(%s)", name);
    if (chance(g, 5) && s->rank == R_SCALAR)
      return hit(g, C_MEAN_OF), fmt(g, "mean(0.4*%s*(1 - 0.3*%s))", name, name);
    return fmt(g, "%s[%c]", name, chance(g, 50) ? '@' : '#');
  }
  if (c->at == W_FACE_OF_CELL) {
    s->across = c->deep = true;
    if (c->to_d && s->deep) hit(g, C_SECOND_RING);
    if (c->to_d) return chance(g, 70) ? fmt(g, "%s[d]", name) : fmt(g, "%s[c]", name);
    hit(g, C_MEAN_JUMP);
    return fmt(g, "mean(%s)", name);
  }
  if (c->at == W_NEIGHBOUR) {
    c->deep = true;
    return chance(g, 60) ? fmt(g, "%s[J]", name) : fmt(g, "%s[I]", name);
  }
  return NULL;
}

/* Any symbol of that rank that can be read; NULL if some tries found none. */
static const char *read_any(gen *g, ctx *c, rank r) {
  for (int tries = 0; tries < 12 && g->n_syms > 0 && c->at != W_FN; tries++) {
    sym *s = &g->sym[below(g, g->n_syms)];
    if (s->rank != r || s->at == W_GLOBAL) continue;
    const char *text = read_sym(g, c, s);
    if (text) return text;
  }
  return NULL;
}

/* ---- geometry ------------------------------------------------------------------------------------------------------------- */

static const char *axis_letter(gen *g) { return fmt(g, "%c", "xyz"[below(g, g->dim)]); }

/* A width or a centre's coordinate, tame. */
static const char *grid_geometry(gen *g, ctx *c) {
  int a = below(g, g->dim), shift = c->pointwise ? 0 : below(g, 3) - 1;
  const char *index = shift ? fmt(g, "%c%+d", "ijk"[a], shift) : fmt(g, "%c", "ijk"[a]);
  if (c->rule) return fmt(g, "d%c", "xyz"[c->axis < 0 ? 0 : c->axis]);
  if (shift) c->deep = true;
  if (chance(g, 60)) return fmt(g, "d%c[%s]", "xyz"[a], index);
  return fmt(g, "sin(%cc[%s])", "xyz"[a], index);
}

/* To a part of the boundary, or to the nearest of two; NULL: not there. */
static const char *distance(gen *g, ctx *c) {
  static const char *const parts[] = {"left", "top", "left, bottom", "hull"};
  const char *d = fmt(g, "distance_to(%s)", parts[below(g, g->family == F_CELLS && g->dim == 2 ? 4 : 3)]);
  const char *side = c->rule            ? "[L]"
                     : c->at == W_FACES ? (chance(g, 50) ? "[@]" : "[#]")
                     : c->to_d          ? "[d]"
                                        : "[c]";
  const bool own = c->at == W_CELLS || (c->at == W_NODES && !c->rule);
  if (!own && (c->no_index || g->family != F_CELLS || (c->at != W_FACES && !c->to_d))) return NULL;
  if (!own) c->deep = true;
  hit(g, C_DISTANCE);
  return fmt(g, "tanh(2*%s%s)", d, own ? "" : side);
}

static const char *geometry(gen *g, ctx *c) {
  if (g->family == F_GRID) return grid_geometry(g, c);
  const char *away = chance(g, 10) ? distance(g, c) : NULL;
  if (away) return away;
  if (c->rule) {
    static const char *const rule[] = {"area/(1 + area)", "normal.x", "sin(centre.y)", "normal.y"};
    return rule[below(g, 4)];
  }
  if (c->at == W_CELLS) {
    static const char *const cells[] = {"volume/(1 + volume)", "sin(centre.x)", "size/(1 + size)",
                                        "cos(centre.y)"};
    return cells[below(g, 4)];
  }
  if (c->at == W_NODES) return chance(g, 50) ? fmt(g, "sin(centre.%s)", axis_letter(g)) : "M/(1 + M)";
  if (c->at == W_FACES || c->at == W_FACE_OF_CELL) {
    static const char *const faces[] = {"area/(1 + area)", "1/(1 + distance)", "sin(centre.x)", "area/2"};
    int k = below(g, 4);
    if (c->at == W_FACES && chance(g, 15)) return fmt(g, "sin(centre[%c].x)", chance(g, 50) ? '@' : '#');
    return k == 2 && c->at == W_FACE_OF_CELL ? "sin(centre[f].x)" : faces[k];
  }
  return NULL;
}

/* ---- leaves ------------------------------------------------------------------------------------------------------------------ */

/* Without a draw, so that schemes that have no such state stay what they were. */
static bool reads_one_value(gen *g, const ctx *c) {
  return g->one && c->at != W_FN && (!c->no_globals || c->fixes) && ++g->one_asked % 5 == 0;
}

static const char *rare_leaf(gen *g, ctx *c) {
  int k = below(g, 4);
  if (k == 0 && g->has_int) return "0.1*n0";
  if (k == 1) return hit(g, C_CONSTANTS), chance(g, 50) ? "pi/5" : fmt(g, "min(%s, inf)", number(g));
  if (k == 2 && c->at != W_FN && !c->rule && !c->no_globals && !g->steady)
    return hit(g, C_DT_FREE), "dt.free";
  if (k == 3 && c->rule && g->rule_int) return "0.2*n1";
  return NULL;
}

static const char *plain_leaf(gen *g, ctx *c) {
  if (reads_one_value(g, c)) return hit(g, C_STATE_ONE), "one0";
  const char *rare = chance(g, 5) ? rare_leaf(g, c) : NULL;
  int k = below(g, 5);
  if (rare) return rare;
  if (c->rule && g->rule_let && chance(g, 20)) return "z9";
  if (c->rule && g->n_args > 0 && k < 3) return fmt(g, "a%d", below(g, g->n_args));
  if (k == 0 && g->n_params > 0) return fmt(g, "p%d", below(g, g->n_params));
  if (k == 1 && c->at != W_FN && chance(g, 40)) return hit(g, C_TIME), "sin(2*t)";
  if (k == 2 && c->at != W_FN && (c->rule || !c->no_globals) && g->n_globals > 0 && chance(g, 60)) {
    hit(g, c->rule ? C_GLOBAL_IN_RULE : C_GLOBAL_READ);
    return fmt(g, "g%d/(1 + g%d^2)", 0, 0);
  }
  if (k > 2 && c->fixes && g->n_named > 1 && chance(g, 70)) {
    k = 1 + below(g, g->n_named - 1);
    hit(g, C_GLOBAL_IN_FIX);
    return fmt(g, "g%d/(1 + g%d^2)", k, k);
  }
  return number(g);
}

/* What stands without brackets has components. */
static const char *component(gen *g, const char *v, bool tensor) {
  const char *a = g->letter_d ? "x" : axis_letter(g), *b = g->letter_d ? "y" : axis_letter(g);
  if (!v || v[0] == '$' || strchr(v, '(') || strchr(v, '[')) return NULL;
  hit(g, C_PART);
  return tensor ? fmt(g, "%s.%s%s", v, a, b) : fmt(g, "%s.%s", v, a);
}

static const char *scalar_of_tensor(gen *g, ctx *c) {
  const char *k = read_any(g, c, R_TENSOR), *part = chance(g, 50) ? component(g, k, true) : NULL;
  if (!k) return NULL;
  hit(g, C_TENSORS);
  return part ? part : fmt(g, "trace(%s)/2", k);
}

static const char *scalar_of_others(gen *g, ctx *c) {
  const char *k = chance(g, 20) ? scalar_of_tensor(g, c) : NULL;
  const char *v = read_any(g, c, R_VECTOR), *w;
  if (k) return k;
  if (!v) return NULL;
  hit(g, C_TENSORS);
  const char *part = chance(g, 40) ? component(g, v, false) : NULL;
  if (part) return part;
  w = read_any(g, c, R_VECTOR);
  if (g->fn_vector && chance(g, 30)) return hit(g, C_FUNCTION_VECTOR), fmt(g, "fv(%s, %s)", v, w ? w : v);
  if (g->dim == 2 && !g->letter_d && chance(g, 15)) return hit(g, C_CROSS), fmt(g, "cross(%s, w0)/2", v);
  return chance(g, 50) ? fmt(g, "norm(%s)", v) : fmt(g, "dot(%s, %s)/2", v, w ? w : v);
}

/* A component of a list: which point first, then which number. */
static const char *list_element(gen *g, ctx *c) {
  if (c->no_index) return NULL;
  for (int i = 0; i < g->n_syms; i++) {
    sym *s = &g->sym[i];
    int k = s->rank == R_LIST ? 1 + below(g, s->n) : 0;
    if (k == 0 || (c->at != s->at && c->at != W_FACES) || (c->rule && g->family != F_CELLS)) continue;
    if (c->rule) return fmt(g, "%s[L][%d]", s->name, k);
    if (c->at == s->at)
      return g->family == F_GRID ? fmt(g, "%s[%s][%d]", s->name, shifted_index(g, (int[3]){0}), k)
                                 : fmt(g, "%s[%c][%d]", s->name, s->at == W_NODES ? 'I' : 'c', k);
    if (c->pointwise) return NULL;
    s->across = c->deep = true;
    return fmt(g, "%s[%c][%d]", s->name, chance(g, 50) ? '@' : '#', k);
  }
  return NULL;
}

static const char *scalar_leaf(gen *g, ctx *c) {
  const char *text = NULL;
  int k = below(g, g->crowded ? 8 : 12);
  if (c->at == W_FN)
    return k < 8 && c->n_formals ? fmt(g, "%c", "abcd"[below(g, c->n_formals)]) : plain_leaf(g, c);
  if (k < 6) text = read_any(g, c, R_SCALAR);
  else if (k == 6) text = scalar_of_others(g, c);
  else if (k == 7 && c->at != W_GLOBAL) text = geometry(g, c);
  else if (k == 8) text = list_element(g, c);
  if (text && c->rule) hit(g, C_RULE_STATE);
  return text ? text : plain_leaf(g, c);
}

static const char *vector_leaf(gen *g, ctx *c) {
  const char *text = chance(g, 75) ? read_any(g, c, R_VECTOR) : NULL;
  if (text) return text;
  if (c->rule && g->n_vector_args > 0 && chance(g, 60)) return "b0";
  if (g->n_vector_params > 0 && chance(g, 50)) return "w0";
  bool plane = g->family == F_CELLS && g->dim == 2 && !g->letter_d && c->at != W_CELLS && c->at != W_FN;
  if (plane && chance(g, 30)) return hit(g, C_TANGENT), c->at == W_FACES && !c->rule ? "$tangent" : "tangent";
  if (g->family != F_GRID && (c->rule || c->at == W_FACE_OF_CELL)) return "normal";
  if (g->family != F_GRID && c->at == W_FACES) return "$normal";
  if (g->letter_d || c->at == W_FN) return "w0";
  if (g->dim == 1) return NULL;
  /* Numbers in brackets are a vector where one is expected. */
  return g->dim == 2 ? fmt(g, "(w0 + (%s, %s))", number(g), number(g))
                     : fmt(g, "(w0 + (%s, %s, %s))", number(g), number(g), number(g));
}

/* ---- reductions inside ----------------------------------------------------------------------------------------------------------- */

static const char *over_faces(gen *g, ctx *c, rank r, int depth) {
  bool to_d = chance(g, 35), extreme = r == R_SCALAR && chance(g, 25);
  ctx inner = {.at = W_FACE_OF_CELL, .to_d = to_d, .no_globals = true};
  const char *e = expr(g, &inner, r, depth - 1);
  c->deep = true;
  c->back = c->back || inner.back;
  if (to_d) hit(g, C_SUM_CELLS);
  if (extreme) {
    hit(g, C_EXTREME_FACES);
    return fmt(g, "(%s(f of c%s) (%s))", chance(g, 50) ? "min" : "max", to_d ? " to d" : "", e);
  }
  hit(g, C_SUM_FACES);
  return fmt(g, "(0.2*sum(f of c%s) %s(%s))", to_d ? " to d" : "", chance(g, 50) ? "area*" : "", e);
}

static const char *over_neighbours(gen *g, ctx *c, rank r, int depth) {
  static const char *const weights[] = {"Lap*", "", "trace(Ld)*"};
  ctx inner = {.at = W_NEIGHBOUR, .no_globals = true};
  const char *e = expr(g, &inner, r, depth - 1);
  c->deep = true;
  c->back = c->back || inner.back;
  if (r == R_SCALAR && chance(g, 20)) {
    hit(g, C_EXTREME_NODES);
    return fmt(g, "(%s(J near I) (%s))", chance(g, 50) ? "min" : "max", e);
  }
  hit(g, C_SUM_NODES);
  return fmt(g, "(0.1*sum(J near I) %s(%s))", weights[below(g, 3)], e);
}

static const char *over_range(gen *g, ctx *c) {
  for (int i = 0; i < g->n_syms; i++) {
    sym *s = &g->sym[below(g, g->n_syms)];
    if (s->rank != R_SCALAR || s->at > W_CORNERS || s->back) continue;
    int a = below(g, g->dim), low = -1 - below(g, 2), high = below(g, 2);
    c->deep = s->across = true;
    const char *index = "";
    for (int d = 0; d < g->dim; d++) index = fmt(g, "%s%s%c", index, d ? "," : "", d == a ? 'm' : "ijk"[d]);
    hit(g, C_RANGE);
    return high
               ? fmt(g, "(0.4*sum(m in %c%d..%c+%d) %s[%s])", "ijk"[a], low, "ijk"[a], high, s -> name, index)
               : fmt(g, "(0.4*sum(m in %c%d..%c) %s[%s])", "ijk"[a], low, "ijk"[a], s -> name, index);
  }
  return NULL;
}

static const char *slice(gen *g, ctx *c) {
  for (int i = 0; i < 8; i++) {
    sym *s = &g->sym[below(g, g->n_syms)];
    if (s->rank != R_SCALAR || s->at > W_CORNERS || s->back) continue;
    int a = below(g, g->dim);
    c->deep = s->across = true;
    const char *index = "";
    for (int d = 0; d < g->dim; d++)
      index = d == a ? fmt(g, "%s%s%c-2..%c+1", index, d ? "," : "", "ijk"[d], "ijk"[d])
                     : fmt(g, "%s%s%c", index, d ? "," : "", "ijk"[d]);
    hit(g, C_SLICE);
    return fmt(g, "third(%s[%s], %s)", s->name, index, number(g));
  }
  return NULL;
}

/* Across a point along one axis, or beside it along another one: cross derivatives of what other places have. */
static const char *difference(gen *g, ctx *c) {
  int shift[3] = {0};
  const int a = below(g, g->dim), beside = g->dim > 1 && chance(g, 50) ? (a + 1) % g->dim : a;
  for (int i = 0; i < 12; i++) {
    sym *s = &g->sym[below(g, g->n_syms)];
    if (s->rank != R_SCALAR || s->at > W_CORNERS || s->back || (s->state && i < 8)) continue;
    c->deep = s->across = true;
    if (beside != a) shift[beside] = chance(g, 50) ? 1 : -1;
    shift[a] = 1;
    const char *high = shifted_index(g, shift);
    shift[a] = -1;
    hit(g, C_DIFFERENCE);
    count_shift(g, shift);
    return fmt(g, "0.3*(%s[%s] - %s[%s])", s->name, high, s->name, shifted_index(g, shift));
  }
  return NULL;
}

static void read_in_operator(gen *g, const char *e) {
  for (int i = 0; i < g->n_syms; i++) /* whatever is in it is read beyond */
    if (strstr(e, g->sym[i].name)) g->sym[i].across = true;
}

static const char *call_operator(gen *g, ctx *c) {
  ctx inner = {.at = c->at, .pointwise = true, .no_globals = true, .no_index = true};
  const char *e = expr(g, &inner, R_SCALAR, 1);
  const char *second = g->n_ops > 1 && chance(g, 75) ? expr(g, &inner, R_SCALAR, 1) : NULL;
  read_in_operator(g, e);
  if (second) read_in_operator(g, second);
  c->deep = true;
  c->back = c->back || inner.back;
  hit(g, C_OPERATOR_CALL);
  if (!second) return fmt(g, "op0(%s)", e);
  hit(g, C_OPERATOR_TWO);
  return fmt(g, "op1(%s, %s)", e, second);
}

static const char *reduction(gen *g, ctx *c, rank r, int depth) {
  if (c->no_sums || c->pointwise || c->rule) return NULL;
  if (g->family == F_GRID && c->at <= W_CORNERS && r == R_SCALAR) {
    if (c->at == W_CELLS && g->n_ops > 0 && chance(g, 30)) return call_operator(g, c);
    if (g->differs && chance(g, 50)) return difference(g, c);
    return chance(g, 50) ? over_range(g, c) : slice(g, c);
  }
  if (c->at == W_CELLS && g->family == F_CELLS) {
    if (g->n_ops > 0 && r == R_VECTOR && chance(g, 50)) return call_operator(g, c);
    return over_faces(g, c, r, depth);
  }
  if (c->at == W_NODES && g->family == F_NODES) {
    if (g->n_ops > 0 && r == R_SCALAR && chance(g, 30)) return call_operator(g, c);
    return over_neighbours(g, c, r, depth);
  }
  return NULL;
}

/* ---- operators -------------------------------------------------------------------------------------------------------------------- */

/* A comparison with a quotient that has no value, 0/0, as b < 9: it is false. With t, as a division by a number 0 is refused. */
static const char *without_value(gen *g, ctx *c) {
  const char *a = expr(g, c, R_SCALAR, 0), *b = expr(g, c, R_SCALAR, 0);
  const char *none = fmt(g, "max(%s - 9 - t^2, 0)", b);
  hit(g, C_WITHOUT_VALUE);
  if (chance(g, 50)) return fmt(g, "0*(%s)/%s < 0.5", a, none);
  return fmt(g, "%s/%s > 0.5", none, none);
}

/* Of a mesh by name: a group of cells that files have, or that all meshes have; a side. NULL: not there. */
static const char *part_of_mesh(gen *g, ctx *c) {
  const char *group = g->dim == 2 ? "region(some)" : "region(all)", *side = chance(g, 50) ? "left" : "top";
  if (g->family != F_CELLS || c->at == W_FN || c->at == W_GLOBAL || !chance(g, 8)) return NULL;
  if (c->at == W_CELLS) return hit(g, C_REGION), group;
  if (c->at != W_FACES && c->at != W_FACE_OF_CELL) return NULL;
  if (chance(g, 50) && !c->no_index && (c->at == W_FACES || c->to_d)) {
    c->deep = true;
    hit(g, C_REGION);
    return fmt(g, "%s[%s]", group, c->at == W_FACE_OF_CELL ? "d" : c->rule ? "L" : chance(g, 50) ? "@" : "#");
  }
  return hit(g, C_PATCH), fmt(g, "patch(%s)", side);
}

const char *condition(gen *g, ctx *c, int depth) {
  const char *part = part_of_mesh(g, c);
  if (part) return part;
  if (g->family == F_NODES && c->at == W_NODES && !c->rule && chance(g, 10))
    return hit(g, C_IS_FIXED), "is_fixed(s0)";
  if (chance(g, 20) && c->at != W_FN && g->family != F_GRID) {
    const char *b = c->at == W_CELLS || c->at == W_NODES ? read_any(g, c, R_BOOL) : NULL;
    if (b) return b;
  }
  if (depth > 1 && chance(g, 25)) {
    hit(g, C_LOGIC);
    if (chance(g, 30)) return fmt(g, "not (%s)", condition(g, c, depth - 1));
    return fmt(g, "(%s) %s (%s)", condition(g, c, depth - 1), chance(g, 50) ? "and" : "or",
               condition(g, c, depth - 1));
  }
  if (depth > 0 && c->at != W_FN && chance(g, 5)) return without_value(g, c);
  return fmt(g, "%s %s %s + 0.03717", expr(g, c, R_SCALAR, depth - 1), chance(g, 50) ? ">" : "<",
             expr(g, c, R_SCALAR, depth - 2));
}

static const char *call_function(gen *g, ctx *c, int depth) {
  const char *a = expr(g, c, R_SCALAR, depth - 1), *b = expr(g, c, R_SCALAR, depth - 2);
  return fmt(g, "f%d(%s, %s)", below(g, g->n_fns), a, b);
}

static const char *unary(gen *g, ctx *c, int depth) {
  static const struct {
    const char *form;
    construct kind;
  } forms[] = {{"sin(%s)", C_TRANSCENDENTAL},
               {"cos(2*%s)", C_TRANSCENDENTAL},
               {"tanh(%s)", C_TRANSCENDENTAL},
               {"atan(%s)", C_TRANSCENDENTAL},
               {"exp(-(%s)^2)", C_TRANSCENDENTAL},
               {"sqrt(1 + (%s)^2)", C_ROOT},
               {"cbrt(2 + (%s)^2)", C_ROOT},
               {"log(2 + (%s)^2)", C_TRANSCENDENTAL},
               {"abs(%s)", C_EXTREME},
               {"clamp(%s, -0.8171, 0.9173)", C_EXTREME},
               {"1/(1 + (%s)^2)", C_DIVISION},
               {"(1.3 + (%s)^2)^(1/3)", C_POWER},
               {"atan2(%s, 1.317)", C_TRANSCENDENTAL},
               {"-(%s)", C_POWER},
               {"tan(0.9*tanh(%s))", C_TRANSCENDENTAL},
               {"asin(0.9*sin(%s))", C_TRANSCENDENTAL},
               {"acos(0.9*cos(%s))", C_TRANSCENDENTAL},
               {"sinh(tanh(%s))", C_TRANSCENDENTAL},
               {"cosh(tanh(%s))", C_TRANSCENDENTAL},
               {"sign(%s + 0.03717)", C_SIGN},
               {"0.3*floor(3*tanh(%s) + 0.03717)", C_SIGN},
               {"max(0.0317, %s, -0.5)", C_EXTREME},
               {"table(%s, (-0.3137, 0.1), (0.2171, 0.4), (1.113, 0.2))", C_TABLE},
               {"table(%s, (-0.4127, 0.3), (tx, ty), (1.213, 0.1))", C_TABLE_PARAMETER},
               {"minmod(%s)", C_EXTREME}}; /* the last: of the import */
  int k = below(g, (int)(sizeof forms / sizeof *forms) - !g->imports);
  if (forms[k].kind == C_TABLE_PARAMETER && (!g->tabled || g->n_syms == 0))
    k--; /* not in what is declared before */
  hit(g, forms[k].kind);
  const char *e = expr(g, c, R_SCALAR, depth - 1), *hole = strstr(forms[k].form, "%s");
  return fmt(g, "%.*s%s%s", (int)(hole - forms[k].form), forms[k].form, e, hole + 2);
}

static const char *choose(gen *g, ctx *c, rank r, int depth) {
  hit(g, C_IF);
  if (g->n_variants > 0 && chance(g, 25))
    return fmt(g, "(if way == %s then %s else %s)", chance(g, 50) ? "one" : "two", expr(g, c, r, depth - 1),
               expr(g, c, r, depth - 1));
  return fmt(g, "(if %s then %s else %s)", condition(g, c, depth - 1), expr(g, c, r, depth - 1),
             expr(g, c, r, depth - 2));
}

static const char *scalar(gen *g, ctx *c, int depth) {
  const char *inner = depth >= 1 && chance(g, 22) ? reduction(g, c, R_SCALAR, depth) : NULL;
  if (inner) return inner;
  if (depth <= 0) return scalar_leaf(g, c);
  const char *a = expr(g, c, R_SCALAR, depth - 1), *b;
  switch (below(g, 10)) {
  case 0:
  case 1: return fmt(g, "0.6*(%s %s %s)", a, chance(g, 50) ? "+" : "-", expr(g, c, R_SCALAR, depth - 1));
  case 2: b = expr(g, c, R_SCALAR, depth - 1); return fmt(g, "%s*%s", a, b[0] == '-' ? fmt(g, "(%s)", b) : b);
  case 3:
    hit(g, C_DIVISION);
    b = expr(g, c, R_SCALAR, depth - 2);
    return fmt(g, "%s/(1 + (%s)^2)", a, b);
  case 4:
    hit(g, C_EXTREME);
    return fmt(g, "%s(%s, %s)", chance(g, 50) ? "min" : "max", a, expr(g, c, R_SCALAR, depth - 2));
  case 5: return choose(g, c, R_SCALAR, depth);
  case 6: return g->n_fns > 0 ? call_function(g, c, depth) : unary(g, c, depth);
  case 7: hit(g, C_POWER); return fmt(g, "(%s)^%d", a, 2 + below(g, 2));
  default: return unary(g, c, depth);
  }
}

static const char *vector(gen *g, ctx *c, int depth) {
  const char *inner = depth >= 1 && chance(g, 22) ? reduction(g, c, R_VECTOR, depth) : NULL;
  if (inner) return inner;
  if (depth <= 0) return vector_leaf(g, c);
  const char *a = expr(g, c, R_VECTOR, depth - 1), *k;
  switch (below(g, 5)) {
  case 0: return fmt(g, "0.6*(%s %s %s)", a, chance(g, 50) ? "+" : "-", expr(g, c, R_VECTOR, depth - 1));
  case 1: return choose(g, c, R_VECTOR, depth);
  case 2:
    k = read_any(g, c, R_TENSOR);
    if (k) return hit(g, C_TENSORS), fmt(g, "0.5*%s*%s", k, a);
    return a;
  case 3:
    hit(g, C_TENSORS);
    if (g->dim == 3 && !g->letter_d && chance(g, 40)) return hit(g, C_CROSS), fmt(g, "cross(%s, w0)", a);
    return fmt(g, "%s/(1 + dot(%s, %s))", a, a, a);
  default: return fmt(g, "%s*%s", expr(g, c, R_SCALAR, depth - 1), a);
  }
}

static const char *tensor(gen *g, ctx *c, int depth) {
  const char *leaf = read_any(g, c, R_TENSOR);
  hit(g, C_TENSORS);
  if (depth <= 0 || chance(g, 30)) return leaf ? leaf : "0.4*identity";
  switch (below(g, 4)) {
  case 0: return fmt(g, "transpose(%s)", tensor(g, c, depth - 1));
  case 1: return fmt(g, "(%s + %s)/2", tensor(g, c, depth - 1), tensor(g, c, depth - 1));
  case 2: return fmt(g, "%s*identity", expr(g, c, R_SCALAR, depth - 1));
  default: return fmt(g, "outer(%s, %s)/3", expr(g, c, R_VECTOR, depth - 1), expr(g, c, R_VECTOR, depth - 1));
  }
}

const char *expr(gen *g, ctx *c, rank r, int depth) {
  if (r == R_SCALAR) return scalar(g, c, depth);
  if (r == R_VECTOR) return g->dim == 1 ? "0" : vector(g, c, depth);
  if (r == R_TENSOR) return tensor(g, c, depth);
  return condition(g, c, depth);
}
