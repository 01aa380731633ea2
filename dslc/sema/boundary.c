/* Boundary rules: what a rule gives (ghosts, fixed values, fluxes, additions), and whether that is everything that some
 * equation reads across such a boundary. */
#include <string.h>

#include "sema/internal.h"

/* ---- declaring ---------------------------------------------------------------------------------------------- */

static int axis_of(const ast_decl *d) {
  return d->boundary.axis && strlen(d->boundary.axis) == 1 ? *d->boundary.axis - 'x' : -1;
}

/* Is the rule's axis one of the grid? Without one it holds for all. */
static bool check_axis(sema *s, const ast_decl *d) {
  int axis = axis_of(d);
  if (!d->boundary.axis || (s->module->on_grid && axis >= 0 && axis < s->dims)) return true;
  if (s->module->on_grid)
    complain(s, DIAG_RULE_TARGET, d->boundary.axis_at, "a grid in %dD has no axis `%s`", s->dims,
             d->boundary.axis);
  else
    complain(s, DIAG_RULE_TARGET, d->boundary.axis_at,
             "`across` belongs to grids: on a mesh a rule holds for any direction");
  return false;
}

static void report_second_rule(sema *s, const ir_rule *old, const ast_decl *d) {
  if (old->at.file == d->name_at.file && old->at.start == d->name_at.start) {
    diag *g = complain(s, DIAG_DUPLICATE_NAME, d->name_at,
                       "boundary rule `%s` is declared twice, by the `exchange` around it", d->text);
    diag_with_hint(s->sink, g, "write the rule outside, or say across which axis this one is");
    return;
  }
  diag *g = complain(s, DIAG_DUPLICATE_NAME, d->name_at, "boundary rule `%s` is declared twice", d->text);
  diag_with_span(s->sink, g, old->at, "it was declared here");
}

static void declare_rule(sema *s, const ast_decl *d) {
  bool known = check_axis(s, d);
  for (int i = 1; i < s->module->rule.n && known; i++) {
    const ir_rule *old = &s->module->rule.at[i];
    if (old->text != d->text || (d->boundary.axis && old->axis && old->axis != *d->boundary.axis)) continue;
    report_second_rule(s, old, d);
  }
  ir_rule rule = {.text = d->text, .axis = d->boundary.axis ? *d->boundary.axis : '\0', .at = d->name_at};
  vec_push(s->memory, &s->module->rule, rule);
  for (int i = 0; i < d->boundary.n_rules; i++) {
    entity *target =
        d->boundary.rules[i].kind != AST_RULE_LET ? find_entity(s, d->boundary.rules[i].target.text) : NULL;
    if (target) target->ruled = true;
  }
}

static const binding *rule_arguments(sema *s, const ast_decl *d, uint32_t number) {
  const binding *env = NULL;
  for (int i = 0; i < d->n_params; i++) {
    const ast_param *p = &d->params[i];
    value_type t = declared_type(s, p->type, lower_unit(s, p->unit));
    ir_symbol sym = {.text = p->text,
                     .kind = IR_RULE_ARGUMENT,
                     .type = ir_type_of(t),
                     .dims = s->dims,
                     .at = p->at,
                     .rule = number,
                     .over_time = p->over_time};
    warn_hiding(s, p->text, p->at);
    for (int k = 0; k < i; k++)
      if (d->params[k].text == p->text)
        complain(s, DIAG_DUPLICATE_NAME, p->at, "boundary rule `%s` has two arguments `%s`", d->text,
                 p->text);
    sym.root[0] = lower_default(s, p, t);
    ir_sym number_of = ir_symbol_add(s->module, sym);
    entity *argument = arena_new(s->memory, entity);
    *argument = (entity){
        .text = p->text, .kind = ENTITY_PARAMETER, .decl = d, .at = p->at, .type = t, .sym = number_of};
    vec_push(s->memory, &s->arguments, argument);
    vec_push(s->memory, &s->module->rule.at[number].arg, number_of);
    value v = {.id = ir_param(s->module, number_of), .type = t, .at = p->at};
    env = bind_value(s, env, p->text, v);
  }
  return env;
}

/* ---- lowering ---------------------------------------------------------------------------------------------------- */

static const char *rule_word(ast_rule_kind k) {
  return k == AST_RULE_GHOST ? "ghost" : k == AST_RULE_FIX ? "fix" : k == AST_RULE_FLUX ? "flux" : "add";
}

