/* Indices: which points of the mesh or grid an expression can speak of, the rule of the bare name, built-in quantities, and
 * the reads that come of it. */
#include <math.h>
#include <string.h>

#include "sema/internal.h"

/* ---- anchors ------------------------------------------------------------------------------------------------- */

static void push(anchor *out, int *n, ir_place place, ir_at at, const char *letter) {
  out[(*n)++] = (anchor){place, at, letter};
}

/* The indices in scope, in the order people list them. On grids a context has one: its own point. */
int anchors_of(const context *c, anchor out[6]) {
  int n = 0;
  if (c->anchored) {
    push(out, &n, c->anchor_place, c->anchor, NULL);
    return n;
  }
  switch (c->place) {
  case IR_CELLS:
    push(out, &n, IR_CELLS, IR_AT_HERE, c->self ? c->self : "c");
    if (c->loop && c->binder == IR_OVER_FACES) {
      push(out, &n, IR_FACES, IR_AT_F, c->loop_var);
      if (c->loop_other) push(out, &n, IR_CELLS, IR_AT_D, c->loop_other);
    }
    break;
  case IR_FACES:
    push(out, &n, IR_FACES, IR_AT_HERE, c->self ? c->self : "f");
    push(out, &n, IR_CELLS, IR_AT_L, "L");
    if (!c->rule) push(out, &n, IR_CELLS, IR_AT_R, "R");
    break;
  case IR_NODES:
    push(out, &n, IR_NODES, IR_AT_HERE, c->self ? c->self : "I");
    if (c->loop && c->binder == IR_OVER_NEAR) {
      push(out, &n, IR_NODES, IR_AT_J, c->loop_var);
      push(out, &n, IR_EDGES, IR_AT_E, NULL);
    }
    break;
  case IR_EDGES:
    push(out, &n, IR_EDGES, IR_AT_HERE, NULL);
    push(out, &n, IR_NODES, IR_AT_I, "I");
    push(out, &n, IR_NODES, IR_AT_J, "J");
    break;
  case IR_NOWHERE: break;
  default: push(out, &n, c->place, IR_AT_HERE, NULL);
  }
  return n;
}

const char *scope_text(sema *s, const context *c) {
  anchor a[6];
  int n = anchors_of(c, a);
  const char *text = "";
  for (int i = 0; i < n; i++)
    if (a[i].letter)
      text = arena_printf(s->memory, "%s%s`%s` (%s)", text, *text ? ", " : "", a[i].letter,
                          ir_place_text(a[i].place));
  return *text ? text : "none";
}

/* ---- meshes: letters -------------------------------------------------------------------------------------------- */

static bool index_edge(const context *c, const ast_expr *index, chosen_index *out) {
  if (index->n != 3 || index->arg[1]->kind != AST_NAME || index->arg[2]->kind != AST_NAME) return false;
  const char *first = index->arg[1]->text, *second = index->arg[2]->text;
  bool near = c->place == IR_NODES && c->loop && c->binder == IR_OVER_NEAR;
  const char *other = near ? c->loop_var : "J";
  if ((!near && c->place != IR_EDGES) || strcmp(first, c->self ? c->self : "I") != 0 ||
      strcmp(second, other) != 0)
    return false;
  *out = (chosen_index){.place = IR_EDGES, .at = near ? IR_AT_E : IR_AT_HERE};
  return true;
}

