/* Equations: lowered on demand, in any order; blocks, globals, mesh integrals, matrices, instances of operators. */
#include <ctype.h>
#include <string.h>

#include "sema/internal.h"

context context_at(ir_place place, const char *why) { return (context){.place = place, .why = why}; }

/* ---- cycles ---------------------------------------------------------------------------------------------------- */

static void report_cycle(sema *s, entity *e, span at) {
  diag *d = complain(s, DIAG_CIRCULAR, at, "`%s` depends on itself", e->text);
  int first = s->stack.n - 1;
  while (first > 0 && s->stack.at[first] != e) first--;
  for (int i = first; i < s->stack.n; i++) {
    entity *next = i + 1 < s->stack.n ? s->stack.at[i + 1] : e;
    diag_with_span(s->sink, d, s->stack.at[i]->at, "`%s` needs `%s`", s->stack.at[i]->text, next->text);
  }
  diag_with_hint(
      s->sink, d,
      "what is known before the step is a state; `.prev` of an equation asks for the equation itself");
}

/* ---- adding symbols ------------------------------------------------------------------------------------------------ */

void check_letters(sema *s, const ast_head *h, ir_place place) {
  static const char *const letters[IR_PLACE_COUNT][3] = {
      [IR_CELLS] = {"c"}, [IR_FACES] = {"f"}, [IR_NODES] = {"I"}, [IR_EDGES] = {"I", "J"}};
  static const char *const grid_letters[3] = {"i", "j", "k"};
  const char *const *want = s->module->on_grid ? grid_letters : letters[place];
  int n = s->module->on_grid ? s->dims : place == IR_EDGES ? 2 : 1;
  bool good = h->n_index == n;
  for (int i = 0; i < h->n_index && good; i++) good = want[i] && strcmp(h->index[i], want[i]) == 0;
  if (good || h->n_index == 0) return;
  const char *list = want[0];
  for (int i = 1; i < n; i++) list = arena_printf(s->memory, "%s,%s", list, want[i]);
  complain(s, DIAG_INDEX_BRACKETS, h->index_at[0],
           "the letters of %s are [%s]; a left side may repeat them, not "
           "choose others",
           ir_place_text(place), list);
}

static value fit_declared(sema *s, const ast_decl *d, value v) {
  if (v.bad) return v;
  refuse_whole(s, d->head.text, d->type);
  if (is_unit_of_condition(s, v, d->unit, d->head.text)) return bad_value(v.at);
  if (d->type) {
    value_type t = declared_type(s, d->type, d->unit ? lower_unit(s, d->unit) : units_unknown(s->unit.units));
    v = adapt(s, v, t);
    if (!require_fits(s, v, t, d->type->at, arena_printf(s->memory, "`%s`", d->head.text)))
      return bad_value(v.at);
    v.type = t;
  } else if (d->unit && v.type.rank != IR_TUPLE_RANK && v.type.rank != IR_BOOL) {
    const unit *u = lower_unit(s, d->unit);
    if (!require_unit(s, v, u, arena_printf(s->memory, "`%s`", d->head.text))) return bad_value(v.at);
    v.type.unit = u;
  }
  return v;
}

static void note_parts(sema *s, ir_symbol *sym, value_type t, const ast_body *body) {
  sym->tuple.n_parts = t.n_parts;
  for (int i = 0; i < t.n_parts && i < 16; i++) {
    sym->tuple.part[i] = (uint8_t)t.part[i].n;
    const ast_expr *e = body && body->expr->kind == AST_TUPLE ? body->expr->arg[i] : NULL;
    entity *q = e && e->kind == AST_NAME ? find_entity(s, e->text) : NULL;
    if (q && q->kind == ENTITY_STATE) sym->tuple.part_sym[i] = q->sym;
  }
}

