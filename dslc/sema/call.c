/* Calls and reductions: built-in functions, functions of the scheme (expanded), operators (instantiated), sums. */
#include <math.h>
#include <string.h>

#include "sema/internal.h"

enum { MAX_ARGUMENTS = 16 };

static bool count_arguments(sema *s, const ast_expr *e, const char *what, int least, int most) {
  int n = e->n - 1;
  if (n >= least && n <= most) return true;
  if (n > most && most > least) {
    complain(s, DIAG_WRONG_ARGUMENT_COUNT, e->at, "`%s` takes at most %d arguments, not %d", what, most, n);
    return false;
  }
  if (least == most)
    complain(s, DIAG_WRONG_ARGUMENT_COUNT, e->at, "`%s` takes %d argument%s, not %d", what, least,
             least == 1 ? "" : "s", n);
  else
    complain(s, DIAG_WRONG_ARGUMENT_COUNT, e->at, "`%s` takes at least %d arguments, not %d", what, least, n);
  return false;
}

/* ---- mean and jump ------------------------------------------------------------------------------------------- */

typedef struct two_ends {
  ir_place place;
  ir_at first, second;
} two_ends;

static bool ends_of(const context *c, two_ends *out) {
  if (c->place == IR_FACES && !c->rule) *out = (two_ends){IR_CELLS, IR_AT_L, IR_AT_R};
  else if (c->place == IR_EDGES) *out = (two_ends){IR_NODES, IR_AT_I, IR_AT_J};
  else if (c->place == IR_CELLS && c->loop && c->binder == IR_OVER_FACES)
    *out = (two_ends){IR_CELLS, IR_AT_HERE, IR_AT_D};
  else if (c->place == IR_NODES && c->loop && c->binder == IR_OVER_NEAR)
    *out = (two_ends){IR_NODES, IR_AT_HERE, IR_AT_J};
  else return false;
  return true;
}

static value lower_ends(sema *s, const context *c, const ast_expr *e, bool mean) {
  const char *what = mean ? "mean" : "jump";
  if (!count_arguments(s, e, what, 1, 1)) return bad_value(e->at);
  two_ends ends;
  if (c->anchored || !ends_of(c, &ends)) {
    diag *d = complain(s, DIAG_WRONG_PLACE, e->at,
                       "`%s` needs two ends: it stands at faces, at edges, or in a sum "
                       "over neighbours",
                       what);
    if (s->module->on_grid)
      diag_with_hint(s->sink, d, "on a grid write the two by their indices, as in (s[i] + s[i-1])/2");
    else diag_with_hint(s->sink, d, "indices in scope: %s", scope_text(s, c));
    return bad_value(e->at);
  }
  context inner = *c;
  inner.anchored = true;
  inner.anchor_place = ends.place;
  inner.anchor = ends.first;
  value a = lower_expr(s, &inner, e->arg[1]);
  if (a.bad) return a;
  inner.anchor = ends.second;
  value b = lower_expr(s, &inner, e->arg[1]);
  if (!mean) return apply_binary(s, AST_SUB, b, a, e->at);
  value sum = apply_binary(s, AST_ADD, a, b, e->at);
  return apply_binary(s, AST_MUL, number_value(s, 0.5, e->at), sum, e->at);
}

/* ---- built-in functions ------------------------------------------------------------------------------------------ */

static int lower_arguments(sema *s, const context *c, const ast_expr *e, value *out) {
  int n = e->n - 1;
  for (int i = 0; i < n && i < MAX_ARGUMENTS; i++) out[i] = lower_expr(s, c, e->arg[1 + i]);
  return n < MAX_ARGUMENTS ? n : MAX_ARGUMENTS;
}

static value lower_clamp(sema *s, const context *c, const ast_expr *e) {
  value a[MAX_ARGUMENTS];
  if (!count_arguments(s, e, "clamp", 3, 3)) return bad_value(e->at);
  lower_arguments(s, c, e, a);
  value low = apply_function(s, IR_MAX, (value[]){a[0], a[1]}, 2, e->at);
  return apply_function(s, IR_MIN, (value[]){low, a[2]}, 2, e->at);
}