static bool index_written(sema *s, const context *c, name what, uint32_t places, const ast_expr *index,
                          chosen_index *out) {
  if (places & 1u << IR_EDGES && index_edge(c, index, out)) return true;
  anchor a[6];
  int n = anchors_of(c, a);
  if (c->anchored) {
    diag *d =
        complain(s, DIAG_INDEX_BRACKETS, index->at,
                 "what stands inside mean, jump or an operator's argument is a field: it takes no index");
    diag_with_hint(s->sink, d, "write the name alone");
    return false;
  }
  if (index->n != 2 || index->arg[1]->kind != AST_NAME) {
    diag *d = complain(s, DIAG_INDEX_BRACKETS, index->at, "on a mesh an index is one letter; in scope are %s",
                       scope_text(s, c));
    if (n > 0 && a[0].letter && index->n == 2 && index->arg[1]->kind == AST_NUMBER)
      diag_with_hint(s->sink, d, "an element of a real[n] stands behind the point: %s[%s][%g]", what,
                     a[0].letter, index->arg[1]->number);
    return false;
  }
  const ast_expr *letter = index->arg[1];
  for (int i = 0; i < n; i++) {
    if (!a[i].letter || strcmp(a[i].letter, letter->text) != 0) continue;
    if (places >> a[i].place & 1) {
      *out = (chosen_index){.place = a[i].place, .at = a[i].at};
      return true;
    }
    diag *d =
        complain(s, DIAG_WRONG_PLACE, index->at, "`%s` lives at %s, but `%s` is one of the %s", what,
                 ir_place_text((ir_place)lowest_place(places)), letter->text, ir_place_text(a[i].place));
    diag_with_hint(s->sink, d, "indices in scope: %s", scope_text(s, c));
    return false;
  }
  const entity *named = find_entity(s, letter->text);
  diag *d = complain(s, DIAG_UNKNOWN_INDEX, letter->at, "`%s` is not an index here", letter->text);
  if (c->rule && strcmp(letter->text, "R") == 0)
    diag_with_hint(s->sink, d,
                   "a boundary rule speaks of [L], the cell inside; beyond the boundary is what it defines");
  else if (named && named->kind == ENTITY_PARAMETER)
    diag_with_hint(s->sink, d, "an element of a real[n] is chosen by a number, as in %s[2], never by a parameter",
                   what);
  else diag_with_hint(s->sink, d, "indices in scope: %s", scope_text(s, c));
  return false;
}

static bool index_bare(sema *s, const context *c, name what, uint32_t places, span at, chosen_index *out) {
  anchor a[6], fit[6];
  int n = anchors_of(c, a), n_fit = 0;
  for (int i = 0; i < n; i++)
    if (places >> a[i].place & 1) fit[n_fit++] = a[i];
  /* `centre` at faces is the face's own, though cells have one too */
  if (n_fit > 1 && !c->loop && fit[0].at == IR_AT_HERE) n_fit = 1;
  if (n_fit == 1) {
    *out = (chosen_index){.place = fit[0].place, .at = fit[0].at};
    return true;
  }
  if (n_fit == 0) {
    report_no_index(s, c, what, (ir_place)lowest_place(places), at);
    return false;
  }
  const char *list = "";
  for (int i = 0; i < n_fit; i++)
    list = arena_printf(s->memory, "%s%s%s[%s]", list, i ? i + 1 == n_fit ? " or " : ", " : "", what,
                        fit[i].letter ? fit[i].letter : "I,J");
  diag *d = complain(s, DIAG_AMBIGUOUS_NAME, at, "which `%s`? Write %s", what, list);
  if (strncmp(what, "region(", 7) == 0)
    diag_with_hint(s->sink, d, "where such a part ends the two differ: %s[L] != %s[R]", what, what);
  else if (c->place == IR_FACES || c->place == IR_EDGES || c->loop)
    diag_with_hint(s->sink, d, "mean(%s) is the mean of both, jump(%s) their difference", what, what);
  return false;
}

bool choose_index(sema *s, const context *c, const index_request *r, chosen_index *out) {
  *out = (chosen_index){0};
  if (s->module->on_grid) return index_on_grid(s, c, r, out);
  return r->index ? index_written(s, c, r->what, r->places, r->index, out)
                  : index_bare(s, c, r->what, r->places, r->at, out);
}

/* ---- reading ---------------------------------------------------------------------------------------------------- */