/* On a grid: do points of the place lie on a boundary across the axis, or, with axis -1, across any? */
static bool lies_on_boundary(ir_place p, int axis) {
  return axis < 0 ? p >= IR_XFACES && p <= IR_CORNERS : ir_place_on_faces(p, axis);
}

static bool target_fits(sema *s, const ast_rule *r, const entity *e, int axis) {
  bool grid = s->module->on_grid;
  if (e->kind != ENTITY_STATE && e->kind != ENTITY_EQUATION && e->kind != ENTITY_GIVEN) return false;
  if (e->place == IR_NOWHERE) return false;
  switch (r->kind) {
  case AST_RULE_GHOST: return grid || e->place == IR_CELLS;
  case AST_RULE_FIX:
    return e->kind != ENTITY_GIVEN && (grid ? lies_on_boundary(e->place, axis) : e->place == IR_NODES);
  case AST_RULE_FLUX: return !grid && e->place == IR_FACES;
  case AST_RULE_ADD: return !grid && e->place == IR_NODES && e->kind == ENTITY_EQUATION;
  case AST_RULE_LET: break;
  }
  return false;
}

/* Fixed values and additions change what the step computes: not a given field, and what is added belongs to an equation. */
static void report_kind(sema *s, const ast_rule *r, const entity *e) {
  bool given = e->kind == ENTITY_GIVEN;
  diag *d = complain(s, DIAG_RULE_TARGET, r->target.at, "`%s` cannot act on `%s`, which is a %s",
                     rule_word(r->kind), e->text, given ? "given field" : "state");
  diag_with_span(s->sink, d, e->at, "`%s` is declared here", e->text);
  if (given)
    diag_with_hint(s->sink, d,
                   "the case says what it is, at the boundary too; an equation `name @ %s = %s` can be fixed",
                   ir_place_text(e->place), e->text);
  else
    diag_with_hint(s->sink, d, "add to the equation of which `%s` is computed: its rate, or a right side",
                   e->text);
}

/* A `fix` of what has no point on such a boundary would never act. */
static void report_beside(sema *s, const ast_rule *r, const entity *e, int axis) {
  const char *across = axis < 0 ? "" : arena_printf(s->memory, " across %c", "xyz"[axis]);
  diag *d = complain(s, DIAG_RULE_TARGET, r->target.at,
                     "`fix` cannot act on `%s`: it lives at %s, and none of them lie on a boundary%s",
                     e->text, ir_place_text(e->place), across);
  diag_with_span(s->sink, d, e->at, "`%s` is declared here", e->text);
  diag_with_hint(s->sink, d, "a value U on the boundary: ghost %s = 2*U - %s[mirror]", e->text, e->text);
}

static void report_target(sema *s, const ast_rule *r, const entity *e, int axis) {
  const char *word = rule_word(r->kind);
  bool at_nodes = !s->module->on_grid && e->place == IR_NODES && r->kind == AST_RULE_ADD;
  bool fix = r->kind == AST_RULE_FIX && (s->module->on_grid ? e->place != IR_NOWHERE : e->place == IR_NODES);
  if ((fix && e->kind == ENTITY_GIVEN) ||
      (at_nodes && (e->kind == ENTITY_GIVEN || e->kind == ENTITY_STATE))) {
    report_kind(s, r, e);
    return;
  }
  if (fix && s->module->on_grid) {
    report_beside(s, r, e, axis);
    return;
  }
  diag *d = e->place == IR_NOWHERE
                ? complain(s, DIAG_RULE_TARGET, r->target.at,
                           "`%s` acts on quantities of the %s, but `%s` has no place", word,
                           s->module->on_grid ? "grid" : "mesh", e->text)
                : complain(s, DIAG_RULE_TARGET, r->target.at, "`%s` cannot act on `%s`, which lives at %s",
                           word, e->text, ir_place_text(e->place));
  diag_with_span(s->sink, d, e->at, "`%s` is declared here", e->text);
  if (s->module->on_grid)
    diag_with_hint(s->sink, d, "on a grid `ghost` gives values beyond the boundary, `fix` those on it");
  else
    diag_with_hint(
        s->sink, d,
        "on a mesh: `ghost` gives cells beyond the boundary, `flux` quantities at its faces, `fix` and "
        "`add` those at its nodes");
}

static entity *rule_target(sema *s, const ast_rule *r, int axis) {
  entity *e = find_entity(s, r->target.text);
  context nothing = context_at(IR_NOWHERE, NULL);
  if (!e) {
    report_unknown(s, r->target.text, r->target.at, &nothing);
    return NULL;
  }
  bool operator_ = e->kind == ENTITY_EQUATION && e->decl->head.n_params > 0;
  if (e->kind == ENTITY_EQUATION && !operator_ && !ensure(s, e, r->target.at)) return NULL;
  e->used = true;
  if (e->sym && target_fits(s, r, e, axis)) return e;
  report_target(s, r, e, axis);
  return NULL;
}

