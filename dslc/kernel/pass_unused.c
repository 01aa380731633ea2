/* Declarations that are made in case something names them, and that nothing names. */
#include "kernel/build.h"
#include "kernel/pass.h"

static void note(kir_expr *e, void *context) {
  (void)context;
  if (e->kind == KIR_VAR) e->variable->is_read = true;
}

/* From the last statement to the first: what names a variable stands behind its declaration. */
static void drop(kir_body *body) {
  int kept = body->n;
  for (int i = body->n - 1; i >= 0; i--) {
    kir_stmt *s = body->at[i];
    drop(&s->otherwise);
    drop(&s->body);
    drop(&s->first);
    if (s->if_named && !s->variable->is_read) continue;
    kir_walk_expr(s->value, note, NULL);
    kir_walk_expr(s->step, note, NULL);
    body->at[--kept] = s;
  }
  for (int i = kept; i < body->n; i++) body->at[i - kept] = body->at[i];
  body->n -= kept;
}

void kir_pass_unused(kir_program *p, const kir_choices *how) {
  (void)how;
  for (int i = 0; i < p->functions.n; i++) {
    kir_function *f = p->functions.at[i];
    for (int k = 0; k < f->variables.n; k++) f->variables.at[k]->is_read = false;
    drop(&f->body->body);
  }
}