static value read_sided(sema *s, ir_sym sym, value_type t, ir_level level, span at) {
  ir_symbol *q = ir_symbol_get(s->module, sym);
  if (q->kind == IR_GEOMETRY || q->kind == IR_STATE) {
    ir_id raw = ir_read(s->module, sym, level, IR_AT_F, NULL);
    if (q->side == IR_EVEN) return (value){.id = raw, .type = t, .at = at};
    ir_id sign = ir_make(s->module, IR_SIGN_OUT, ir_scalar(), 0, NULL);
    return (value){.id = ir_binary(s->module, IR_MUL, sign, raw), .type = t, .at = at};
  }
  if (q->side == IR_SIDED && !q->is_fluctuation && !q->is_flux) {
    diag *d = complain(s, DIAG_SIDED, at,
                       "a cell cannot use `%s` in a sum over its faces: it changes when L and R "
                       "are exchanged",
                       q->text);
    diag_with_span(s->sink, d, q->at, "`%s` is defined here; which cell is L is up to the mesh", q->text);
    diag_with_hint(s->sink, d, "declare it as a flux, or say what each side gets: to L = ... to R = ...");
    return bad_value(at);
  }
  bool outward = q->is_flux || q->is_fluctuation || q->side == IR_ODD;
  if (q->evidence == IR_SAMPLED && !q->is_flux &&
      !q->is_fluctuation) /* those were told of where they are declared */
    warn_sampled(s, q->at,
                 arena_printf(s->memory,
                              "`%s`, which cells sum over their faces, %s when L and R are exchanged",
                              q->text, outward ? "changes its sign" : "stays the same"),
                 -1, NULL);
  return (value){
      .id = ir_read(s->module, sym, level, outward ? IR_AT_OUT : IR_AT_F, NULL), .type = t, .at = at};
}

/* At a face itself there are two parts, and none is the face's. */
static value report_two_parts(sema *s, const ir_symbol *q, span at) {
  diag *d = complain(s, DIAG_SIDED, at,
                     "`%s` gives each of a face's cells a part of its own: only cells read it, "
                     "in sums over their faces",
                     q->text);
  diag_with_span(s->sink, d, q->at, "`%s` is defined here, by to L and to R", q->text);
  diag_with_hint(
      s->sink, d,
      "what cells receive is  received @ cells = sum(f of c) area*%s ; of a part of the "
      "boundary  sum(f of c) (if patch(NAME) then area*%s else 0) , which a global sums over cells",
      q->text, q->text);
  return bad_value(at);
}

static bool rules_act_on(const sema *s, name text) {
  for (int i = 0; i < s->scheme->n_decls; i++)
    for (int k = 0; k < s->scheme->decls[i]->part.boundary.n_rules; k++)
      if (s->scheme->decls[i]->part.boundary.rules[k].target.text == text) return true;
  return false;
}

/* In what another fluctuation brings to L or to R stands the same side's part, as its formula: no rule may say otherwise. */
static bool is_same_part(const sema *s, const context *c, const entity *e, ir_level level,
                         const chosen_index *k) {
  return (c->to_l || c->to_r) && k->at == IR_AT_HERE && level == IR_NOW &&
         ir_symbol_get(s->module, e->sym)->is_fluctuation && !rules_act_on(s, e->text);
}

static value read_symbol(sema *s, ir_sym sym, value_type t, ir_level level, const chosen_index *k, span at) {
  if (k->at == IR_AT_F) return read_sided(s, sym, t, level, at);
  const ir_symbol *q = ir_symbol_get(s->module, sym);
  if (q->is_fluctuation && k->at == IR_AT_HERE) return report_two_parts(s, q, at);
  return (value){.id = ir_read(s->module, sym, level, k->at, k->off), .type = t, .at = at};
}