static const ir_rule_kind entry_kind[] = {[AST_RULE_GHOST] = IR_GHOST,
                                          [AST_RULE_FIX] = IR_FIX,
                                          [AST_RULE_FLUX] = IR_FLUX,
                                          [AST_RULE_ADD] = IR_ADD_RULE};

/* On a mesh a rule speaks at boundary faces, or, for fixed values and additions, at boundary nodes. */
static ir_place place_of_rule(sema *s, const ast_decl *d, int first) {
  if (s->module->on_grid) return IR_NOWHERE;
  for (int i = first; i < d->boundary.n_rules; i++)
    if (d->boundary.rules[i].kind != AST_RULE_LET)
      return d->boundary.rules[i].kind == AST_RULE_FIX || d->boundary.rules[i].kind == AST_RULE_ADD
                 ? IR_NODES
                 : IR_FACES;
  return IR_FACES;
}

/* A fix is a projection: in it the target's name is the value being replaced. */
static void add_entry(sema *s, const context *c, const ast_rule *r, uint32_t number) {
  entity *e = rule_target(s, r, c->rule->axis);
  if (!e) return;
  value v = lower_body(s, c, &r->body);
  if (v.bad) return;
  v = adapt(s, v, e->type);
  if (!require_fits(s, v, e->type, e->at, arena_printf(s->memory, "`%s %s`", rule_word(r->kind), e->text)))
    return;
  const ir_rule *rule = &s->module->rule.at[number];
  for (int i = 0; i < rule->entry.n; i++)
    if (rule->entry.at[i].target == e->sym && rule->entry.at[i].kind == entry_kind[r->kind]) {
      diag *d = complain(s, DIAG_DUPLICATE_NAME, r->at, "rule `%s` gives the %s of `%s` twice", rule->text,
                         rule_word(r->kind), e->text);
      diag_with_span(s->sink, d, rule->entry.at[i].at, "it was given here");
      if (rule->entry.at[i].at.file != r->at.file)
        diag_with_hint(s->sink, d, "to put this one in its place: replace %s %s = ...", rule_word(r->kind),
                       e->text);
      return;
    }
  ir_rule_entry entry = {
      .kind = entry_kind[r->kind], .target = e->sym, .root = v.id, .at = r->at, .tag = r->tag};
  vec_push(s->memory, &s->module->rule.at[number].entry, entry);
}

static void lower_rule(sema *s, const ast_decl *d, uint32_t number) {
  rule_scope scope = {.decl = d, .rule = number, .axis = axis_of(d)};
  context c = {.rule = &scope, .why = arena_printf(s->memory, "boundary rule `%s`", d->text)};
  c.env = rule_arguments(s, d, number);
  for (int i = 0; i < d->boundary.n_rules; i++) {
    c.place = place_of_rule(s, d, i);
    const ast_rule *r = &d->boundary.rules[i];
    if (r->kind == AST_RULE_LET) c.env = bind_all(s, &c, r->bindings, r->n_bindings);
    else add_entry(s, &c, r, number);
  }
}

void lower_boundaries(sema *s) {
  uint32_t number = 1;
  for (int i = 0; i < s->scheme->n_decls; i++)
    if (s->scheme->decls[i]->kind == AST_BOUNDARY) lower_rule(s, s->scheme->decls[i], number++);
}

/* Rules are known by name before any equation is lowered: `f in faces(wall)`; and so is what they act on. */
void declare_rules(sema *s) {
  for (int i = 0; i < s->scheme->n_decls; i++)
    if (s->scheme->decls[i]->kind == AST_BOUNDARY) declare_rule(s, s->scheme->decls[i]);
}

/* ---- completeness on meshes ------------------------------------------------------------------------------------------ */

static bool gives(const ir_rule *r, ir_rule_kind kind, ir_sym target) {
  for (int i = 0; i < r->entry.n; i++)
    if (r->entry.at[i].kind == kind && r->entry.at[i].target == target) return true;
  return false;
}

/* What is known so far of one rule, by symbol. */
typedef struct beyond {
  bool known;
  const char *missing;
} beyond;

typedef struct formula {
  id_list reads;  /* of an equation */
  bool pointwise; /* each of them stands at its own point */
} formula;