/* min and max take any number of arguments. */
static value lower_builtin(sema *s, const context *c, const ast_expr *e, ir_op op) {
  const ir_op_info *info = ir_op_get(op);
  bool many = op == IR_MIN || op == IR_MAX;
  if (!count_arguments(s, e, info->text, info->arity, many ? MAX_ARGUMENTS : info->arity))
    return bad_value(e->at);
  value a[MAX_ARGUMENTS];
  int n = lower_arguments(s, c, e, a);
  if (!many) return apply_function(s, op, a, n, e->at);
  for (int i = 1; i < n; i++) a[0] = apply_function(s, op, (value[]){a[0], a[i]}, 2, e->at);
  return a[0];
}

/* Of a node: whether it belongs to a set that the boundary rules make, see place_mask. */
static value is_marked(sema *s, ir_id mark, span where) {
  return apply_binary(s, AST_NE, scalar_value(s, mark, NULL, where), number_value(s, 0, where), where);
}

/* is_fixed(u): whether a rule's `fix` gives the value of the state u at the node that u is read at. */
static value lower_is_fixed(sema *s, const context *c, const ast_expr *e) {
  if (!count_arguments(s, e, "is_fixed", 1, 1)) return bad_value(e->at);
  value v = lower_expr(s, c, e->arg[1]);
  if (v.bad) return v;
  const ir_node *n = ir_get(s->module, v.id);
  const ir_symbol *q = n->op == IR_READ ? ir_symbol_get(s->module, n->read.sym) : NULL;
  if (!q || q->kind != IR_STATE || q->place != IR_NODES || n->read.level != IR_NOW) {
    diag *d = complain(s, DIAG_WRONG_PLACE, e->arg[1]->at, "`is_fixed` asks for a state at nodes");
    diag_with_hint(s->sink, d, "for example  is_fixed(u), is_fixed(u[J])  with  state u @ nodes");
    return bad_value(e->at);
  }
  ir_symbol mask = {.place = IR_NODES, .purpose.role = IR_HELD_MASK, .purpose.of = n->read.sym};
  ir_sym held = place_mask(s, arena_printf(s->memory, "held:%s", q->text), mask);
  return is_marked(s, ir_read(s->module, held, IR_NOW, (ir_at)n->read.at, NULL), e->at);
}

/* ---- functions of the scheme ------------------------------------------------------------------------------------------ */

static value lower_function(sema *s, const context *c, const ast_expr *e, entity *f) {
  const ast_head *h = &f->decl->head;
  f->used = true;
  if (!count_arguments(s, e, f->text, h->n_params, h->n_params)) {
    diag_with_span(s->sink, s->last, f->at, "`%s` is defined here", f->text);
    return bad_value(e->at);
  }
  if (f->progress == FAILED) return bad_value(e->at);
  if (f->progress == IN_PROGRESS) {
    diag *d = complain(s, DIAG_CIRCULAR, e->at, "function `%s` calls itself", f->text);
    diag_with_span(s->sink, d, f->at, "it is defined here; recursion cannot be expanded");
    diag_with_hint(s->sink, d, "write the terms out, or use sum over a range");
    return bad_value(e->at);
  }
  context inner = {
      .place = c->place, .in_function = true, .why = arena_printf(s->memory, "function `%s`", f->text)};
  for (int i = 0; i < h->n_params; i++)
    inner.env = bind_value(s, inner.env, h->param[i], lower_expr(s, c, e->arg[1 + i]));
  int errors = diag_errors(s->sink);
  f->progress = IN_PROGRESS;
  value v = lower_body(s, &inner, &f->decl->body);
  f->progress = UNTOUCHED;
  if (diag_errors(s->sink) == errors) return v;
  note_use(s, e->at, f->text);
  f->progress = FAILED; /* one call's errors are enough */
  return bad_value(e->at);
}