value read_entity(sema *s, const context *c, entity *e, ir_level level, const ast_expr *index, span at) {
  if (!ensure(s, e, at)) return bad_value(at);
  e->used = true;
  if (e->place == IR_NOWHERE) {
    const value whole = {.id = ir_param(s->module, e->sym), .type = e->type, .at = at};
    if (index && e->type.rank == IR_LIST) return lower_element(s, whole, index);
    if (index) {
      diag *d = complain(s, DIAG_INDEX_BRACKETS, index->at, "`%s` is one value: it takes no index", e->text);
      if (e->kind == ENTITY_STATE)
        diag_with_span(s->sink, d, e->at, "it is declared without a place, as in `@ cells`");
      return bad_value(at);
    }
    return whole;
  }
  if (c->in_function) {
    diag *d = complain(s, DIAG_WRONG_PLACE, at,
                       "a function sees only its arguments and parameters, not the field "
                       "`%s`",
                       e->text);
    diag_with_hint(s->sink, d, "pass it as an argument");
    return bad_value(at);
  }
  if (!e->sym) {
    diag *d = complain(s, DIAG_UNKNOWN_MEMBER, at, "`%s` is a block without a value of its own", e->text);
    diag_with_hint(s->sink, d, "read one of its results, as in %s.name", e->text);
    return bad_value(at);
  }
  const index_request r = {e->text, 1u << e->place, index, at};
  chosen_index k;
  if (!choose_index(s, c, &r, &k)) return bad_value(at);
  if (is_same_part(s, c, e, level, &k))
    return (value){
        .id = ir_symbol_get(s->module, e->sym)->root[c->to_l ? IR_TO_L : IR_TO_R], .type = e->type, .at = at};
  if (!e->zero) return read_symbol(s, e->sym, e->type, level, &k, at);
  value zero = adapt(s, number_value(s, 0, at), e->type);
  if (e->type.rank != IR_TUPLE_RANK)
    zero.type.unit = units_unknown(s->unit.units); /* of another unit each time */
  return zero;
}

/* ---- built-in quantities -------------------------------------------------------------------------------------------- */

typedef struct builtin {
  const char *text;
  ir_place place;
  bool vector, odd;
  int metres, metres_per_dim; /* unit m^(metres + metres_per_dim*D) */
} builtin;

static const builtin builtins[] = {
    {"volume", IR_CELLS, false, false, 0, 1}, {"centre", IR_CELLS, true, false, 1, 0},
    {"size", IR_CELLS, false, false, 1, 0},   {"area", IR_FACES, false, false, -1, 1},
    {"normal", IR_FACES, true, true, 0, 0},   {"tangent", IR_FACES, true, true, 0, 0},
    {"centre", IR_FACES, true, false, 1, 0},  {"distance", IR_FACES, false, false, 1, 0},
    {"centre", IR_NODES, true, false, 1, 0},  {"normal", IR_NODES, true, false, 0, 0},
    {"area", IR_NODES, false, false, -1, 1},  {"dx", IR_XLINE, false, false, 1, 0},
    {"dy", IR_YLINE, false, false, 1, 0},     {"dz", IR_ZLINE, false, false, 1, 0},
    {"xc", IR_XLINE, false, false, 1, 0},     {"yc", IR_YLINE, false, false, 1, 0},
    {"zc", IR_ZLINE, false, false, 1, 0},
};
enum { N_BUILTINS = sizeof builtins / sizeof *builtins };

static const char *const all_names[] = {
    "volume",   "centre", "size",   "area",   "normal",   "tangent",  "distance", "dx",    "dy",
    "dz",       "xc",     "yc",     "zc",     "t",        "dt",       "pi",       "tiny",  "inf",
    "identity", "mean",   "jump",   "clamp",  "is_fixed", "integral", "cells",    "faces", "nodes",
    "edges",    "xfaces", "yfaces", "zfaces", "corners",  "xedges",   "yedges",   "zedges"};

const char *const *builtin_names(int *n) {
  *n = (int)(sizeof all_names / sizeof *all_names);
  return all_names;
}

bool is_builtin_name(name text) {
  for (size_t i = 0; i < sizeof all_names / sizeof *all_names; i++)
    if (strcmp(all_names[i], text) == 0) return true;
  ir_op op;
  return ir_op_find_function(text, &op);
}

void warn_hiding(sema *s, name text, span at) {
  static const char *const everywhere[] = {"t", "dt", "pi", "tiny", "inf", "identity"};
  bool hides = false;
  for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
    hides = hides || strcmp(everywhere[i], text) == 0;
  for (int i = 0; i < N_BUILTINS; i++)
    hides = hides ||
            (strcmp(builtins[i].text, text) == 0 && (builtins[i].place >= IR_XLINE) == s->module->on_grid);
  if (!hides || s->options->quiet) return;
  diag *d = complain(s, DIAG_SHADOWED, at, "`%s` hides the built-in `%s` from here on", text, text);
  diag_with_hint(s->sink, d, "choose another name, for example `%s_`", text);
}