typedef struct rule_check {
  sema *s;
  const ir_rule *rule;
  beyond *at;             /* per symbol */
  name_map *reported;     /* by what is missing */
  diag *told;             /* the message about this rule; what else is missing is noted there */
  const formula *formula; /* grids, by symbol */
  char *given, *behind;   /* grids, across one axis, by symbol, once they are known: 1 yes, 2 no */
} rule_check;

static rule_check rule_check_of(sema *s, const ir_rule *r) {
  return (rule_check){.s = s,
                      .rule = r,
                      .at = arena_array(s->memory, beyond, s->module->symbol.n),
                      .reported = name_map_create(s->memory)};
}

static const char *missing_beyond(rule_check *k, ir_sym sym);

/* An equation beyond the boundary follows point by point from what is given, or must be given itself. */
static const char *missing_of_equation(rule_check *k, const ir_symbol *q) {
  bool reduces = false, changes = false;
  const char *missing = NULL;
  id_list all = reached(k->s, q->root[0]);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(k->s->module, all.at[i]);
    reduces = reduces || n->op == IR_REDUCE;
    if (n->op != IR_READ) continue;
    ir_symbol_kind kind = ir_symbol_get(k->s->module, n->read.sym)->kind;
    changes = changes || kind == IR_STATE || kind == IR_EQUATION;
    if (n->read.at == IR_AT_HERE && !missing) missing = missing_beyond(k, n->read.sym);
  }
  if (reduces && changes) return q->text;
  return reduces ? NULL : missing;
}

/* NULL if the value of `sym` beyond the boundary follows from the rule; else the name of what is missing. Equations were
 * lowered after what they read, so the recursion ends. */
static const char *missing_beyond(rule_check *k, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(k->s->module, sym);
  if (gives(k->rule, IR_GHOST, sym)) return NULL;
  if (q->kind == IR_GIVEN || q->kind == IR_GEOMETRY) return NULL; /* copied from inside */
  if (q->kind == IR_STATE) return q->text;
  if (q->kind != IR_EQUATION || !q->root[0]) return NULL;
  if (!k->at[sym].known) k->at[sym] = (beyond){true, missing_of_equation(k, q)};
  return k->at[sym].missing;
}

/* What reads beyond the boundary: an equation, or an expression of the step. Thousands are made, and few named: what is said of one is
 * put together when it is said. */
typedef struct reader {
  const char *what;     /* "the update of ", or all: "`until`" */
  const char *quantity; /* behind it; NULL: none */
  span at;
  ir_sym sym; /* the equation; 0: a statement, a requirement */
  const char
      *instead; /* what else a rule can do about that quantity, if it lives on the boundary: "fix"; or NULL */
} reader;

static reader reader_of(const ir_symbol *q) {
  return (reader){
      .what = "", .quantity = q->text, .at = q->at, .instead = q->place == IR_FACES ? "flux" : NULL};
}

static reader reader_of_assign(sema *s, const ir_stmt *st, int i) {
  const ir_assign *a = &st->assign.at[i];
  return (reader){.what = st->kind == IR_INTEGRATE ? "the rate of " : "the update of ",
                  .quantity = ir_symbol_get(s->module, a->target)->text,
                  .at = a->at};
}

static const char *reader_text(sema *s, const reader *by) {
  return by->quantity ? arena_printf(s->memory, "%s`%s`", by->what, by->quantity) : by->what;
}

static reader reader_of_until(const ir_stmt *st) { return (reader){.what = "`until`", .at = st->at}; }
static reader reader_of_require(const ir_require *r) { return (reader){.what = "`require`", .at = r->at}; }

/* A rule gives quantities that have a name. What an operator makes of a field has one if an equation is just that. */
static const char *ghost_hint(sema *s, const ir_rule *rule, const char *missing) {
  bool elsewhere = rule->at.file != s->scheme->name_at.file; /* of a scheme that is extended */
  if (elsewhere && !strchr(missing, '('))
    return arena_printf(s->memory, "add to it in `%s`: add boundary %s { ghost %s = ... }", s->scheme->text,
                        rule->text, missing);
  if (!strchr(missing, '(')) return arena_printf(s->memory, "add to the rule: ghost %s = ...", missing);
  const ir_symbol *instance = NULL;
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    const ir_node *n = ir_get(s->module, q->root[0]);
    if (strcmp(q->text, missing) == 0) instance = q;
    if (!instance || q->kind != IR_EQUATION || q->root[0] == 0 || n->op != IR_READ || q == instance) continue;
    if (ir_symbol_get(s->module, n->read.sym) == instance && n->read.at == IR_AT_HERE &&
        !strchr(q->text, '('))
      return arena_printf(s->memory, "add to the rule: ghost %s = ...", q->text);
  }
  const char *place = instance ? ir_place_text(instance->place) : "cells";
  return arena_printf(s->memory,
                      "give it a name, as in  named @ %s = %s , read that one instead, and add to the rule: "
                      "ghost named = ...",
                      place, missing);
}