value lower_call(sema *s, const context *c, const ast_expr *e) {
  if (e->arg[0]->kind != AST_NAME) {
    complain(s, DIAG_NOT_CALLABLE, e->arg[0]->at,
             "only functions and operators can be called, by their name");
    return bad_value(e->at);
  }
  name f = e->arg[0]->text;
  entity *q = find_entity(s, f);
  ir_op op;
  if (q && q->kind == ENTITY_FUNCTION) return lower_function(s, c, e, q);
  if (q && q->kind == ENTITY_EQUATION && q->decl->head.n_params > 0) {
    entity *instance = instantiate(s, q, e, c);
    return instance ? read_entity(s, c, instance, IR_NOW, NULL, e->at) : bad_value(e->at);
  }
  if (strcmp(f, "mean") == 0 || strcmp(f, "jump") == 0) return lower_ends(s, c, e, *f == 'm');
  if (strcmp(f, "clamp") == 0) return lower_clamp(s, c, e);
  if (strcmp(f, "is_fixed") == 0) return lower_is_fixed(s, c, e);
  if (strcmp(f, "integral") == 0) {
    complain(s, DIAG_NOT_CALLABLE, e->at,
             "`integral` stands alone on the right of an equation at nodes or edges");
    return bad_value(e->at);
  }
  if (!q && strcmp(f, "table") == 0) return lower_table(s, c, e);
  if (!q && is_part_of_mesh(f)) return lower_part_of_mesh(s, c, e, NULL, e->at);
  if (ir_op_find_function(f, &op)) return lower_builtin(s, c, e, op);
  if (q && q->kind == ENTITY_GLOBAL && q->decl->head.n_params > 0) return bad_value(e->at); /* refused there */
  if (q) {
    diag *d = complain(s, DIAG_NOT_CALLABLE, e->at, "`%s` takes no arguments", f);
    diag_with_span(s->sink, d, q->at, "it is declared here");
    if (q->decl->over_time)
      diag_with_hint(
          s->sink, d,
          "what depends on time holds when its statement does; the stages of an integrator see it at theirs");
    else if (e->n == 2)
      diag_with_hint(s->sink, d,
                     "a product needs its `*`: `%s*(...)`; an index stands in brackets: `%s[...]`", f, f);
    return bad_value(e->at);
  }
  report_unknown(s, f, e->arg[0]->at, c);
  return bad_value(e->at);
}

/* ---- reductions ---------------------------------------------------------------------------------------------------------- */

static const ir_reduce reduce_kind[] = {
    [AST_SUM] = IR_SUM, [AST_MIN] = IR_REDUCE_MIN, [AST_MAX] = IR_REDUCE_MAX};

/* At nodes and at faces of a grid, the points that obey a rule are marked. */
static ir_id rule_mark(sema *s, uint32_t rule, ir_place place) {
  const char *set = arena_printf(s->memory, "on:%s", s->module->rule.at[rule].text);
  ir_symbol mask = {.place = place, .purpose.role = IR_RULE_MASK, .rule = rule};
  return ir_read(s->module, place_mask(s, set, mask), IR_NOW, IR_AT_HERE, NULL);
}

/* Where the rule is not obeyed, what changes no reduction of this kind. */
static value only_at_rule(sema *s, const ast_expr *e, value body, ir_place place, uint32_t rule) {
  double none = e->reduce == AST_SUM ? 0 : e->reduce == AST_MIN ? INFINITY : -INFINITY;
  value other = {
      .id = ir_const(s->module, none), .type = body.type, .zero = e->reduce == AST_SUM, .at = e->at};
  value marked = is_marked(s, rule_mark(s, rule, place), e->at);
  return apply_select(s, marked, body, adapt(s, other, body.type), e->at);
}