static const builtin *find_builtin(name text, ir_place place) {
  for (int i = 0; i < N_BUILTINS; i++)
    if (builtins[i].place == place && strcmp(builtins[i].text, text) == 0) return &builtins[i];
  return NULL;
}

static ir_sym builtin_symbol(sema *s, const builtin *b, const char *text, value_type t) {
  name key = intern_str(s->names, arena_printf(s->memory, "%s@%s", text, ir_place_text(b->place)));
  entity *e = name_map_get(s->table.builtins, key);
  if (e) return e->sym;
  e = arena_new(s->memory, entity);
  ir_symbol sym = {.text = intern_str(s->names, text),
                   .kind = IR_GEOMETRY,
                   .place = b->place,
                   .type = ir_type_of(t),
                   .dims = s->dims,
                   .side = b->odd ? IR_ODD : IR_EVEN,
                   .evidence = IR_PROVED};
  e->sym = ir_symbol_add(s->module, sym);
  name_map_put(s->table.builtins, key, e);
  return e->sym;
}

ir_sym place_mask(sema *s, const char *set, ir_symbol mask) {
  const builtin b = {.place = mask.place};
  ir_sym sym = builtin_symbol(s, &b, set, type_scalar(NULL));
  ir_symbol *q = ir_symbol_get(s->module, sym);
  q->purpose.role = mask.purpose.role, q->purpose.of = mask.purpose.of, q->rule = mask.rule;
  return sym;
}

static const unit *metres(sema *s, int power) {
  const unit *m = NULL;
  units_named(s->unit.units, "m", &m);
  return units_power(s->unit.units, m, power, 1);
}

/* tangent = (-normal.y, normal.x), never stored. */
static value rotate(sema *s, value n) {
  value x = apply_component(s, n, intern_str(s->names, "x"), n.at),
        y = apply_component(s, n, intern_str(s->names, "y"), n.at);
  ir_id parts[2] = {ir_unary(s->module, IR_NEG, y.id), x.id};
  n.id = ir_make(s->module, IR_TUPLE, ir_type_of(n.type), 2, parts);
  return n;
}

static value read_placed(sema *s, const context *c, name text, uint32_t places, const ast_expr *index,
                         span at) {
  if (c->in_function) {
    complain(s, DIAG_WRONG_PLACE, at, "a function sees only its arguments and parameters, not `%s`", text);
    return bad_value(at);
  }
  bool tangent = strcmp(text, "tangent") == 0;
  if (tangent && s->dims != 2) {
    complain(s, DIAG_WRONG_PLACE, at, "`tangent` exists in 2D only: in 3D a face has no single tangent");
    return bad_value(at);
  }
  chosen_index k = {.place = (ir_place)lowest_place(places)};
  if (k.place >= IR_XLINE && (int)(k.place - IR_XLINE) >= s->dims) {
    complain(s, DIAG_WRONG_PLACE, at, "a grid in %dD has no `%s`", s->dims, text);
    return bad_value(at);
  }
  const index_request r = {text, places, index, at};
  if (!choose_index(s, c, &r, &k)) return bad_value(at);
  const builtin *b = find_builtin(text, k.place);
  if (k.place == IR_NODES && strcmp(text, "centre") != 0 && !c->rule) {
    diag *d = complain(s, DIAG_WRONG_PLACE, at, "nodes have `%s` in boundary rules only", text);
    diag_with_hint(s->sink, d, "say what it does there in a rule:  boundary wall { add rate = ... }");
    return bad_value(at);
  }
  if (k.place == IR_NODES && strcmp(text, "centre") != 0 && k.at != IR_AT_HERE) {
    diag *d = complain(s, DIAG_WRONG_PLACE, at, "`%s` is that of the rule's own node: neighbours may have none", text);
    diag_with_hint(s->sink, d, "in a sum over neighbours say `%s[I]`", text);
    return bad_value(at);
  }
  const unit *u = metres(s, b->metres + b->metres_per_dim * s->dims);
  value_type t = b->vector ? type_of(IR_VECTOR, s->dims, u) : type_scalar(u);
  ir_sym sym = builtin_symbol(s, b, tangent ? "normal" : text, t);
  value v = read_symbol(s, sym, t, IR_NOW, &k, at);
  return tangent && !v.bad ? rotate(s, v) : v;
}