static void report_missing(rule_check *k, const char *missing, const reader *by) {
  sema *s = k->s;
  name key = intern_str(s->names, missing);
  if (name_map_get(k->reported, key)) return;
  name_map_put(k->reported, key, (void *)missing);
  if (k->told) {
    diag_with_span(s->sink, k->told, by->at, "%s reads `%s`, which the rule does not give either",
                   reader_text(s, by), missing);
    return;
  }
  diag *d =
      complain(s, DIAG_MISSING_GHOST, k->rule->at,
               "boundary rule `%s` does not say what `%s` is beyond the boundary", k->rule->text, missing);
  diag_with_span(s->sink, d, by->at, "%s reads it across the boundary", reader_text(s, by));
  const char *where =
      s->module->on_grid ? "if its value on the boundary is known" : "replacing the quantity at these faces";
  const char *other = by->instead && !strchr(by->quantity, '(')
                          ? arena_printf(s->memory, "  or, %s: %s %s = ...", where, by->instead, by->quantity)
                          : "";
  diag_with_hint(s->sink, d, "%s%s", ghost_hint(s, k->rule, missing), other);
  k->told = d;
}

static void check_root(rule_check *k, ir_id root, ir_at across, reader by) {
  id_list all = reached(k->s, root);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(k->s->module, all.at[i]);
    if (n->op != IR_READ || n->read.at != across) continue;
    const char *missing = missing_beyond(k, n->read.sym);
    if (missing) report_missing(k, missing, &by);
  }
}

/* Both ways to look across: of a face's R, and of the cell beyond a face of the cell. */
static void check_both(rule_check *k, ir_id root, reader by) {
  check_root(k, root, IR_AT_R, by);
  check_root(k, root, IR_AT_D, by);
}

static void check_statements(rule_check *k, const ir_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < st[i].assign.n; a++)
      check_both(k, st[i].assign.at[a].value, reader_of_assign(k->s, &st[i], a));
    if (st[i].until) check_both(k, st[i].until, reader_of_until(&st[i]));
    check_statements(k, st[i].body.at, st[i].body.n);
  }
}

/* What lies beyond a boundary is needed only where something reads across it. In order of lowering, so that
 * `missing_beyond` finds the answers for what an equation reads already there. */
static void check_mesh_rule(sema *s, const ir_rule *r) {
  rule_check k = rule_check_of(s, r);
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    if (q->kind == IR_EQUATION && q->place == IR_CELLS) missing_beyond(&k, (ir_sym)i);
    if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL) continue;
    if (q->place == IR_FACES && gives(r, IR_FLUX, (ir_sym)i)) continue;
    for (int part = 0; part < 2; part++)
      if (q->root[part]) check_both(&k, q->root[part], reader_of(q));
  }
  check_statements(&k, s->module->step.at, s->module->step.n);
  for (int i = 0; i < s->module->require.n; i++)
    check_both(&k, s->module->require.at[i].condition, reader_of_require(&s->module->require.at[i]));
}

/* ---- completeness on grids ------------------------------------------------------------------------------------------------ */

/* Where along one axis each symbol is evaluated, seen from its own range: cells 0..n-1, faces across the axis 0..n, where the first
 * and last face are left out if the rule fixes them. From `low` to the last one + `high`: beyond, if low < 0 or high > 0. */
typedef struct reach {
  bool used;
  int low, high;
  bool written_out; /* read beyond by an equation of its own place, which takes its formula for it */
  reader by;
} reach;

/* A quantity whose points on the boundary, and none behind it, are what reads beyond: fixed there, it reads nothing. */
static reader with_fix(reader by, const ir_symbol *q, int axis, int low, int high) {
  if (ir_place_on_faces(q->place, axis) && low == 0 && high == 0) by.instead = "fix";
  return by;
}

/* `by` is who reads farthest beyond. */
static void extend(reach *r, int low, int high, reader by) {
  bool farther = (low < r->low && low < 0) || (high > r->high && high > 0);
  if (!r->used || farther) r->by = by;
  if (!r->used || low < r->low) r->low = low;
  if (!r->used || high > r->high) r->high = high;
  r->used = true;
}