static void add_equation(sema *s, entity *e, value v, const ast_body *body, const char *tag) {
  if (v.zero && v.type.unit == NULL && v.type.rank != IR_TUPLE_RANK)
    v.type.unit = units_unknown(s->unit.units);
  if (v.type.rank != IR_TUPLE_RANK) v.type.unit = units_resolved(s->unit.units, v.type.unit);
  e->type = v.type;
  e->zero = v.zero && e->place != IR_NOWHERE && !e->ruled && !e->decl->type && !e->decl->unit;
  ir_symbol sym = {.text = e->text,
                   .kind = e->place == IR_NOWHERE ? IR_GLOBAL : IR_EQUATION,
                   .place = e->place,
                   .type = ir_type_of(v.type),
                   .dims = s->dims,
                   .root = {v.id},
                   .at = e->at,
                   .tag = tag};
  if (v.type.rank == IR_TUPLE_RANK) note_parts(s, &sym, v.type, body);
  ir_name(s->module, v.id, e->text, tag, e->at);
  e->sym = ir_symbol_add(s->module, sym);
  e->progress = DONE;
}

/* ---- mesh integrals --------------------------------------------------------------------------------------------------- */

static void lower_integral(sema *s, entity *e) {
  bool plain;
  e->progress = FAILED;
  value v = lower_mesh_integral(s, e, &plain);
  if (plain) e->progress = DONE;
  if (plain || v.bad) return;
  v = fit_declared(s, e->decl, v);
  if (!v.bad) add_equation(s, e, v, &e->decl->body, e->decl->tag);
}

/* ---- plain equations and globals ---------------------------------------------------------------------------------------- */

void report_flux_place(sema *s, ir_place place, span at) {
  diag *d = complain(s, DIAG_WRONG_PLACE, at, "a flux lives at faces, not at %s", ir_place_text(place));
  if (s->module->on_grid)
    diag_with_hint(s->sink, d,
                   "on a grid write a plain equation at xfaces or yfaces, and its difference in the cells");
}

static void lower_plain(sema *s, entity *e, const binding *env) {
  const ast_decl *d = e->decl;
  check_letters(s, &d->head, e->place);
  context c = context_at(e->place, arena_printf(s->memory, "`%s`", e->text));
  c.env = env;
  value v = fit_declared(s, d, lower_body(s, &c, &d->body));
  e->progress = FAILED;
  if (v.bad) return;
  if (d->is_flux && e->place != IR_FACES) {
    report_flux_place(s, e->place, d->place_at);
    return;
  }
  add_equation(s, e, v, &d->body, d->tag);
  if (d->is_flux) ir_symbol_get(s->module, e->sym)->is_flux = true;
  if (e->place == IR_FACES) infer_side(s, e->sym, e->at);
}

/* Does it reduce over a whole place? */
static bool reduces_all(const ast_expr *e) {
  for (; e->kind == AST_BINARY; e = e->arg[0]) /* a chain may be long */
    if (reduces_all(e->arg[1])) return true;
  if (e->kind == AST_REDUCTION) return e->binder->kind == AST_IN;
  for (int i = 0; i < e->n; i++)
    if (reduces_all(e->arg[i])) return true;
  return false;
}

static bool is_one_number(sema *s, const entity *e, value v) {
  if (v.bad) return false;
  if (v.type.rank == IR_SCALAR || v.type.rank == IR_BOOL)
    return require_scalar(s, v, arena_printf(s->memory, "`%s`", e->text));
  diag *d = complain(s, DIAG_RANK_MISMATCH, v.at,
                     "`%s` stands without a place, so it is one number, but this is a %s", e->text,
                     type_text(s, v.type));
  if (e->decl->body.expr && reduces_all(e->decl->body.expr))
    diag_with_hint(
        s->sink, d,
        "give what is reduced a name and its components a global each, as in  part @ cells = ...  and  "
        "%s_x = sum(c in cells) part.x  ; a state of one value may be a vector",
        e->text);
  else
    diag_with_hint(s->sink, d, "say where it lives, as in  %s @ cells = ...  or  %s @ nodes = ...", e->text,
                   e->text);
  return false;
}

