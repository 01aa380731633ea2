/* Expressions: names with their parts and indices, operators, local bindings. */
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "sema/internal.h"

enum { MAX_PARTS = 12, MAX_DEPTH = 800 };
static const long MAX_VISITS = 2000000;

/* ---- local names -------------------------------------------------------------------------------------------- */

const binding *bind_value(sema *s, const binding *env, name text, value v) {
  binding *b = arena_new(s->memory, binding);
  *b = (binding){.text = text, .kind = BIND_VALUE, .value = v, .next = env};
  return b;
}

static const binding *bind_parts(sema *s, const binding *env, const ast_binding *b, value v) {
  if (!v.bad && (v.type.rank != IR_TUPLE_RANK || v.type.n_parts != b->n_names)) {
    complain(s, DIAG_TUPLE_SHAPE, b->at, "%d names on the left, but the right side is a %s", b->n_names,
             type_text(s, v.type));
    v = bad_value(v.at);
  }
  for (int i = 0, first = 0; i < b->n_names; i++) {
    value part = bad_value(v.at);
    if (!v.bad) {
      value_type t = v.type.part[i];
      part = (value){.id = ir_part(s->module, v.id, first, ir_type_of(t)), .type = t, .at = v.at};
      first += t.n;
      ir_name(s->module, part.id, b->names[i], b->tag, b->names_at[i]);
    }
    env = bind_value(s, env, b->names[i], part);
  }
  return env;
}

/* `let u : vector [m/s] = ...`: what is said of the name is checked, and `(a, b)` is a vector where one is said. */
static value as_declared(sema *s, const ast_binding *b, value v) {
  if (v.bad || (!b->type && !b->unit)) return v;
  refuse_whole(s, b->names[0], b->type);
  if (is_unit_of_condition(s, v, b->unit, b->names[0])) return bad_value(v.at);
  value_type t = b->type ? declared_type(s, b->type, lower_unit(s, b->unit)) : v.type;
  if (!b->type) t.unit = lower_unit(s, b->unit);
  v = adapt(s, v, t);
  if (!require_fits(s, v, t, b->names_at[0], arena_printf(s->memory, "`%s`", b->names[0])))
    return bad_value(v.at);
  v.type = t;
  return v;
}

const binding *bind_all(sema *s, const context *c, const ast_binding *b, int n) {
  context inner = *c;
  for (int i = 0; i < n; i++) {
    inner.later = b + i + 1;
    inner.n_later = n - i - 1;
    value v = as_declared(s, &b[i], lower_expr(s, &inner, b[i].value));
    for (int k = 0; k < b[i].n_names; k++) warn_hiding(s, b[i].names[k], b[i].names_at[k]);
    if (b[i].n_names > 1) {
      inner.env = bind_parts(s, inner.env, &b[i], v);
      continue;
    }
    if (!v.bad) ir_name(s->module, v.id, b[i].names[0], b[i].tag, b[i].at);
    inner.env = bind_value(s, inner.env, b[i].names[0], v);
  }
  return inner.env;
}

value lower_body(sema *s, const context *c, const ast_body *b) {
  context inner = *c;
  inner.env = bind_all(s, c, b->where, b->n_where);
  return lower_expr(s, &inner, b->expr);
}

static const binding *find_binding(const context *c, name text) {
  for (const binding *b = c->env; b; b = b->next)
    if (b->text == text) return b;
  return NULL;
}

/* ---- fields as arguments ---------------------------------------------------------------------------------------- */

static value lower_index(sema *s, const context *c, const ast_expr *e);

/* On a grid: the field with the index behind it. Index variables of the equation are known to the field by other names: its own may be called
 * the same. */
static value read_indexed_field(sema *s, const context *c, const binding *field, const ast_expr *index) {
  static const char *const letters[] = {"\1i", "\1j", "\1k"};
  enum { MOST = 3 };
  binding known[MOST];
  ast_expr letter[MOST], *args[1 + MOST] = {(ast_expr *)field->field}, e = *index;
  context inner = *c;
  inner.env = NULL;
  inner.argument = field->text;
  e.n = index->n < 1 + MOST ? index->n : 1 + MOST;
  for (int k = 0; k + 1 < e.n; k++) {
    binding *b = &known[k];
    *b = (binding){.text = intern_str(s->names, letters[k]), .kind = BIND_INDEX, .next = inner.env};
    if (index->arg[1 + k]->kind == AST_RANGE) return lower_slice(s, c, index);
    if (!lower_offset(s, c, index->arg[1 + k], &b->axis, &b->offset)) return bad_value(index->at);
    letter[k] = (ast_expr){.kind = AST_NAME, .at = index->arg[1 + k]->at, .text = b->text};
    args[1 + k] = &letter[k];
    inner.env = b;
  }
  e.arg = args;
  return lower_index(s, &inner, &e);
}