/* What is evaluated at `place` from `low` to n-1+`high`, and for whom. */
typedef struct consumer {
  ir_place place;
  int low, high;
  reader by;
} consumer;

/* A face index runs one further than a cell's. */
static void reach_reads(sema *s, const id_list *nodes, int axis, consumer c, reach *all) {
  for (int i = 0; i < nodes->n; i++) {
    const ir_node *n = ir_get(s->module, nodes->at[i]);
    if (n->op != IR_READ) continue;
    const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
    if (q->place >= IR_XLINE || (q->kind != IR_STATE && q->kind != IR_EQUATION)) continue;
    int from = c.low + n->read.off[axis],
        to = c.high + n->read.off[axis] + ir_place_on_faces(c.place, axis) - ir_place_on_faces(q->place, axis);
    extend(&all[n->read.sym], from, to, c.by);
    all[n->read.sym].written_out |= c.place == q->place && (from < 0 || to > 0);
  }
}

static void reach_from(sema *s, ir_id root, int axis, consumer c, reach *all) {
  id_list nodes = reached(s, root);
  reach_reads(s, &nodes, axis, c, all);
}

/* Such an equation follows beyond a wall from what it reads: from ghosts, and else from values inside. */
static bool is_pointwise(sema *s, const ir_symbol *q, const id_list *reads) {
  for (int i = 0; i < reads->n; i++) {
    const ir_node *n = ir_get(s->module, reads->at[i]);
    ir_place place = ir_symbol_get(s->module, n->read.sym)->place;
    bool moved = n->read.off[0] || n->read.off[1] || n->read.off[2];
    if (moved || (place != q->place && place < IR_XLINE)) return false;
  }
  return true;
}

static const formula *find_formulas(sema *s) {
  formula *all = arena_array(s->memory, formula, s->module->symbol.n);
  for (ir_sym i = 1; i < (ir_sym)s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, i);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    id_list nodes = reached(s, q->root[0]);
    for (int k = 0; k < nodes.n; k++)
      if (ir_get(s->module, nodes.at[k])->op == IR_READ) vec_push(s->memory, &all[i].reads, nodes.at[k]);
    all[i].pointwise = is_pointwise(s, q, &all[i].reads);
  }
  return all;
}

/* Equations were lowered after what they read: one sweep from the last symbol to the first has all readers before the read. */
static void reach_equations(rule_check *k, int axis, bool follow, reach *all) {
  sema *s = k->s;
  const ir_rule *r = k->rule;
  for (ir_sym i = (ir_sym)s->module->symbol.n - 1; i > 0; i--) {
    const ir_symbol *q = ir_symbol_get(s->module, i);
    if (!all[i].used || q->kind != IR_EQUATION) continue;
    bool fixed = ir_place_on_faces(q->place, axis) && gives(r, IR_FIX, i), ghost = gives(r, IR_GHOST, i);
    int low = ghost ? 0 : all[i].low, high = ghost ? 0 : all[i].high;
    if (follow && k->formula[i].pointwise) low = low < 0 ? 0 : low, high = high > 0 ? 0 : high;
    reader by = reader_of(q);
    by.sym = i;
    if (!fixed) by = with_fix(by, q, axis, low, high);
    const consumer c = {q->place, fixed && !low ? 1 : low, fixed && !high ? -1 : high, by};
    reach_reads(s, &k->formula[i].reads, axis, c, all);
  }
}

/* A reduction reads at every point that it runs over. */
static void reach_reductions(sema *s, ir_id root, int axis, reader by, reach *all) {
  id_list nodes = reached(s, root);
  for (int i = 0; i < nodes.n; i++) {
    const ir_node *n = ir_get(s->module, nodes.at[i]);
    if (n->op != IR_REDUCE) continue;
    reach_from(s, ir_args(s->module, n)[0], axis, (consumer){(ir_place)n->reduce.place, 0, 0, by}, all);
  }
}

static void reach_statements(sema *s, const ir_rule *r, int axis, const ir_stmt *st, int n, reach *all) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < st[i].assign.n; k++) {
      ir_sym target = st[i].assign.at[k].target;
      const ir_symbol *q = ir_symbol_get(s->module, target);
      bool inside = ir_place_on_faces(q->place, axis) && gives(r, IR_FIX, target);
      reader by = reader_of_assign(s, &st[i], k);
      if (!inside) by = with_fix(by, q, axis, 0, 0);
      reach_from(s, st[i].assign.at[k].value, axis, (consumer){q->place, inside, -inside, by}, all);
    }
    if (st[i].until) reach_reductions(s, st[i].until, axis, reader_of_until(&st[i]), all);
    reach_statements(s, r, axis, st[i].body.at, st[i].body.n, all);
  }
}