/* On a grid only a sum over a rule's faces knows which way is out. */
static value grid_normal(sema *s, const context *c, const ast_expr *index, span at) {
  if (index) {
    complain(s, DIAG_INDEX_BRACKETS, index->at,
             "`normal` is that of the face summed over: it takes no index");
    return bad_value(at);
  }
  if (c->in_function) {
    complain(s, DIAG_WRONG_PLACE, at, "a function sees only its arguments and parameters, not `normal`");
    return bad_value(at);
  }
  if (c->outward == 0) {
    diag *d =
        complain(s, DIAG_WRONG_PLACE, at, "on a grid there is a `normal` only in sums over a rule's faces");
    diag_with_hint(s->sink, d,
                   c->rule
                       ? "what differs between low and high sides is an argument of the rule: (side), 1 or -1"
                       : "for example  push = sum(f in xfaces(wall)) ... *normal.x");
    return bad_value(at);
  }
  ir_id part[3];
  for (int d = 0; d < s->dims; d++)
    part[d] = d == (int)c->place - IR_XFACES ? c->outward : ir_const(s->module, 0);
  value_type t = type_of(IR_VECTOR, s->dims, NULL);
  return (value){.id = ir_make(s->module, IR_TUPLE, ir_type_of(t), s->dims, part), .type = t, .at = at};
}

static value time_value(sema *s, span at) {
  name key = intern_str(s->names, "t");
  entity *e = name_map_get(s->table.builtins, key);
  const unit *second = NULL;
  units_named(s->unit.units, "s", &second);
  if (!e) {
    e = arena_new(s->memory, entity);
    e->sym = ir_symbol_add(s->module,
                           (ir_symbol){.text = key, .kind = IR_TIME, .type = ir_scalar(), .dims = s->dims});
    name_map_put(s->table.builtins, key, e);
  }
  return scalar_value(s, ir_param(s->module, e->sym), second, at);
}

static bool read_constant(sema *s, name text, span at, value *v) {
  static const struct {
    const char *text;
    double value;
    bool any_unit;
  } constants[] = {
      {"pi", 3.14159265358979323846, false}, {"tiny", 1e-30, true}, {"inf", __builtin_inf(), true}};
  for (int i = 0; i < 3; i++)
    if (strcmp(text, constants[i].text) == 0) {
      *v = number_value(s, constants[i].value, at);
      if (constants[i].any_unit) v->type.unit = units_unknown(s->unit.units);
      return true;
    }
  if (s->scheme->dim_letter && text == s->scheme->dim_letter) {
    *v = number_value(s, s->dims, at);
    return true;
  }
  if (strcmp(text, "identity") == 0) {
    value_type t = type_of(IR_TENSOR, s->dims * s->dims, NULL);
    *v = (value){.id = ir_make(s->module, IR_IDENTITY, ir_type_of(t), 0, NULL), .type = t, .at = at};
    return true;
  }
  if (strcmp(text, "t") == 0) {
    *v = time_value(s, at);
    return true;
  }
  return false;
}

value read_builtin(sema *s, const context *c, name text, const ast_expr *index, span at, bool *is_builtin) {
  value v;
  *is_builtin = true;
  if (read_constant(s, text, at, &v)) {
    if (!index) return v;
    complain(s, DIAG_INDEX_BRACKETS, index->at, "`%s` is one value: it takes no index", text);
    return bad_value(at);
  }
  uint32_t places = 0;
  for (int i = 0; i < N_BUILTINS; i++) {
    bool line = builtins[i].place >= IR_XLINE;
    if (strcmp(builtins[i].text, text) == 0 && line == s->module->on_grid) places |= 1u << builtins[i].place;
  }
  if (places) return read_placed(s, c, text, places, index, at);
  if (s->module->on_grid && strcmp(text, "normal") == 0) return grid_normal(s, c, index, at);
  *is_builtin = false;
  return bad_value(at);
}