/* The argument of a parametric equation, at the index where the equation reads it. */
static value read_field_argument(sema *s, const context *c, const binding *b, const ast_expr *index,
                                 span at) {
  context inner = *c;
  inner.env = NULL;
  inner.argument = b->text;
  if (index && s->module->on_grid) return read_indexed_field(s, c, b, index);
  if (index) {
    anchor a[6];
    int n = anchors_of(c, a), found = -1;
    for (int i = 0; i < n && index->n == 2 && index->arg[1]->kind == AST_NAME; i++)
      if (a[i].letter && strcmp(a[i].letter, index->arg[1]->text) == 0) found = i;
    if (found < 0) {
      diag *d = complain(s, DIAG_UNKNOWN_INDEX, index->at, "this is not an index here");
      diag_with_hint(s->sink, d, "indices in scope: %s", scope_text(s, c));
      return bad_value(at);
    }
    inner.anchored = true;
    inner.anchor = a[found].at;
    inner.anchor_place = a[found].place;
  }
  return lower_expr(s, &inner, b->field);
}

/* ---- names with parts ----------------------------------------------------------------------------------------------- */

typedef struct chain { /* a.b.c */
  int n;
  name part[MAX_PARTS];
  span at[MAX_PARTS];
  span whole; /* with what stands behind, as an index */
} chain;

static bool flatten(const ast_expr *e, chain *out) {
  if (e->kind == AST_NAME) {
    out->n = 1;
    out->part[0] = e->text;
    out->at[0] = e->at;
    return true;
  }
  if (e->kind != AST_MEMBER || !flatten(e->arg[0], out) || out->n == MAX_PARTS) return false;
  out->part[out->n] = e->text;
  out->at[out->n++] = e->text_at;
  return true;
}

static name join(sema *s, const chain *c, int n) {
  const char *text = c->part[0];
  for (int i = 1; i < n; i++) text = arena_printf(s->memory, "%s.%s", text, c->part[i]);
  return n == 1 ? c->part[0] : intern_str(s->names, text);
}

/* X.prev of an X that itself reads the start of the step has no meaning. */
static bool looks_back_already(sema *s, entity *e, span at) {
  if (!ensure(s, e, at) || !e->sym || !looks_back(s, e->sym)) return false;
  diag *d =
      complain(s, DIAG_LEVEL, at, "`%s` itself looks back to the start of the step: `%s.prev` has no meaning",
               e->text, e->text);
  diag_with_span(s->sink, d, e->at, "`%s` reads a `.prev`, directly or through other equations", e->text);
  return true;
}

/* Of a state of one value only the newest is kept. */
static bool report_level_of_one(sema *s, const entity *e, span at) {
  diag *d = complain(s, DIAG_LEVEL, at, "`%s` is one value, of which only the newest is kept", e->text);
  diag_with_hint(s->sink, d,
                 "keep the one before in a state of its own: state %s_before, and first in the step  update "
                 "%s_before = %s",
                 e->text, e->text, e->text);
  return false;
}

/* Of a given over time only the values of the statement's own time are at hand, not those of the step's start. */
static bool report_level_of_given(sema *s, const entity *e, span at) {
  diag *d = complain(s, DIAG_LEVEL, at, "`%s` is given over time: it has no `.prev` of its own", e->text);
  diag_with_hint(s->sink, d,
                 "name it in an equation and look back at that: %s_then @ %s = %s , read as %s_then.prev",
                 e->text, ir_place_text(e->place), e->text, e->text);
  return false;
}

/* What an operator computes is computed once, for the calls behind `until` and elsewhere. */
static bool report_old(sema *s, const context *c, const entity *e, span at) {
  diag *d;
  if (c->argument) {
    d = complain(s, DIAG_LEVEL, at, "`%s.old` cannot be a part of an operator's argument", e->text);
    diag_with_hint(
        s->sink, d,
        "keep the value in a state of its own, first in the pass  update %s_before = %s  , and put "
        "that into the argument",
        e->text, e->text);
    return false;
  }
  d = complain(s, DIAG_LEVEL, at, "`%s.old` is known only behind `until`", e->text);
  diag_with_hint(
      s->sink, d,
      "`.old` is the value at the start of the pass of a repeat; at the start of the step: %s.prev", e->text);
  return false;
}