/* Besides the step: an equation may be asked for by an output, at every point of its place; a requirement is tested at all of its
 * own. */
static void reach_outputs(sema *s, int axis, reach *all) {
  for (ir_sym g = 1; g < (ir_sym)s->module->symbol.n; g++) {
    const ir_symbol *q = ir_symbol_get(s->module, g);
    all[g].used = q->kind == IR_EQUATION;
    if (q->kind == IR_GLOBAL) reach_reductions(s, q->root[0], axis, reader_of(q), all);
  }
  for (int i = 0; i < s->module->require.n; i++) {
    const ir_require *r = &s->module->require.at[i];
    reach_from(s, r->condition, axis, (consumer){r->place, 0, 0, reader_of_require(r)}, all);
  }
}

/* ---- equations beyond a wall ----------------------------------------------------------------------------------------------- */

/* Does the point that is read lie on a face across the axis, straight before or behind the reader, which does not? */
static bool is_face_along(const ir_node *n, const ir_symbol *q, ir_place from, int axis) {
  bool along = ir_place_on_faces(q->place, axis) && !ir_place_on_faces(from, axis);
  for (int d = 0; d < 3; d++)
    along = along && (d == axis || (n->read.off[d] == 0 && ir_place_on_faces(q->place, d) == ir_place_on_faces(from, d)));
  return along;
}

static bool is_own_point(const ir_node *n) { return !n->read.off[0] && !n->read.off[1] && !n->read.off[2]; }

static bool holds_behind(rule_check *k, int axis, ir_sym sym);

/* In the first cell behind a wall a formula holds if it reads faces along the axis only: on the wall, before it, or beyond by a ghost.
 * Anything else, the cell's own values too, would be read where there is nothing. */
static bool find_behind(rule_check *k, int axis, ir_sym sym) {
  const id_list *reads = &k->formula[sym].reads;
  const ir_symbol *q = ir_symbol_get(k->s->module, sym);
  for (int i = 0; i < reads->n; i++) {
    const ir_node *n = ir_get(k->s->module, reads->at[i]);
    const ir_symbol *r = ir_symbol_get(k->s->module, n->read.sym);
    if (r->place >= IR_XLINE || r->kind == IR_GIVEN) continue;
    bool own = r->place == q->place && is_own_point(n);
    bool equation = r->kind == IR_EQUATION && r->root[0], ghost = gives(k->rule, IR_GHOST, n->read.sym);
    if (own ? !equation || !holds_behind(k, axis, n->read.sym)
            : (equation && !ghost) || !is_face_along(n, r, q->place, axis))
      return false;
  }
  return true;
}

static bool holds_behind(rule_check *k, int axis, ir_sym sym) {
  if (!k->behind[sym]) k->behind[sym] = find_behind(k, axis, sym) ? 1 : 2;
  return k->behind[sym] == 1;
}

static bool given_beyond(rule_check *k, ir_sym sym, bool written_out);

static bool operands_given(rule_check *k, ir_sym sym) {
  if (k->given[sym]) return k->given[sym] == 1;
  const id_list *reads = &k->formula[sym].reads;
  k->given[sym] = 1;
  for (int i = 0; i < reads->n; i++)
    if (!given_beyond(k, ir_get(k->s->module, reads->at[i])->read.sym, true)) k->given[sym] = 2;
  return k->given[sym] == 1;
}

/* By the rule itself, or, of an equation, by what it reads at the same point. */
static bool given_beyond(rule_check *k, ir_sym sym, bool written_out) {
  const ir_symbol *q = ir_symbol_get(k->s->module, sym);
  if (gives(k->rule, IR_GHOST, sym) || q->kind != IR_EQUATION || !q->root[0]) return true;
  return k->formula[sym].pointwise && (!written_out || operands_given(k, sym));
}

static uint64_t bit_of(const rule_check *k) { return UINT64_C(1) << (k->rule - k->s->module->rule.at) % 64; }

