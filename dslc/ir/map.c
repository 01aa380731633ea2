/* Roots, liveness and the frame of the passes. */
#include "ir/ir_internal.h"

#include <string.h>

#define COPY_VEC(memory, v)                                                                                  \
  do {                                                                                                       \
    void *copy_ = (v)->n ? arena_alloc((memory), sizeof *(v)->at * (size_t)(v)->n) : NULL;                   \
    if ((v)->n) memcpy(copy_, (v)->at, sizeof *(v)->at *(size_t)(v)->n);                                     \
    (v)->at = copy_;                                                                                         \
    (v)->cap = (v)->n;                                                                                       \
  } while (0)

/* Statements nest as deep as `repeat` does in the scheme: the parser bounds it. */
static void own_statement(arena *a, ir_stmt *s) {
  COPY_VEC(a, &s->assign);
  COPY_VEC(a, &s->option);
  COPY_VEC(a, &s->body);
  for (int i = 0; i < s->body.n; i++) own_statement(a, &s->body.at[i]);
}

ir_module *ir_create_like(const ir_module *from) {
  arena *a = from->memory;
  ir_module *m = ir_create(a, from->names);
  ir_module fresh = *m;
  *m = *from;
  m->node.at = fresh.node.at, m->node.n = fresh.node.n, m->node.cap = fresh.node.cap;
  m->origin.at = fresh.origin.at, m->origin.n = fresh.origin.n, m->origin.cap = fresh.origin.cap;
  m->arg.at = NULL, m->arg.n = m->arg.cap = 0;
  m->table = fresh.table;
  m->marks = fresh.marks;
  m->targets = fresh.targets;
  COPY_VEC(a, &m->symbol);
  COPY_VEC(a, &m->rule);
  for (int i = 0; i < m->rule.n; i++) {
    COPY_VEC(a, &m->rule.at[i].entry);
    COPY_VEC(a, &m->rule.at[i].arg);
  }
  COPY_VEC(a, &m->constraint);
  COPY_VEC(a, &m->require);
  COPY_VEC(a, &m->step);
  for (int i = 0; i < m->step.n; i++) own_statement(a, &m->step.at[i]);
  return m;
}

/* ---- roots --------------------------------------------------------------------------------------------- */

typedef struct visitor {
  void (*visit)(void *ctx, ir_id *root);
  void *ctx;
} visitor;

static void visit(const visitor *v, ir_id *root) {
  if (*root != 0) v->visit(v->ctx, root);
}

static void visit_statement(const visitor *v, ir_stmt *s) {
  for (int i = 0; i < s->assign.n; i++) visit(v, &s->assign.at[i].value);
  visit(v, &s->over);
  visit(v, &s->rhs);
  for (int i = 0; i < s->option.n; i++) visit(v, &s->option.at[i].value);
  for (int i = 0; i < s->body.n; i++) visit_statement(v, &s->body.at[i]);
  visit(v, &s->until);
  visit(v, &s->at_most);
}

void ir_each_rule_root(ir_module *m, void (*call)(void *ctx, ir_id *root), void *ctx) {
  visitor v = {call, ctx};
  for (int i = 1; i < m->rule.n; i++)
    for (int k = 0; k < m->rule.at[i].entry.n; k++) visit(&v, &m->rule.at[i].entry.at[k].root);
}

void ir_each_root_but_rules(ir_module *m, void (*call)(void *ctx, ir_id *root), void *ctx) {
  visitor v = {call, ctx};
  for (int i = 1; i < m->symbol.n; i++) {
    visit(&v, &m->symbol.at[i].root[0]);
    visit(&v, &m->symbol.at[i].root[1]);
  }
  ir_each_step_root(m, call, ctx);
}

void ir_each_step_root(ir_module *m, void (*call)(void *ctx, ir_id *root), void *ctx) {
  visitor v = {call, ctx};
  for (int i = 0; i < m->constraint.n; i++) visit(&v, &m->constraint.at[i].root);
  for (int i = 0; i < m->require.n; i++) visit(&v, &m->require.at[i].condition);
  for (int i = 0; i < m->step.n; i++) visit_statement(&v, &m->step.at[i]);
}

