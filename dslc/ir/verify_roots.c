/* The contexts of accesses. A READ is relative to a point of evaluation, so whether it is legal depends on
 * the root it is reached from. Contexts are few, so each node carries the set of its contexts as bits; one
 * sweep from the last node to the first hands them down to the operands, and a REDUCE changes them on the
 * way. */
#include "ir/ir_internal.h"
#include "ir/verify.h"

typedef enum context {
  ONCE, /* one value: no field has a value here */
  CELL,
  FACE,
  NODE,
  EDGE,
  CELL_LOOP, /* a cell's sum over its faces */
  NODE_LOOP, /* a node's sum over its neighbours */
  WALL,      /* a rule at a boundary face of a mesh */
  GRID_WALL, /* a rule on a grid */
  GRID       /* GRID + place: an equation on a grid */
} context;

static const char *const context_text[] = {"where there is no place",
                                           "at a cell",
                                           "at a face",
                                           "at a node",
                                           "at an edge",
                                           "in a cell's sum over its faces",
                                           "in a node's sum over its neighbours",
                                           "in a rule at a boundary face",
                                           "in a rule on a grid"};

static const char *text_of(context c) { return c < GRID ? context_text[c] : "on a grid"; }

static bool context_of_place(const ir_module *m, ir_place p, context *c) {
  static const context on_mesh[] = {
      [IR_CELLS] = CELL, [IR_FACES] = FACE, [IR_NODES] = NODE, [IR_EDGES] = EDGE};
  *c = p == IR_NOWHERE ? ONCE : m->on_grid ? (context)(GRID + p) : p <= IR_EDGES ? on_mesh[p] : ONCE;
  return p == IR_NOWHERE || m->on_grid || p <= IR_EDGES;
}

/* ---- accesses ------------------------------------------------------------------------------------------ */

static bool is_line(ir_place p) { return p == IR_XLINE || p == IR_YLINE || p == IR_ZLINE; }

static bool legal_on_grid(context c, const ir_symbol *s, ir_at at) {
  if (at == IR_AT_SHIFT) return true;
  if (c == GRID_WALL) return at == IR_AT_HERE || at == IR_AT_INNER || at == IR_AT_MIRROR;
  return at == IR_AT_HERE && (is_line(s->place) || s->place == (ir_place)(c - GRID));
}

/* A rule sees the cell inside; beyond the wall only what mirrors or copies it. */
static bool legal_at_wall(const ir_symbol *s, ir_at at) {
  if (s->place == IR_FACES) return at == IR_AT_HERE;
  return s->place == IR_CELLS &&
         (at == IR_AT_L || (at == IR_AT_R && (s->kind == IR_GEOMETRY || s->kind == IR_GIVEN)));
}

static bool legal_in_cell_loop(const ir_symbol *s, ir_at at) {
  if (s->place == IR_CELLS) return at == IR_AT_HERE || at == IR_AT_D;
  return s->place == IR_FACES && (at == IR_AT_OUT || (at == IR_AT_F && !s->is_fluctuation));
}

/* The entries of a matrix stand at edges, its diagonal at nodes, wherever its rows are declared. */
static bool legal_at_nodes(context c, const ir_symbol *s, ir_at at) {
  bool matrix = s->kind == IR_MATRIX;
  bool node = s->place == IR_NODES || matrix, edge = s->place == IR_EDGES || matrix;
  switch (c) {
  case NODE: return node && at == IR_AT_HERE;
  case EDGE: return (edge && at == IR_AT_HERE) || (node && !matrix && (at == IR_AT_I || at == IR_AT_J));
  default: return (node && at == IR_AT_HERE) || (node && !matrix && at == IR_AT_J) || (edge && at == IR_AT_E);
  }
}

static bool legal(context c, const ir_symbol *s, ir_at at) {
  if (s->place == IR_NOWHERE) return at == IR_AT_HERE;
  if (c >= GRID_WALL) return legal_on_grid(c, s, at);
  switch (c) {
  case CELL: return s->place == IR_CELLS && at == IR_AT_HERE;
  case FACE:
    if (s->place == IR_FACES) return at == IR_AT_HERE && !s->is_fluctuation;
    return s->place == IR_CELLS && (at == IR_AT_L || at == IR_AT_R);
  case NODE:
  case EDGE:
  case NODE_LOOP: return legal_at_nodes(c, s, at);
  case CELL_LOOP: return legal_in_cell_loop(s, at);
  case WALL: return legal_at_wall(s, at);
  default: return false;
  }
}