/* Does the value at a point on the boundary read what nothing gives, beyond or there? */
static bool is_open_on(rule_check *k, int axis, ir_sym sym) {
  sema *s = k->s;
  const id_list *reads = &k->formula[sym].reads;
  bool open = false;
  for (int i = 0; i < reads->n; i++) {
    const ir_node *n = ir_get(s->module, reads->at[i]);
    const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
    if (q->kind != IR_EQUATION || q->place >= IR_XLINE) continue;
    int low = n->read.off[axis], high = low + 1 - ir_place_on_faces(q->place, axis), deep = -low > high ? -low : high;
    bool touches = ir_place_on_faces(q->place, axis) && (low == 0 || high == 0);
    if (touches && q->open_on & bit_of(k)) open = true;
    if (deep <= 0 || gives(k->rule, IR_GHOST, n->read.sym) || given_beyond(k, n->read.sym, true)) continue;
    open = open || deep > 1 || !holds_behind(k, axis, n->read.sym);
  }
  return open;
}

/* On the boundary an equation may be shown that the step does not ask for there. What is read comes first. */
static void note_shown_on_walls(rule_check *k, int axis) {
  for (ir_sym i = 1; i < (ir_sym)k->s->module->symbol.n; i++) {
    ir_symbol *q = ir_symbol_get(k->s->module, i);
    bool computed = q->kind == IR_EQUATION && q->root[0] && ir_place_on_faces(q->place, axis);
    if (!computed || gives(k->rule, IR_FIX, i)) continue;
    if (is_open_on(k, axis, i)) q->open_on |= bit_of(k);
  }
}

/* What is read of equations beyond a wall; of what the step reads, an output at more points does not count. Readers come first: where a
 * rule gives one, what it reads is not asked for. */
static void check_equations_beyond(rule_check *k, int axis) {
  sema *s = k->s;
  const ir_rule *r = k->rule;
  reach *all = arena_array(s->memory, reach, s->module->symbol.n);
  for (ir_sym g = 1; g < (ir_sym)s->module->symbol.n; g++) {
    const ir_symbol *q = ir_symbol_get(s->module, g);
    if (q->kind == IR_GLOBAL) reach_reductions(s, q->root[0], axis, reader_of(q), all);
  }
  for (int i = 0; i < s->module->require.n; i++) {
    const ir_require *q = &s->module->require.at[i];
    reach_from(s, q->condition, axis, (consumer){q->place, 0, 0, reader_of_require(q)}, all);
  }
  reach_statements(s, r, axis, s->module->step.at, s->module->step.n, all);
  reach_equations(k, axis, true, all);
  for (ir_sym g = 1; g < (ir_sym)s->module->symbol.n; g++) { /* what nobody reads is for output */
    const ir_symbol *q = ir_symbol_get(s->module, g);
    all[g].used |= q->kind == IR_EQUATION && !ir_place_on_faces(q->place, axis);
  }
  reach_equations(k, axis, true, all);
  bool *told = arena_array(s->memory, bool, s->module->symbol.n);
  k->given = arena_array(s->memory, char, s->module->symbol.n);
  k->behind = arena_array(s->memory, char, s->module->symbol.n);
  for (ir_sym i = (ir_sym)s->module->symbol.n - 1; i > 0; i--) {
    int deep = -all[i].low > all[i].high ? -all[i].low : all[i].high;
    if (!all[i].used || deep <= 0 || given_beyond(k, i, all[i].written_out)) continue;
    if (deep == 1 && holds_behind(k, axis, i)) continue;
    if (!told[all[i].by.sym]) report_missing(k, ir_symbol_get(s->module, i)->text, &all[i].by);
    told[i] = true;
  }
  note_shown_on_walls(k, axis);
}

static void check_grid_rule(rule_check *k, int axis) {
  sema *s = k->s;
  const ir_rule *r = k->rule;
  reach *all = arena_array(s->memory, reach, s->module->symbol.n);
  reach_outputs(s, axis, all);
  reach_statements(s, r, axis, s->module->step.at, s->module->step.n, all);
  reach_equations(k, axis, false, all);
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    if (q->kind != IR_STATE || !all[i].used || (all[i].low >= 0 && all[i].high <= 0)) continue;
    if (!gives(r, IR_GHOST, (ir_sym)i)) report_missing(k, q->text, &all[i].by);
  }
  check_equations_beyond(k, axis);
}

void check_completeness(sema *s) {
  const formula *formulas = s->module->on_grid ? find_formulas(s) : NULL;
  for (int i = 1; i < s->module->rule.n; i++) {
    const ir_rule *r = &s->module->rule.at[i];
    if (!s->module->on_grid) check_mesh_rule(s, r);
    rule_check k = rule_check_of(s, r);
    k.formula = formulas;
    for (int axis = 0; s->module->on_grid && axis < s->dims; axis++)
      if (!r->axis || r->axis == "xyz"[axis]) check_grid_rule(&k, axis);
  }
}