static void lower_global(sema *s, entity *e) {
  context c = context_at(IR_NOWHERE, arena_printf(s->memory, "`%s`", e->text));
  value v = lower_body(s, &c, &e->decl->body);
  e->progress = FAILED;
  if (is_one_number(s, e, v)) {
    const unit *second = NULL;
    units_named(s->unit.units, "s", &second);
    if (strcmp(e->text, "dt") == 0 && !require_unit(s, v, second, "the time step")) return;
    add_equation(s, e, v, NULL, e->decl->tag);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------- */

static entity *result_entity(sema *s, const entity *block, const ast_result *r) {
  return find_entity(s, intern_str(s->names, arena_printf(s->memory, "%s.%s", block->text, r->text)));
}

static void mark_block(sema *s, entity *block, progress p) {
  const ast_decl *d = block->decl;
  block->progress = p;
  for (int i = 0; i < d->part.block.n; i++) {
    if (d->part.block.result[i].kind != AST_RESULT_NAME) continue;
    entity *part = result_entity(s, block, &d->part.block.result[i]);
    if (part && (p == IN_PROGRESS || part->progress == IN_PROGRESS)) part->progress = p;
  }
}

typedef struct block_values {
  value flux, to_l, to_r;
  const ast_result *flux_at, *to_l_at, *to_r_at;
} block_values;

/* A block gives each thing once; what two results contradict each other in is told at the second. */
static bool is_first(sema *s, entity *block, const ast_result *r, const ast_result *before,
                     const char *what) {
  if (!before) return true;
  if (block->progress == FAILED) return false;
  block->progress = FAILED;
  diag *d = complain(s, DIAG_DUPLICATE_NAME, r->at, "`%s` gives %s twice", block->text, what);
  diag_with_span(s->sink, d, before->at, "it was given here");
  return false;
}

static void lower_result(sema *s, entity *block, const ast_result *r, context *c, block_values *b) {
  if (r->kind == AST_RESULT_LET) {
    c->env = bind_all(s, c, r->bindings, r->n_bindings);
    return;
  }
  context part = *c;
  part.to_l = r->kind == AST_RESULT_TO_L;
  part.to_r = r->kind == AST_RESULT_TO_R;
  value v = lower_body(s, &part, &r->body);
  switch (r->kind) {
  case AST_RESULT_FLUX:
    if (is_first(s, block, r,
                 b->to_l_at   ? b->to_l_at
                 : b->to_r_at ? b->to_r_at
                              : b->flux_at,
                 "what its cells get"))
      b->flux = v, b->flux_at = r;
    break;
  case AST_RESULT_TO_L:
    if (is_first(s, block, r, b->flux_at ? b->flux_at : b->to_l_at, "what its cells get"))
      b->to_l = v, b->to_l_at = r;
    break;
  case AST_RESULT_TO_R:
    if (is_first(s, block, r, b->flux_at ? b->flux_at : b->to_r_at, "what its cells get"))
      b->to_r = v, b->to_r_at = r;
    break;
  case AST_RESULT_LET: break;
  case AST_RESULT_NAME: {
    entity *named = result_entity(s, block, r);
    c->env = bind_value(s, c->env, r->text, v);
    if (!named || v.bad) break;
    add_equation(s, named, v, &r->body, r->tag ? r->tag : block->decl->tag);
    if (named->place == IR_FACES) infer_side(s, named->sym, r->at);
    break;
  }
  }
}

static bool finish_fluctuation(sema *s, entity *block, block_values *b) {
  if (!b->to_l_at || !b->to_r_at) {
    diag *d = complain(s, DIAG_SIDED, (b->to_l_at ? b->to_l_at : b->to_r_at)->at,
                       "`%s` says what `to %s` gets, but not `to %s`", block->text, b->to_l_at ? "L" : "R",
                       b->to_l_at ? "R" : "L");
    diag_with_hint(s->sink, d, "if both get the same with opposite signs, write flux = ... instead");
    return false;
  }
  value l = adapt(s, b->to_l, b->to_r.type), r = adapt(s, b->to_r, b->to_l.type);
  if (!require_same(s, l, r, b->to_r_at->at, "what the two cells get")) return false;
  add_equation(s, block, l, &b->to_l_at->body, b->to_l_at->tag ? b->to_l_at->tag : block->decl->tag);
  ir_symbol *sym = ir_symbol_get(s->module, block->sym);
  sym->root[IR_TO_R] = r.id;
  sym->is_fluctuation = true;
  return true;
}

static void lower_block(sema *s, entity *part) {
  const ast_decl *d = part->decl;
  entity *block = find_entity(s, d->head.text);
  check_letters(s, &d->head, block->place);
  mark_block(s, block, IN_PROGRESS);
  context c = context_at(block->place, arena_printf(s->memory, "`%s`", block->text));
  block_values b = {0};
  for (int i = 0; i < d->part.block.n; i++) lower_result(s, block, &d->part.block.result[i], &c, &b);
  bool faces = block->place == IR_FACES;
  if ((b.flux_at || b.to_l_at || b.to_r_at) && !faces) report_flux_place(s, block->place, d->place_at);
  else if (b.flux_at && !b.flux.bad) {
    add_equation(s, block, b.flux, &b.flux_at->body, b.flux_at->tag ? b.flux_at->tag : d->tag);
    ir_symbol_get(s->module, block->sym)->is_flux = true;
    infer_side(s, block->sym, b.flux_at->at);
  } else if ((b.to_l_at || b.to_r_at) && !b.to_l.bad && !b.to_r.bad && finish_fluctuation(s, block, &b))
    infer_side(s, block->sym, block->at);
  bool failed =
      block->progress == FAILED || (b.flux_at && b.flux.bad) || ((b.to_l_at || b.to_r_at) && !block->sym);
  mark_block(s, block, FAILED);
  block->progress = failed ? FAILED : DONE;
}

/* ---- matrices --------------------------------------------------------------------------------------------------------------- */

static bool is_of_diagonal(const ast_assign *a) {
  const ast_head *h = &a->target;
  return h->n_index == 2 && strcmp(h->index[0], h->index[1]) == 0;
}

/* H[I,J] = ... at edges, H[I,I] = ... at nodes. False if it cannot be used, for a reason told here or before. */
static bool lower_entry(sema *s, entity *e, const ast_assign *a) {
  const ast_head *h = &a->target;
  bool two = h->text == e->text && h->n_index == 2 && strcmp(h->index[0], "I") == 0;
  bool off = two && strcmp(h->index[1], "J") == 0, diagonal = two && strcmp(h->index[1], "I") == 0;
  int root = off ? 0 : IR_DIAGONAL;
  if (!off && !diagonal) {
    complain(s, DIAG_MATRIX_FORM, h->at, "the entries of matrix `%s` are %s[I,J] and %s[I,I]", e->text,
             e->text, e->text);
    return false;
  }
  if (ir_symbol_get(s->module, e->sym)->root[root]) {
    complain(s, DIAG_MATRIX_FORM, h->at, "%s[I,%c] is given twice", e->text, off ? 'J' : 'I');
    return false;
  }
  context c =
      context_at(off ? IR_EDGES : IR_NODES, arena_printf(s->memory, "%s[I,%c]", e->text, off ? 'J' : 'I'));
  value v = lower_body(s, &c, &a->body);
  if (v.bad || !require_scalar(s, v, "an entry of a matrix")) return false;
  require_unit(s, v, e->type.unit, arena_printf(s->memory, "an entry of `%s`", e->text));
  ir_symbol_get(s->module, e->sym)->root[root] = v.id;
  return true;
}

bool require_symmetric(sema *s, entity *e, span at, const char *why) {
  if (is_symmetric(s, e->sym)) return true;
  diag *d = complain(s, DIAG_NOT_SYMMETRIC, at, "matrix `%s` is not symmetric, but %s", e->text, why);
  diag_with_span(s->sink, d, e->at, "%s[I,J] changes when I and J change places", e->text);
  diag_with_hint(
      s->sink, d,
      "use mean(...) of quantities at nodes; `bicgstab` and `gmres` solve systems that are not symmetric");
  return false;
}

static void lower_matrix(sema *s, entity *e) {
  const ast_decl *d = e->decl;
  ir_place place;
  e->progress = FAILED;
  if (!find_place(s, d->place, d->place_at, &place)) return;
  if (place != IR_NODES) {
    complain(s, DIAG_MATRIX_FORM, d->place_at,
             "a matrix belongs to nodes: its rows and columns are nodes, not %s", d->place);
    return;
  }
  e->type = type_scalar(units_unknown(s->unit.units));
  ir_symbol sym = {.text = e->text,
                   .kind = IR_MATRIX,
                   .place = IR_EDGES,
                   .type = ir_scalar(),
                   .dims = s->dims,
                   .symmetric = d->part.matrix.symmetric,
                   .at = e->at,
                   .tag = d->tag};
  e->sym = ir_symbol_add(s->module, sym);
  int errors = diag_errors(s->sink);
  bool entries = true;
  e->progress = IN_PROGRESS; /* those beside the diagonal read no entries, be it through equations; */
  for (int i = 0; i < d->part.matrix.n_assign; i++)
    if (!is_of_diagonal(&d->part.matrix.assign[i]))
      entries = lower_entry(s, e, &d->part.matrix.assign[i]) && entries;
  e->progress = entries ? DONE : FAILED; /* the diagonal may read those */
  for (int i = 0; i < d->part.matrix.n_assign; i++)
    if (is_of_diagonal(&d->part.matrix.assign[i]))
      entries = lower_entry(s, e, &d->part.matrix.assign[i]) && entries;
  if (!entries || diag_errors(s->sink) > errors) {
    e->progress = FAILED;
    return;
  }
  ir_symbol *m = ir_symbol_get(s->module, e->sym);
  if (!m->root[0] || !m->root[IR_DIAGONAL]) {
    diag *g = complain(s, DIAG_MATRIX_FORM, e->at, "matrix `%s` does not say what %s[I,%c] is", e->text,
                       e->text, m->root[0] ? 'I' : 'J');
    diag_with_hint(s->sink, g,
                   "%s[I,J] = ... gives the entries beside the diagonal, %s[I,I] = ... those on it", e->text,
                   e->text);
  } else if (d->part.matrix.symmetric) require_symmetric(s, e, e->at, "it is declared symmetric");
  if (diag_errors(s->sink) > errors) e->progress = FAILED;
}

/* ---- operators with field arguments ------------------------------------------------------------------------------------------- */

static ast_expr *copy_expr(sema *s, const ast_expr *e) {
  ast_expr *copy = arena_new(s->memory, ast_expr);
  *copy = *e;
  copy->arg = arena_array(s->memory, ast_expr *, e->n + 1);
  for (int i = 0; i < e->n; i++) copy->arg[i] = e->arg[i];
  return copy;
}

/* A copy of `e` in which arguments of the surrounding operator are replaced by the fields they stand for. */
static const ast_expr *substitute(sema *s, const ast_expr *e, const binding *env, bool *local) {
  for (const binding *b = env; e->kind == AST_NAME && b; b = b->next) {
    if (b->text != e->text) continue;
    if (b->kind == BIND_FIELD) return b->field;
    *local = true;
    return e;
  }
  if (e->n == 0) return e;
  /* the left spine may be long: it is copied in a loop */
  ast_expr *top = NULL, **hole = &top;
  for (; e->kind == AST_BINARY; e = e->arg[0]) {
    ast_expr *copy = copy_expr(s, e);
    copy->arg[1] = (ast_expr *)substitute(s, e->arg[1], env, local);
    *hole = copy;
    hole = &copy->arg[0];
  }
  if (top) {
    *hole = (ast_expr *)substitute(s, e, env, local);
    return top;
  }
  top = copy_expr(s, e);
  for (int i = 0; i < e->n; i++) top->arg[i] = (ast_expr *)substitute(s, e->arg[i], env, local);
  return top;
}

entity *instantiate(sema *s, entity *e, const ast_expr *call, const context *c) {
  const ast_head *h = &e->decl->head;
  e->used = true;
  if (e->progress == FAILED) return NULL;
  if (call->n - 1 != h->n_params) {
    diag *d = complain(s, DIAG_WRONG_ARGUMENT_COUNT, call->at, "`%s` takes %d field%s, not %d", e->text,
                       h->n_params, h->n_params == 1 ? "" : "s", call->n - 1);
    diag_with_span(s->sink, d, e->at, "`%s` is defined here", e->text);
    return NULL;
  }
  bool local = false;
  const binding *env = NULL;
  const char *key = e->text;
  for (int i = 0; i < h->n_params; i++) {
    const ast_expr *field = substitute(s, call->arg[1 + i], c->env, &local);
    binding *b = arena_new(s->memory, binding);
    *b = (binding){.text = h->param[i], .kind = BIND_FIELD, .field = field, .next = env};
    env = b;
    key = arena_printf(s->memory, "%s%s%s", key, i ? ", " : "(", ast_expr_text(s->memory, field));
  }
  if (local) {
    diag *d = complain(s, DIAG_NOT_CALLABLE, call->at,
                       "the argument of operator `%s` is a field of the mesh: it cannot "
                       "use local names",
                       e->text);
    diag_with_hint(s->sink, d, "make it an equation with a name of its own");
    return NULL;
  }
  name text = intern_str(s->names, arena_printf(s->memory, "%s)", key));
  entity *instance = name_map_get(s->table.instances, text);
  if (instance) return instance;
  instance = arena_new(s->memory, entity);
  *instance =
      (entity){.text = text, .kind = ENTITY_EQUATION, .decl = e->decl, .at = e->at, .place = e->place};
  name_map_put(s->table.instances, text, instance);
  vec_push(s->memory, &s->stack, instance);
  instance->progress = IN_PROGRESS;
  int errors = diag_errors(s->sink);
  lower_plain(s, instance, env);
  if (diag_errors(s->sink) > errors) note_use(s, call->at, e->text);
  s->stack.n--;
  return instance;
}

/* ---- on demand ------------------------------------------------------------------------------------------------------------------- */

bool ensure(sema *s, entity *e, span at) {
  if (e->progress == IN_PROGRESS) {
    report_cycle(s, e, at);
    return false;
  }
  if (e->progress != UNTOUCHED) return e->progress == DONE;
  bool lowered = e->kind == ENTITY_EQUATION || e->kind == ENTITY_GLOBAL || e->kind == ENTITY_MATRIX;
  if (!lowered || (e->kind == ENTITY_EQUATION && e->decl->head.n_params > 0)) {
    report_wrong_kind(s, e, at);
    return false;
  }
  if (s->effort.gave_up) return false;
  vec_push(s->memory, &s->stack, e);
  e->progress = IN_PROGRESS;
  if (e->kind == ENTITY_MATRIX) lower_matrix(s, e);
  else if (e->kind == ENTITY_GLOBAL) lower_global(s, e);
  else if (e->has_block) lower_block(s, e);
  else if (is_mesh_integral(&e->decl->body)) lower_integral(s, e);
  else lower_plain(s, e, NULL);
  s->stack.n--;
  return e->progress == DONE;
}