static const char *check_access(const ir_module *m, ir_id id, uint32_t contexts) {
  const ir_node *n = ir_get(m, id);
  for (context c = ONCE; c < 32; c++) {
    if (!(contexts >> c & 1)) continue;
    if (n->op == IR_SIGN_OUT && c != CELL_LOOP) return ir_complain(m, id, "has no meaning %s", text_of(c));
    if (n->op != IR_READ) continue;
    const ir_symbol *s = &m->symbol.at[n->read.sym];
    if (!legal(c, s, (ir_at)n->read.at))
      return ir_complain(m, id, "`%s` (%s) at %s cannot be read %s", s->text, ir_place_text(s->place),
                         ir_at_text((ir_at)n->read.at), text_of(c));
  }
  return NULL;
}

/* ---- the sweep ----------------------------------------------------------------------------------------- */

static bool enter_reduction(const ir_module *m, const ir_node *n, context outside, context *inside) {
  switch (n->reduce.binder) {
  case IR_OVER_FACES: *inside = CELL_LOOP; return outside == CELL;
  case IR_OVER_NEAR: *inside = NODE_LOOP; return outside == NODE;
  default: return outside == ONCE && context_of_place(m, (ir_place)n->reduce.place, inside);
  }
}

static const char *hand_down(const ir_module *m, ir_id id, uint32_t *set) {
  const ir_node *n = ir_get(m, id);
  uint32_t inside = set[id];
  if (n->op == IR_REDUCE) {
    inside = 0;
    for (context c = ONCE, next; c < 32; c++) {
      if (!(set[id] >> c & 1)) continue;
      if (!enter_reduction(m, n, c, &next))
        return ir_complain(m, id, "a reduction over %s cannot stand %s",
                           ir_word(&ir_binder_words, n->reduce.binder), text_of(c));
      inside |= 1u << next;
    }
  }
  for (int k = 0; k < n->n_args; k++) set[ir_args(m, n)[k]] |= inside;
  return check_access(m, id, set[id]);
}

/* ---- roots --------------------------------------------------------------------------------------------- */

typedef struct checker {
  const ir_module *m;
  uint32_t *set; /* contexts of each node */
  const char *wrong;
} checker;

static void enter(checker *k, ir_id root, context c, const char *what) {
  if (root == 0 || k->wrong) return;
  if (root < (ir_id)k->m->node.n) k->set[root] |= 1u << c;
  else k->wrong = arena_printf(k->m->memory, "%s is %%%u, which is not there", what, root);
}

static void enter_place(checker *k, ir_id root, ir_place p, const char *what) {
  context c;
  if (context_of_place(k->m, p, &c)) enter(k, root, c, what);
  else if (root != 0) k->wrong = arena_printf(k->m->memory, "%s stands at a place of grids", what);
}

/* After `components` a vector's root is a list, or a scalar. */
static void expect_type(checker *k, ir_id root, ir_type want, const char *what) {
  if (k->wrong || root == 0) return;
  const ir_node *n = ir_get(k->m, root);
  bool is_bool = n->type.rank == IR_BOOL, want_bool = want.rank == IR_BOOL;
  bool list = n->op == IR_TUPLE && n->type.n == want.n;
  if (ir_type_equal(n->type, want) || list || (n->type.n == 1 && want.n == 1 && is_bool == want_bool)) return;
  k->wrong = arena_printf(k->m->memory, "%s is a %s of %d, not a %s of %d", what,
                          ir_word(&ir_rank_words, n->type.rank), n->type.n,
                          ir_word(&ir_rank_words, want.rank), want.n);
}

static void enter_symbol(checker *k, const ir_symbol *s) {
  const char *what = arena_printf(k->m->memory, "the value of `%s`", s->text);
  for (int part = 0; part < 2; part++) {
    ir_place place = s->place;
    if (s->kind == IR_MATRIX && !k->m->on_grid) place = part == IR_DIAGONAL ? IR_NODES : IR_EDGES;
    if (s->kind == IR_RULE_ARGUMENT) place = IR_NOWHERE;
    enter_place(k, s->root[part], place, what);
    expect_type(k, s->root[part], s->type, what);
  }
}

static const ir_symbol *target_of(checker *k, ir_sym sym, const char *what) {
  if (sym > 0 && sym < (ir_sym)k->m->symbol.n) return &k->m->symbol.at[sym];
  if (!k->wrong) k->wrong = arena_printf(k->m->memory, "%s has no target", what);
  return NULL;
}

static void enter_rule(checker *k, const ir_rule *r) {
  const char *what = arena_printf(k->m->memory, "an entry of the rule `%s`", r->text ? r->text : "?");
  for (int i = 0; i < r->arg.n; i++) (void)target_of(k, r->arg.at[i], what);
  for (int i = 0; i < r->entry.n && !k->wrong; i++) {
    const ir_rule_entry *e = &r->entry.at[i];
    const ir_symbol *target = target_of(k, e->target, what);
    if (target == NULL) return;
    bool at_wall = target->place == IR_CELLS || target->place == IR_FACES;
    if (k->m->on_grid) enter(k, e->root, GRID_WALL, what);
    else if (at_wall) enter(k, e->root, WALL, what);
    else enter_place(k, e->root, target->place, what);
    expect_type(k, e->root, target->type, what);
  }
}