void ir_each_root(ir_module *m, void (*call)(void *ctx, ir_id *root), void *ctx) {
  ir_each_rule_root(m, call, ctx);
  ir_each_root_but_rules(m, call, ctx);
}

static void mark_root(void *ctx, ir_id *root) { ((unsigned char *)ctx)[*root] = 1; }

void ir_mark_operands(const ir_module *m, unsigned char *mark) {
  for (ir_id id = (ir_id)m->node.n - 1; id > 0; id--) {
    if (!mark[id]) continue;
    const ir_node *n = ir_get(m, id);
    const ir_id *args = ir_args(m, n);
    for (int k = 0; k < n->n_args; k++) mark[args[k]] = 1;
  }
}

const unsigned char *ir_live(const ir_module *m) {
  unsigned char *live = arena_array(m->memory, unsigned char, m->node.n);
  ir_each_root((ir_module *)m, mark_root, live); /* which only reads the roots */
  ir_mark_operands(m, live);
  return live;
}

/* ---- readers -------------------------------------------------------------------------------------------- */

typedef struct place_marks {
  const ir_module *m;
  unsigned *mark;
} place_marks;

static void mark_place(const place_marks *p, ir_id root, ir_place place) { p->mark[root] |= 1u << place; }

static void mark_statement(const place_marks *p, const ir_stmt *s) {
  for (int i = 0; i < s->assign.n; i++)
    mark_place(p, s->assign.at[i].value, ir_symbol_get(p->m, s->assign.at[i].target)->place);
  for (int i = 0; i < s->body.n; i++) mark_statement(p, &s->body.at[i]);
}

const unsigned *ir_reader_places(const ir_module *m) {
  const place_marks p = {m, arena_array(m->memory, unsigned, m->node.n)};
  for (int i = 1; i < m->symbol.n; i++)
    for (int part = 0; part < 2; part++) mark_place(&p, m->symbol.at[i].root[part], m->symbol.at[i].place);
  for (int i = 1; i < m->rule.n; i++)
    for (int k = 0; k < m->rule.at[i].entry.n; k++) {
      const ir_rule_entry *e = &m->rule.at[i].entry.at[k];
      mark_place(&p, e->root, ir_symbol_get(m, e->target)->place);
    }
  for (int i = 0; i < m->require.n; i++) mark_place(&p, m->require.at[i].condition, m->require.at[i].place);
  for (int i = 0; i < m->step.n; i++) mark_statement(&p, &m->step.at[i]);
  for (ir_id id = (ir_id)m->node.n - 1; id > 0; id--) {
    const ir_node *n = ir_get(m, id);
    const unsigned of_args = n->op == IR_REDUCE && p.mark[id] ? 1u << n->reduce.place : p.mark[id];
    for (int k = 0; k < n->n_args; k++) p.mark[ir_args(m, n)[k]] |= of_args;
  }
  return p.mark;
}

/* ---- map ----------------------------------------------------------------------------------------------- */

static void redirect_root(void *ctx, ir_id *root) { *root = ((const ir_id *)ctx)[*root]; }

void ir_redirect_roots(ir_module *m, const ir_id *new_id) { ir_each_root(m, redirect_root, (void *)new_id); }

ir_module *ir_map(const ir_module *m, ir_rewrite *rewrite, void *ctx) {
  ir_module *to = ir_create_like(m);
  ir_id *new_id = arena_array(m->memory, ir_id, m->node.n);
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    if (!live[id]) continue;
    const ir_node *n = ir_get(m, id);
    const ir_id *args = ir_args(m, n);
    ir_id new_args[IR_MOST_ARGS];
    for (int k = 0; k < n->n_args; k++) new_args[k] = new_id[args[k]];
    new_id[id] = rewrite(ctx, to, n, new_args, id);
    const ir_origin *o = &m->origin.at[id];
    ir_name(to, new_id[id], o->hint, o->tag, o->at);
  }
  ir_redirect_roots(to, new_id);
  return to;
}