/* `.prev` and `.old` stand directly behind the quantity's name. */
static bool take_level(sema *s, const context *c, const chain *parts, int *k, ir_level *level, entity *e) {
  *level = IR_NOW;
  if (*k >= parts->n) return true;
  bool prev = strcmp(parts->part[*k], "prev") == 0, old = strcmp(parts->part[*k], "old") == 0;
  if (!prev && !old) return true;
  if (e->kind == ENTITY_STATE && e->place == IR_NOWHERE) return report_level_of_one(s, e, parts->at[*k]);
  bool fits = e->kind == ENTITY_STATE || (prev && e->kind == ENTITY_EQUATION) || e->kind == ENTITY_GIVEN;
  if (!fits) {
    diag *d =
        complain(s, DIAG_LEVEL, parts->at[*k], "`%s` has no time level `.%s`", e->text, parts->part[*k]);
    diag_with_hint(
        s->sink, d,
        prev && e->kind == ENTITY_GLOBAL
            ? "what a global sums has one: sum(c in cells) volume*h.prev; or keep it in a state of one value"
        : prev ? "`.prev` stands behind states and equations"
               : "`.old` stands behind states: the value at the start of the pass of a repeat");
    return false;
  }
  if (old && !c->until) return report_old(s, c, e, parts->at[*k]);
  if (prev && e->kind == ENTITY_GIVEN && e->decl->over_time)
    return report_level_of_given(s, e, parts->at[*k]);
  if (prev && e->kind == ENTITY_EQUATION && looks_back_already(s, e, parts->at[*k])) return false;
  *level = prev ? IR_PREV : IR_OLD;
  (*k)++;
  return true;
}

static value take_components(sema *s, value v, const chain *c, int k) {
  for (; k < c->n && !v.bad; k++) {
    if (strcmp(c->part[k], "prev") == 0 || strcmp(c->part[k], "old") == 0) {
      diag *d =
          complain(s, DIAG_LEVEL, c->at[k], "a time level stands once, directly behind a quantity's name");
      diag_with_hint(s->sink, d,
                     "`.prev` is the start of the step; what was before it is kept in a state of its own; "
                     "components come last: u.prev.x");
      return bad_value(c->at[k]);
    }
    v = apply_component(s, v, c->part[k], span_join(c->at[0], c->at[k]));
  }
  return v;
}

value lower_element(sema *s, value v, const ast_expr *index) {
  if (v.bad) return v;
  double k = index->n == 2 && index->arg[1]->kind == AST_NUMBER ? index->arg[1]->number : -1;
  if (k >= 0 && k <= INT_MAX && k == floor(k)) return apply_element(s, v, (int)k, index->at);
  diag *d = complain(s, DIAG_INDEX_BRACKETS, index->at, "this is a %s, which takes no such index",
                     type_text(s, v.type));
  if (v.type.rank == IR_LIST)
    diag_with_hint(s->sink, d, "elements of a real[n] have whole numbers, from 1: f[1], f[2]");
  return bad_value(index->at);
}

static value lower_local(sema *s, const context *c, const binding *b, const chain *parts,
                         const ast_expr *index, span at) {
  value v = b->value;
  if (b->kind == BIND_INDEX) {
    complain(s, DIAG_UNKNOWN_INDEX, at, "`%s` is an index: it stands in brackets", b->text);
    return bad_value(at);
  }
  if (b->kind == BIND_FIELD) {
    int errors = diag_errors(s->sink);
    v = read_field_argument(s, c, b, index, at);
    if (diag_errors(s->sink) > errors) note_reading(s, at, b->text);
  } else if (index) v = lower_element(s, v, index);
  v.at = at;
  return take_components(s, v, parts, 1);
}

void report_wrong_kind(sema *s, const entity *e, span at) {
  const char *what = e->kind == ENTITY_VARIANT    ? "a variant: compare it with one of its choices (== or !=)"
                     : e->kind == ENTITY_FUNCTION ? "a function: it takes arguments in brackets"
                     : e->kind == ENTITY_BOUNDARY ? "a boundary rule, not a value"
                                                  : "an operator: it takes the field as an argument";
  diag *d = complain(s, e->kind == ENTITY_VARIANT ? DIAG_VARIANT_VALUE : DIAG_NOT_CALLABLE, at, "`%s` is %s",
                     e->text, what);
  diag_with_span(s->sink, d, e->at, "it is declared here");
}

