/* The table of passes, and walks that several of them take. */
#include "kernel/pass.h"

#include "kernel/build.h"

static const kir_pass passes[] = {{"constants", kir_pass_constants}, {"march", kir_pass_march},
                                  {"reads", kir_pass_reads},         {"gather", kir_pass_gather},
                                  {"unroll", kir_pass_unroll},       {"unused", kir_pass_unused}};

const kir_pass *kir_passes(int *n) {
  *n = sizeof passes / sizeof *passes;
  return passes;
}

typedef struct loop_walk {
  kir_program *p;
  const kir_choices *how;
  kir_range over;
  kir_loop_visit *visit;
} loop_walk;

static void walk(const loop_walk *w, kir_body *body) {
  for (int i = 0; i < body->n; i++) {
    if (body->at[i]->kind == KIR_FOR && body->at[i]->over == w->over) i = w->visit(w->p, w->how, body, i);
    walk(w, &body->at[i]->body);
    walk(w, &body->at[i]->otherwise);
  }
}

void kir_each_loop(kir_program *p, const kir_choices *how, kir_range over, kir_loop_visit *visit) {
  const loop_walk w = {p, how, over, visit};
  for (int i = 0; i < p->functions.n; i++) walk(&w, &p->functions.at[i]->body->body);
}

kir_stmt *kir_insert(kir_program *p, kir_body *body, int at, kir_stmt_kind kind) {
  kir_stmt *s = arena_new(p->arena, kir_stmt);
  s->kind = kind;
  vec_push(p->arena, body, s);
  for (int i = body->n - 1; i > at; i--) body->at[i] = body->at[i - 1];
  body->at[at] = s;
  return s;
}

kir_expr *kir_made(kir_program *p, kir_expr_kind kind, const kir_type *type) {
  kir_expr *e = arena_new(p->arena, kir_expr);
  e->kind = kind;
  e->type = type;
  return e;
}

kir_expr *kir_named(kir_program *p, kir_variable *v) {
  kir_expr *e = kir_made(p, KIR_VAR, v->type);
  e->variable = v;
  e->spelling = v->name;
  return e;
}

void kir_clear_twins(kir_program *p) {
  for (int i = 0; i < p->functions.n; i++)
    for (int k = 0; k < p->functions.at[i]->variables.n; k++)
      p->functions.at[i]->variables.at[k]->twin = NULL;
}

/* With each variable's twin in its place. */
kir_expr *kir_copied(kir_program *p, const kir_expr *of) {
  if (!of) return NULL;
  kir_expr *e = arena_new(p->arena, kir_expr);
  *e = *of;
  if (e->variable && e->variable->twin) {
    e->variable = e->variable->twin;
    e->spelling = e->variable->name;
  }
  e->a = kir_copied(p, of->a);
  e->b = kir_copied(p, of->b);
  e->c = kir_copied(p, of->c);
  if (e->n > 0) e->args = arena_array(p->arena, kir_expr *, e->n);
  for (int i = 0; i < e->n; i++) e->args[i] = kir_copied(p, of->args[i]);
  return e;
}

bool kir_has_known_length(const kir_stmt *loop) {
  const kir_expr *test = loop->value;
  return test && test->kind == KIR_BINARY && test->op == KIR_LT &&
         (test->b->kind == KIR_NAMED || test->b->kind == KIR_CONST);
}

bool kir_is_load(const kir_stmt *s) {
  return s->kind == KIR_LET && s->value && s->value->kind == KIR_ELEMENT;
}

static void look_for_neighbour(kir_expr *e, void *context) {
  bool *waits = context;
  *waits = *waits || (e->kind == KIR_VAR && e->variable->is_neighbour);
}

bool kir_waits(const kir_stmt *load) {
  bool found = false;
  kir_walk_expr(load->value, look_for_neighbour, &found);
  return found;
}