static value finish_reduction(sema *s, const ast_expr *e, value body, ir_binder binder, ir_place place,
                              uint32_t rule) {
  if (body.bad) return body;
  if (e->reduce != AST_SUM && !require_scalar(s, body, "what min and max are taken of"))
    return bad_value(e->at);
  if (body.type.rank == IR_BOOL) {
    require_scalar(s, body, "what is summed");
    return bad_value(e->at);
  }
  if (body.zero && e->reduce == AST_SUM) return body;
  if (rule && place != IR_FACES) {
    body = only_at_rule(s, e, body, place, rule);
    rule = 0;
  }
  body.id = ir_reduction(s->module, reduce_kind[e->reduce], binder, place, rule, body.id);
  return body;
}

/* Loops do not nest: the inner sum is a quantity of its own, evaluated once per cell or node. */
static bool is_outermost(sema *s, const context *c, const ast_expr *e) {
  if (!c->loop) return true;
  diag *d = complain(s, DIAG_REDUCTION_RANGE, e->at,
                     "a reduction inside another one over the neighbours of the same %s",
                     c->place == IR_CELLS ? "cell" : "node");
  diag_with_hint(s->sink, d, "make the inner one an equation of its own and use its name here");
  return false;
}

/* The letters of a reduction are new: `sum(I near I)` could not tell its two nodes apart. */
static bool letters_are_new(sema *s, const context *c, const ast_binder *b) {
  anchor a[6];
  int n = anchors_of(c, a);
  for (int i = 0; i < n; i++) {
    if (!a[i].letter) continue;
    bool var = strcmp(a[i].letter, b->var) == 0, other = b->other && strcmp(a[i].letter, b->other) == 0;
    if (!var && !other) continue;
    diag *d = complain(s, DIAG_REDUCTION_RANGE, var ? b->var_at : b->other_at,
                       "`%s` is an index here already", a[i].letter);
    diag_with_hint(s->sink, d, "choose another letter; in scope are %s", scope_text(s, c));
    return false;
  }
  if (!b->other || strcmp(b->other, b->var) != 0) return true;
  complain(s, DIAG_REDUCTION_RANGE, b->other_at, "`%s` stands for the face and for the cell behind it",
           b->var);
  return false;
}

static value lower_over_faces(sema *s, const context *c, const ast_expr *e) {
  const ast_binder *b = e->binder;
  const char *here = c->self ? c->self : "c";
  if (c->place != IR_CELLS || c->anchored || strcmp(b->anchor, here) != 0) {
    diag *d = complain(s, DIAG_REDUCTION_RANGE, b->at,
                       "`%s of %s` runs over the faces of a cell, but `%s` is not a "
                       "cell in scope here",
                       b->var, b->anchor, b->anchor);
    if (c->place == IR_NODES && !c->anchored)
      diag_with_hint(s->sink, d, "over the neighbours of a node: sum(J near %s)", c->self ? c->self : "I");
    else if (c->loop && c->loop_other && strcmp(b->anchor, c->loop_other) == 0)
      diag_with_hint(
          s->sink, d,
          "what a cell sums over its own faces is an equation: around @ cells = sum(%s of c) ... ; here "
          "read it as around[%s]",
          b->var, b->anchor);
    else diag_with_hint(s->sink, d, "indices in scope: %s", scope_text(s, c));
    return bad_value(e->at);
  }
  if (!is_outermost(s, c, e) || !letters_are_new(s, c, b)) return bad_value(e->at);
  context inner = *c;
  inner.loop = true;
  inner.binder = IR_OVER_FACES;
  inner.loop_var = b->var;
  inner.loop_other = b->other;
  return finish_reduction(s, e, lower_expr(s, &inner, e->arg[0]), IR_OVER_FACES, IR_CELLS, 0);
}

