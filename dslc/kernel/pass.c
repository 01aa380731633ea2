/* The table of passes, and walks that several of them take. */
#include "kernel/pass.h"

static const kir_pass passes[] = {{"constants", kir_pass_constants},
                                  {"march", kir_pass_march},
                                  {"reads", kir_pass_reads},
                                  {"unroll", kir_pass_unroll},
                                  {"unused", kir_pass_unused}};

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