static bool is_component(name text) {
  return isdigit((unsigned char)*text) || strspn(text, "xyz") == strlen(text) || strcmp(text, "prev") == 0 ||
         strcmp(text, "old") == 0;
}

static value no_such_result(sema *s, const entity *block, name text, span at) {
  const char *known[64], *list = "";
  int n = 0;
  for (int i = 0; i < block->decl->part.block.n && n < 64; i++)
    if (block->decl->part.block.result[i].kind == AST_RESULT_NAME) {
      known[n] = block->decl->part.block.result[i].text;
      list = arena_printf(s->memory, "%s%s%s", list, n ? ", " : "", known[n]);
      n++;
    }
  diag *d = complain(s, DIAG_UNKNOWN_MEMBER, at, "`%s` has no result `%s`", block->text, text);
  const char *near = nearest_name(text, known, n);
  diag_did_you_mean(s->sink, d, near);
  diag_with_hint(s->sink, d, n ? "its results are %s" : "it gives no results with names%s", list);
  return bad_value(at);
}

static ir_id read_step(sema *s, const char *text, ir_purpose purpose) {
  name known = intern_str(s->names, text);
  ir_sym sym = ir_symbol_find(s->module, known);
  ir_symbol made = {
      .text = known, .kind = IR_GLOBAL, .type = ir_scalar(), .dims = s->dims, .purpose = purpose};
  return ir_param(s->module, sym ? sym : ir_symbol_add(s->module, made));
}

/* dt.free, of dt as it was read: the step before it is shortened to meet a time. */
static value free_step(sema *s, value dt) {
  if (dt.bad) return dt;
  const ir_sym step = ir_get(s->module, dt.id)->read.sym;
  ir_id bound = read_step(s, "dt.bound", (ir_purpose){.role = IR_STEP_BOUND, .of = step}),
        most = read_step(s, "dt.most", (ir_purpose){.role = IR_STEP_MOST});
  dt.id = ir_binary(s->module, IR_MIN, bound, most);
  return dt;
}

static bool is_free_step(const entity *e, const chain *parts, int k) {
  return k + 1 == parts->n && e->kind == ENTITY_GLOBAL && strcmp(e->text, "dt") == 0 &&
         strcmp(parts->part[k], "free") == 0;
}

/* A quantity of which the first k parts are the name. */
static value lower_quantity(sema *s, const context *c, entity *e, const chain *parts, int k,
                            const ast_expr *index) {
  ir_level level;
  const span at = parts->whole;
  if (e->kind == ENTITY_VARIANT || e->kind == ENTITY_FUNCTION || e->kind == ENTITY_BOUNDARY ||
      (e->kind == ENTITY_EQUATION && e->decl->head.n_params > 0)) {
    report_wrong_kind(s, e, at);
    return bad_value(at);
  }
  if (is_free_step(e, parts, k)) return free_step(s, read_entity(s, c, e, IR_NOW, index, at));
  if (!take_level(s, c, parts, &k, &level, e)) return bad_value(at);
  if (e->kind == ENTITY_GIVEN) level = IR_NOW;
  if (e->has_block && !e->result && k < parts->n && !is_component(parts->part[k]))
    return no_such_result(s, e, parts->part[k], parts->at[k]);
  return take_components(s, read_entity(s, c, e, level, index, at), parts, k);
}

static value lower_chain(sema *s, const context *c, const ast_expr *e, const ast_expr *index, span at) {
  chain parts;
  if (!flatten(e, &parts)) {
    complain(s, DIAG_UNKNOWN_NAME, at, "no name has more than %d parts", MAX_PARTS);
    return bad_value(at);
  }
  parts.whole = at;
  const binding *b = find_binding(c, parts.part[0]);
  if (b) return lower_local(s, c, b, &parts, index, at);
  for (int k = parts.n; k >= 1; k--) {
    entity *q = find_entity(s, join(s, &parts, k));
    if (q) return lower_quantity(s, c, q, &parts, k, index);
  }
  bool known;
  value v = read_builtin(s, c, parts.part[0], index, at, &known);
  if (known) return take_components(s, v, &parts, 1);
  report_unknown(s, join(s, &parts, parts.n), at, c);
  return bad_value(at);
}

static bool is_chain(const ast_expr *e) {
  while (e->kind == AST_MEMBER) e = e->arg[0];
  return e->kind == AST_NAME;
}

/* (2*a)[i+1, j], as it comes of an operator whose argument is a formula: all in the brackets is read there, or as much farther as its own
 * index says. Fields know no local names. */