static value lower_near(sema *s, const context *c, const ast_expr *e) {
  const ast_binder *b = e->binder;
  const char *here = c->self ? c->self : "I";
  if (c->place != IR_NODES || c->anchored || strcmp(b->anchor, here) != 0) {
    diag *d = complain(s, DIAG_REDUCTION_RANGE, b->at,
                       "`%s near %s` runs over the neighbours of a node, but `%s` is "
                       "not a node in scope here",
                       b->var, b->anchor, b->anchor);
    diag_with_hint(s->sink, d, "indices in scope: %s", scope_text(s, c));
    return bad_value(e->at);
  }
  if (!is_outermost(s, c, e) || !letters_are_new(s, c, b)) return bad_value(e->at);
  context inner = *c;
  inner.loop = true;
  inner.binder = IR_OVER_NEAR;
  inner.loop_var = b->var;
  inner.loop_other = NULL;
  return finish_reduction(s, e, lower_expr(s, &inner, e->arg[0]), IR_OVER_NEAR, IR_NODES, 0);
}

static uint32_t find_rule(sema *s, const ast_binder *b) {
  const char *names[64];
  int n = 0;
  for (int i = 1; i < s->module->rule.n; i++) {
    if (s->module->rule.at[i].text == b->rule) return (uint32_t)i;
    if (n < 64) names[n++] = s->module->rule.at[i].text;
  }
  diag *d = complain(s, DIAG_UNKNOWN_RULE, b->rule_at, "this scheme has no boundary rule `%s`", b->rule);
  const char *near = nearest_name(b->rule, names, n);
  diag_did_you_mean(s->sink, d, near);
  if (!near && !s->module->on_grid)
    diag_with_hint(
        s->sink, d,
        "a part of the mesh's boundary is asked for by  sum(f in faces) (if patch(%s) then ... else 0)",
        b->rule);
  return 0;
}

static bool across_grid(ir_place place) { return place >= IR_XFACES && place <= IR_ZFACES; }

/* Whether rules hold at points of the place, and this one at some. */
static bool rule_holds_at(sema *s, const ast_binder *b, ir_place place, uint32_t *rule) {
  bool grid = s->module->on_grid;
  if (grid ? !across_grid(place) : place != IR_FACES && place != IR_NODES) {
    complain(s, DIAG_REDUCTION_RANGE, b->rule_at, "boundary rules hold at %s, not at %s",
             grid ? "xfaces, yfaces and zfaces" : "faces and nodes", ir_place_text(place));
    return false;
  }
  if (!(*rule = find_rule(s, b))) return false;
  char axis = grid ? "xyz"[place - IR_XFACES] : 0, only = 0;
  for (int i = 1; i < s->module->rule.n; i++) {
    const ir_rule *r = &s->module->rule.at[i];
    if (r->text != b->rule) continue;
    if (!r->axis || r->axis == axis) return true;
    only = r->axis;
  }
  diag *d = complain(s, DIAG_REDUCTION_RANGE, b->rule_at, "boundary rule `%s` holds at no %s", b->rule,
                     ir_place_text(place));
  diag_with_hint(s->sink, d, "it is declared `across %c`: its faces are %cfaces", only, only);
  return false;
}

/* What those mean who want only what lies around a point. */
static const char *around(const sema *s, const context *c, ir_place place, const char *word) {
  if (c->place == IR_NODES && place == IR_NODES)
    return arena_printf(s->memory, "; over the nodes around one it is  %s(J near I) ...", word);
  if (c->place == IR_CELLS && place == IR_FACES)
    return arena_printf(s->memory, "; over the faces of one cell it is  %s(f of c) ...", word);
  if (c->place == IR_CELLS && place == IR_CELLS && !s->module->on_grid)
    return arena_printf(s->memory, "; over the cells around one it is  %s(f of c to d) ...", word);
  return "";
}

