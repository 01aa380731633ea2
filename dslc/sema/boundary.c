/* Boundary rules: what a rule gives (ghosts, fixed values, fluxes, additions). */
#include <string.h>

#include "sema/internal.h"

/* ---- declaring ---------------------------------------------------------------------------------------------- */

static int axis_of(const ast_decl *d) {
  return d->part.boundary.axis && strlen(d->part.boundary.axis) == 1 ? *d->part.boundary.axis - 'x' : -1;
}

/* Is the rule's axis one of the grid? Without one it holds for all. */
static bool check_axis(sema *s, const ast_decl *d) {
  int axis = axis_of(d);
  if (!d->part.boundary.axis || (s->module->on_grid && axis >= 0 && axis < s->dims)) return true;
  if (s->module->on_grid)
    complain(s, DIAG_RULE_TARGET, d->part.boundary.axis_at, "a grid in %dD has no axis `%s`", s->dims,
             d->part.boundary.axis);
  else
    complain(s, DIAG_RULE_TARGET, d->part.boundary.axis_at,
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
    if (old->text != d->text || (d->part.boundary.axis && old->axis && old->axis != *d->part.boundary.axis))
      continue;
    report_second_rule(s, old, d);
  }
  ir_rule rule = {
      .text = d->text, .axis = d->part.boundary.axis ? *d->part.boundary.axis : '\0', .at = d->name_at};
  vec_push(s->memory, &s->module->rule, rule);
  for (int i = 0; i < d->part.boundary.n_rules; i++) {
    entity *target = d->part.boundary.rules[i].kind != AST_RULE_LET
                         ? find_entity(s, d->part.boundary.rules[i].target.text)
                         : NULL;
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
    sym.bounds = lower_bounds(s, p, t, sym.root[0]);
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
  case AST_RULE_FLUX: return !grid && e->place == IR_FACES && e->kind != ENTITY_STATE;
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

/* For the hint. */
static diag *refuse_target(sema *s, const ast_rule *r, const entity *e, const char *what) {
  diag *d = complain(s, DIAG_RULE_TARGET, r->target.at, "`%s` cannot act on `%s`, which is %s",
                     rule_word(r->kind), e->text, what);
  diag_with_span(s->sink, d, e->at, "`%s` is declared here", e->text);
  return d;
}

/* What such a state becomes at a boundary is said of the equation that its step assigns. */
static void report_state_at_faces(sema *s, const ast_rule *r, const entity *e) {
  diag *d = refuse_target(s, r, e, "a state at faces");
  diag_with_hint(
      s->sink, d,
      "name what it becomes, as in  %snext @ faces = %s + ... , say  flux next = ...  in the rule, and "
      "write  update %s = next",
      ir_symbol_get(s->module, e->sym)->is_flux ? "flux " : "", e->text, e->text);
}

/* An equation at nodes that stands in the diagonal takes what a rule adds. */
static void report_matrix(sema *s, const ast_rule *r, const entity *e) {
  diag *d = refuse_target(s, r, e, "a matrix");
  diag_with_hint(
      s->sink, d,
      r->kind == AST_RULE_FIX
          ? "fix the unknown: its rows become those of the held values"
          : "give the diagonal an equation of its own,  loss @ nodes = 0  and  %s[I,I] = ... + loss , "
            "and add to that:  add loss = h*area",
      e->text);
}

static bool is_operator(const entity *e) { return e->kind == ENTITY_EQUATION && e->decl->head.n_params > 0; }

/* It is no quantity: each of its calls is one. */
static void report_operator(sema *s, const ast_rule *r, const entity *e) {
  diag *d = refuse_target(s, r, e, "an operator");
  const bool flux = e->decl->is_flux;
  diag_with_hint(s->sink, d,
                 "give its call a name,  %snamed @ %s = %s(...)  , read that, and say  %s named = ...",
                 flux ? "flux " : "", ir_place_text(e->place), e->text, rule_word(r->kind));
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
  if (is_operator(e)) {
    report_operator(s, r, e);
    return;
  }
  if (e->kind == ENTITY_MATRIX) {
    report_matrix(s, r, e);
    return;
  }
  if (!s->module->on_grid && e->place == IR_FACES && e->kind == ENTITY_STATE) {
    report_state_at_faces(s, r, e);
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
  if (e->kind == ENTITY_EQUATION && !is_operator(e) && !ensure(s, e, r->target.at)) return NULL;
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
static ir_place place_of_line(const sema *s, const ast_rule *r) {
  if (s->module->on_grid) return IR_NOWHERE;
  return r->kind == AST_RULE_FIX || r->kind == AST_RULE_ADD ? IR_NODES : IR_FACES;
}

/* Does the value that a fix at nodes replaces stand in its formula? Then it is a projection, whatever becomes of the formula: this is decided
 * here, of the scheme as it is written. What an equation or a global makes of the value is another one. */
static bool is_projection(const sema *s, const entity *e, ir_rule_kind kind, ir_id root) {
  const ir_module *m = s->module;
  if (kind != IR_FIX || m->on_grid || ir_symbol_get(m, e->sym)->place != IR_NODES) return false;
  const ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if (n->op == IR_READ && n->read.sym == e->sym) return true;
  }
  return false;
}

static void add_entry(sema *s, const context *c, const ast_rule *r, uint32_t number) {
  entity *e = rule_target(s, r, c->rule->axis);
  if (!e) return;
  check_letters(s, &r->target, e->place);
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
  entry.projection = is_projection(s, e, entry.kind, v.id);
  ir_entry_add(s->module, (int)number, entry);
}

/* ---- what `let` names in a rule ------------------------------------------------------------------------------------------ */

typedef VEC(name) name_list;

static void add_names(sema *s, name_list *to, const ast_expr *e) {
  for (; e->kind == AST_BINARY; e = e->arg[0]) add_names(s, to, e->arg[1]); /* a chain may be long */
  if (e->text) vec_push(s->memory, to, e->text);
  for (int i = 0; i < e->n; i++) add_names(s, to, e->arg[i]);
}

/* By itself, or a part of it. */
static bool is_named(const name_list *all, const char *text) {
  const size_t n = strlen(text);
  for (int i = 0; i < all->n; i++)
    if (strncmp(all->at[i], text, n) == 0 && (!all->at[i][n] || all->at[i][n] == '.')) return true;
  return false;
}

static bool is_let(const ast_rule *r) { return r->kind == AST_RULE_LET; }

static void add_binding(sema *s, name_list *to, const ast_binding *b, bool *needed) {
  for (int k = 0; k < b->n_names; k++) *needed = *needed || is_named(to, b->names[k]);
  if (*needed) add_names(s, to, b->value);
}

/* By line: do lines at the place read what it names, themselves or through other names? */
static bool *lets_of_place(sema *s, const ast_decl *d, ir_place place) {
  const int n = d->part.boundary.n_rules;
  bool *needed = arena_array(s->memory, bool, n + 1);
  name_list read = {0};
  for (int i = n - 1; i >= 0; i--) {
    const ast_rule *r = &d->part.boundary.rules[i];
    for (int b = r->n_bindings - 1; b >= 0 && is_let(r); b--)
      add_binding(s, &read, &r->bindings[b], &needed[i]);
    if (is_let(r) || place_of_line(s, r) != place) continue;
    add_names(s, &read, r->body.expr);
    for (int b = 0; b < r->body.n_where; b++) add_names(s, &read, r->body.where[b].value);
  }
  return needed;
}

/* Lines at faces and lines at nodes may stand in one rule: what `let` names is that of the line that reads it. */
static void lower_rule(sema *s, const ast_decl *d, uint32_t number) {
  rule_scope scope = {.decl = d, .rule = number, .axis = axis_of(d)};
  const ir_place places[2] = {s->module->on_grid ? IR_NOWHERE : IR_FACES, IR_NODES};
  const bool *needed[2] = {lets_of_place(s, d, places[0]), lets_of_place(s, d, places[1])};
  context c[2];
  for (int k = 0; k < 2; k++) {
    c[k] = (context){.rule = &scope, .why = arena_printf(s->memory, "boundary rule `%s`", d->text)};
    c[k].place = places[k];
    c[k].env = k ? c[0].env : rule_arguments(s, d, number);
  }
  for (int i = 0; i < d->part.boundary.n_rules; i++) {
    const ast_rule *r = &d->part.boundary.rules[i];
    if (!is_let(r)) add_entry(s, &c[place_of_line(s, r) == IR_NODES], r, number);
    for (int k = 0; k < 2 && is_let(r); k++)
      if (needed[k][i] || (k == 0 && !needed[1][i]))
        c[k].env = bind_all(s, &c[k], r->bindings, r->n_bindings);
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