static value lower_shifted(sema *s, const context *c, const ast_expr *e) {
  context inner = *c;
  inner.env = NULL;
  inner.anchored = true;
  if (!index_of_brackets(s, c, e, inner.shift)) return bad_value(e->at);
  return lower_expr(s, &inner, e->arg[0]);
}

static value lower_index(sema *s, const context *c, const ast_expr *e) {
  const bool point =
      s->module->on_grid && !c->rule && !c->in_function && e->n > 1 && e->arg[1]->kind != AST_NUMBER;
  if (point && ranged_index(e)) return lower_slice(s, c, e);
  if (is_chain(e->arg[0])) return lower_chain(s, c, e->arg[0], e, e->at);
  if (e->arg[0]->kind == AST_CALL && is_chain(e->arg[0]->arg[0])) {
    entity *q = find_entity(s, e->arg[0]->arg[0]->text);
    if (q && q->kind == ENTITY_EQUATION && q->decl->head.n_params > 0) {
      entity *instance = instantiate(s, q, e->arg[0], c);
      return instance ? read_entity(s, c, instance, IR_NOW, e, e->at) : bad_value(e->at);
    }
    if (!q && is_part_of_mesh(e->arg[0]->arg[0]->text)) return lower_part_of_mesh(s, c, e->arg[0], e, e->at);
  }
  if (point) return lower_shifted(s, c, e);
  return lower_element(s, lower_expr(s, c, e->arg[0]), e);
}

/* ---- operators -------------------------------------------------------------------------------------------------------- */

static const char *choices_text(sema *s, const ast_variant_part *v) {
  const char *text = arena_printf(s->memory, "`%s`", v->choice[0]);
  for (int i = 1; i < v->n; i++)
    text = arena_printf(s->memory, "%s%s`%s`", text, i + 1 < v->n ? ", " : " or ", v->choice[i]);
  return text;
}

/* `space == tvd`: the choices of a variant are names only here. */
static bool lower_variant_test(sema *s, const ast_expr *e, value *v) {
  if ((e->op != AST_EQ && e->op != AST_NE) || e->arg[0]->kind != AST_NAME) return false;
  entity *q = find_entity(s, e->arg[0]->text);
  if (!q || q->kind != ENTITY_VARIANT) return false;
  q->used = true;
  int found = -1;
  for (int i = 0; i < q->decl->part.variant.n && e->arg[1]->kind == AST_NAME; i++)
    if (q->decl->part.variant.choice[i] == e->arg[1]->text) found = i;
  if (found < 0) {
    diag *d = complain(s, DIAG_VARIANT_VALUE, e->arg[1]->at, "this is not a choice of variant `%s`", q->text);
    const char *near = e->arg[1]->kind == AST_NAME
                           ? nearest_name(e->arg[1]->text, (const char *const *)q->decl->part.variant.choice,
                                          q->decl->part.variant.n)
                           : NULL;
    diag_did_you_mean(s->sink, d, near);
    if (!near) diag_with_hint(s->sink, d, "it is %s", choices_text(s, &q->decl->part.variant));
    *v = bad_value(e->at);
    return true;
  }
  bool truth = (found == variant_choice(s, q)) == (e->op == AST_EQ);
  *v = (value){.id = ir_bool(s->module, truth), .type = type_of(IR_BOOL, 1, NULL), .at = e->at};
  return true;
}

/* Conditions known at build time: arms not taken are not looked at. */
static bool known_truth(sema *s, value c, bool *truth) {
  double x;
  if (c.type.rank != IR_BOOL || !constant_value(s, c, &x)) return false;
  *truth = x != 0;
  return true;
}

static value short_circuit(sema *s, const context *c, const ast_expr *e, value left) {
  bool truth;
  if (known_truth(s, left, &truth) && truth == (e->op == AST_OR)) return left;
  value right = lower_expr(s, c, e->arg[1]);
  if (!right.bad && known_truth(s, left, &truth) && right.type.rank == IR_BOOL) return right;
  return apply_binary(s, e->op, left, right, e->at);
}