static void enter_constraint(checker *k, const ir_constraint *c) {
  static const char what[] = "a constraint";
  const ir_symbol *target = target_of(k, c->target, what);
  if (target == NULL) return;
  if (c->rule == 0 || c->rule >= (uint32_t)k->m->rule.n) k->wrong = "a constraint has no rule";
  enter_place(k, c->root, target->place, what);
  expect_type(k, c->root, target->type, what);
}

/* What a lowering has made must say of what, and rows belong to a constraint. */
static void check_role(checker *k, const ir_symbol *s) {
  const ir_module *m = k->m;
  if (k->wrong) return;
  if (s->purpose.of >= (ir_sym)m->symbol.n)
    k->wrong =
        arena_printf(m->memory, "`%s` was made for symbol %u, which is not there", s->text, s->purpose.of);
  else if (s->purpose.role == IR_BY_ROW &&
           (s->purpose.constraint < 0 || s->purpose.constraint >= m->constraint.n))
    k->wrong = arena_printf(m->memory, "`%s` lies by the rows of no constraint", s->text);
  else if (s->purpose.role == IR_STEP_BOUND &&
           (!s->purpose.of || m->symbol.at[s->purpose.of].kind != IR_GLOBAL))
    k->wrong = arena_printf(m->memory, "`%s` is the bound of no step", s->text);
  else if (s->purpose.role == IR_HELD_MASK &&
           (!s->purpose.of || m->symbol.at[s->purpose.of].kind != IR_STATE))
    k->wrong = arena_printf(m->memory, "`%s` marks where rules give the value of no state", s->text);
  else if (s->purpose.role == IR_RULE_MASK &&
           (!s->rule || (m->on_grid && (s->place < IR_XFACES || s->place > IR_ZFACES))))
    k->wrong = arena_printf(m->memory, "`%s` marks the points of no rule", s->text);
  else if (s->purpose.role == IR_AS_WRITTEN && s->purpose.of)
    k->wrong = arena_printf(m->memory, "`%s` was made for a symbol, but has no role", s->text);
}

static void enter_statement(checker *k, const ir_stmt *s) {
  const char *what = arena_printf(k->m->memory, "the statement `%s`", ir_word(&ir_stmt_words, (int)s->kind));
  for (int i = 0; i < s->assign.n && !k->wrong; i++) {
    const ir_symbol *target = target_of(k, s->assign.at[i].target, what);
    if (target == NULL) return;
    enter_place(k, s->assign.at[i].value, target->place, what);
    expect_type(k, s->assign.at[i].value, target->type, what);
  }
  if (s->kind == IR_SOLVE) {
    const ir_symbol *unknown = target_of(k, s->unknown, what);
    if (unknown == NULL || target_of(k, s->matrix, what) == NULL) return;
    enter_place(k, s->rhs, unknown->place, what);
    expect_type(k, s->rhs, unknown->type, what);
  }
  for (int i = 0; i < s->option.n; i++) enter(k, s->option.at[i].value, ONCE, what);
  enter(k, s->over, ONCE, what);
  enter(k, s->until, ONCE, what);
  enter(k, s->at_most, ONCE, what);
  expect_type(k, s->over, ir_scalar(), what);
  expect_type(k, s->until, ir_boolean(), what);
  expect_type(k, s->at_most, ir_scalar(), what);
  for (int i = 0; i < s->body.n && !k->wrong; i++) enter_statement(k, &s->body.at[i]);
}

static void enter_roots(checker *k) {
  const ir_module *m = k->m;
  for (int i = 1; i < m->symbol.n && !k->wrong; i++) enter_symbol(k, &m->symbol.at[i]);
  for (int i = 1; i < m->rule.n && !k->wrong; i++) enter_rule(k, &m->rule.at[i]);
  for (int i = 1; i < m->symbol.n && !k->wrong; i++) check_role(k, &m->symbol.at[i]);
  for (int i = 0; i < m->constraint.n && !k->wrong; i++) enter_constraint(k, &m->constraint.at[i]);
  for (int i = 0; i < m->require.n && !k->wrong; i++) {
    enter_place(k, m->require.at[i].condition, m->require.at[i].place, "a `require`");
    expect_type(k, m->require.at[i].condition, ir_boolean(), "a `require`");
  }
  for (int i = 0; i < m->step.n && !k->wrong; i++) enter_statement(k, &m->step.at[i]);
}

const char *ir_verify_roots(const ir_module *m) {
  checker k = {m, arena_array(m->memory, uint32_t, m->node.n), NULL};
  enter_roots(&k);
  for (ir_id id = (ir_id)m->node.n - 1; id > 0 && !k.wrong; id--)
    if (k.set[id]) k.wrong = hand_down(m, id, k.set);
  return k.wrong;
}