static value lower_over_all(sema *s, const context *c, const ast_expr *e) {
  const ast_binder *b = e->binder;
  ir_place place;
  if (!find_place(s, b->domain, b->domain_at, &place)) return bad_value(e->at);
  if (c->place != IR_NOWHERE) {
    diag *d = complain(s, DIAG_REDUCTION_RANGE, b->at,
                       "a reduction over all %s has one value for the whole mesh: it "
                       "belongs in a global",
                       ir_place_text(place));
    static const char *const words[] = {[AST_SUM] = "sum", [AST_MIN] = "min", [AST_MAX] = "max"};
    const char *word = words[e->reduce];
    if (c->self)
      diag_with_hint(s->sink, d,
                     "the one before it reaches up to the next + or -: put brackets around it, as in  "
                     "(sum(c in cells) a)/%s(%s in %s) b",
                     word, b->var, b->domain);
    else
      diag_with_hint(s->sink, d, "write  name = %s(%s in %s) ...  and use the name here%s", word, b->var,
                     b->domain, around(s, c, place, word));
    return bad_value(e->at);
  }
  uint32_t rule = 0;
  if (b->rule && !rule_holds_at(s, b, place, &rule)) return bad_value(e->at);
  context inner = context_at(place, c->why);
  inner.self = b->var;
  inner.env = c->env;
  inner.until = c->until;
  if (rule && across_grid(place)) inner.outward = rule_mark(s, rule, place);
  value v = lower_expr(s, &inner, e->arg[0]);
  bool two_ended = place == IR_FACES || place == IR_EDGES;
  if (!v.bad && !v.zero && two_ended && !rule && depends_on_numbering(s, v.id, place, "reduced over", e->at))
    return bad_value(e->at);
  v = finish_reduction(s, e, v, IR_OVER_ALL, place, rule);
  if (!v.bad && !v.zero && place == IR_EDGES && e->reduce == AST_SUM) /* each is there in both directions */
    v.id = ir_binary(s->module, IR_MUL, ir_const(s->module, 0.5), v.id);
  return v;
}

/* sum(m in j-1..j): written out. */
static value lower_unrolled(sema *s, const context *c, const ast_expr *e) {
  const ast_binder *b = e->binder;
  int axis, last_axis, first, last;
  if (!lower_offset(s, c, b->lo, &axis, &first) || !lower_offset(s, c, b->hi, &last_axis, &last))
    return bad_value(e->at);
  if (axis != last_axis || last < first || last - first >= 64) {
    complain(s, DIAG_REDUCTION_RANGE, b->at, "a range runs along one index from a lower to a higher place");
    return bad_value(e->at);
  }
  value v = bad_value(e->at);
  for (int m = first; m <= last; m++) {
    binding index = {.text = b->var, .kind = BIND_INDEX, .axis = axis, .offset = m, .next = c->env};
    context inner = *c;
    inner.env = &index;
    value term = lower_expr(s, &inner, e->arg[0]);
    if (m == first) v = term;
    else if (e->reduce == AST_SUM) v = apply_binary(s, AST_ADD, v, term, e->at);
    else v = apply_function(s, e->reduce == AST_MIN ? IR_MIN : IR_MAX, (value[]){v, term}, 2, e->at);
    if (v.bad) return v;
  }
  return v;
}

value lower_reduction(sema *s, const context *c, const ast_expr *e) {
  if (c->in_function) {
    complain(s, DIAG_REDUCTION_RANGE, e->at,
             "a function sees only its arguments: it cannot sum over the mesh");
    return bad_value(e->at);
  }
  bool grid = s->module->on_grid;
  ast_binder_kind kind = e->binder->kind;
  if ((grid && (kind == AST_NEAR || kind == AST_OF)) || (!grid && kind == AST_IN_RANGE)) {
    complain(s, DIAG_REDUCTION_RANGE, e->binder->at, "this kind of sum does not exist on a %s",
             grid ? "grid: write neighbours by their indices, p[i+1,j]"
                  : "mesh: write sum(f of c) or sum(J near I)");
    return bad_value(e->at);
  }
  switch (kind) {
  case AST_NEAR: return lower_near(s, c, e);
  case AST_OF: return lower_over_faces(s, c, e);
  case AST_IN: return lower_over_all(s, c, e);
  case AST_IN_RANGE: return lower_unrolled(s, c, e);
  }
  return bad_value(e->at);
}