/* Chains of operators are left-deep and may be long: the spine is walked, not recursed into. */
static value lower_binary(sema *s, const context *c, const ast_expr *e) {
  int n = 0;
  for (const ast_expr *l = e; l->kind == AST_BINARY; l = l->arg[0]) n++;
  const ast_expr **spine = arena_array(s->memory, const ast_expr *, n);
  const ast_expr *l = e;
  for (int i = n - 1; i >= 0; i--, l = l->arg[0]) spine[i] = l;
  value v;
  int first = 0;
  if (lower_variant_test(s, spine[0], &v)) first = 1;
  else v = lower_expr(s, c, l);
  for (int i = first; i < n; i++) {
    if (spine[i]->op == AST_AND || spine[i]->op == AST_OR) v = short_circuit(s, c, spine[i], v);
    else v = apply_binary(s, spine[i]->op, v, lower_expr(s, c, spine[i]->arg[1]), spine[i]->at);
  }
  return v;
}

static value lower_if(sema *s, const context *c, const ast_expr *e) {
  value condition = lower_expr(s, c, e->arg[0]);
  bool truth;
  if (!condition.bad && known_truth(s, condition, &truth)) return lower_expr(s, c, e->arg[truth ? 1 : 2]);
  value a = lower_expr(s, c, e->arg[1]);
  return apply_select(s, condition, a, lower_expr(s, c, e->arg[2]), e->at);
}

static bool fits_tuple(sema *s, value v) {
  if (v.bad || v.type.rank == IR_SCALAR || v.type.rank == IR_VECTOR || v.type.rank == IR_TENSOR) return true;
  diag *d =
      complain(s, DIAG_TUPLE_SHAPE, v.at,
               "a tuple consists of scalars, vectors and tensors, but this is a %s", type_text(s, v.type));
  if (v.type.rank == IR_TUPLE_RANK)
    diag_with_hint(s->sink, d, "tuples are flat: list the parts of both, (a.1, a.2, b)");
  return false;
}

static value lower_tuple(sema *s, const context *c, const ast_expr *e) {
  value part[16];
  if (e->n > 16) {
    complain(s, DIAG_TUPLE_SHAPE, e->at, "a tuple has at most 16 parts, this has %d", e->n);
    return bad_value(e->at);
  }
  for (int i = 0; i < e->n; i++) {
    part[i] = lower_expr(s, c, e->arg[i]);
    if (!fits_tuple(s, part[i])) part[i].bad = true;
  }
  value v = make_tuple(s, part, e->n, e->at);
  v.type.axis = e->axis;
  v.zero = !v.bad && e->n > 0;
  for (int i = 0; i < e->n; i++) v.zero = v.zero && part[i].zero;
  return v;
}

static value lower_number(sema *s, const ast_expr *e) {
  value v = number_value(s, e->number, e->at);
  if (e->unit) v.type.unit = lower_unit(s, e->unit), v.measured = true;
  else if (e->number == 0) v.type.unit = units_unknown(s->unit.units);
  return checked_literal(s, v, e->number);
}

/* Functions and operators are expanded: a short text can mean a long program, or an endless one. */
static bool may_go_on(sema *s, span at) {
  if (s->effort.depth >= MAX_DEPTH)
    give_up(s, at, "functions or equations that need each other reach too deep here",
            "does one of them call itself with other arguments? That has no end");
  else if (++s->effort.visits > MAX_VISITS)
    give_up(s, at, "functions and sums expand to more than two million terms",
            "a function that calls another twice, which calls another twice, ... grows like 2^n; equations "
            "are evaluated once");
  return !s->effort.gave_up;
}

value lower_expr(sema *s, const context *c, const ast_expr *e) {
  value v = bad_value(e->at);
  if (s->effort.gave_up || !may_go_on(s, e->at)) return v;
  s->effort.depth++;
  switch (e->kind) {
  case AST_NUMBER: v = lower_number(s, e); break;
  case AST_NAME:
  case AST_MEMBER:
    if (is_chain(e)) v = lower_chain(s, c, e, NULL, e->at);
    else v = apply_component(s, lower_expr(s, c, e->arg[0]), e->text, e->at);
    break;
  case AST_INDEX: v = lower_index(s, c, e); break;
  case AST_CALL: v = lower_call(s, c, e); break;
  case AST_RANGE: complain(s, DIAG_SLICE, e->at, "a range stands in index brackets only"); break;
  case AST_UNARY: v = apply_unary(s, e->op, lower_expr(s, c, e->arg[0]), e->at); break;
  case AST_BINARY: v = lower_binary(s, c, e); break;
  case AST_IF: v = lower_if(s, c, e); break;
  case AST_TUPLE: v = lower_tuple(s, c, e); break;
  case AST_REDUCTION: v = lower_reduction(s, c, e); break;
  case AST_ERROR: break;
  }
  s->effort.depth--;
  v.at = e->at;
  return v;
}
