/* `require`: what must hold at every cell, and at which place it is asked. */
#include <string.h>

#include "sema/internal.h"

/* The place of a requirement is that of a field it names. */
static ir_place place_of_expr(sema *s, const ast_expr *e) {
  for (; e->kind == AST_BINARY; e = e->arg[0]) { /* a chain may be long */
    ir_place p = place_of_expr(s, e->arg[1]);
    if (p != IR_NOWHERE) return p;
  }
  if (e->kind == AST_NAME) {
    const entity *q = find_entity(s, e->text);
    return q && q->kind != ENTITY_FUNCTION && q->decl->head.n_params == 0 ? q->place : IR_NOWHERE;
  }
  if (e->kind == AST_REDUCTION && e->binder->kind == AST_IN) return IR_NOWHERE;
  for (int i = e->kind == AST_CALL; i < e->n; i++) {
    ir_place p = place_of_expr(s, e->arg[i]);
    if (p != IR_NOWHERE) return p;
  }
  return IR_NOWHERE;
}

bool is_required(const sema *s, const char *text) {
  for (int i = 0; i < s->module->require.n; i++)
    if (strcmp(s->module->require.at[i].text, text) == 0) return true;
  return false;
}

void lower_requires(sema *s) {
  for (int i = 0; i < s->scheme->n_decls; i++) {
    const ast_decl *d = s->scheme->decls[i];
    if (d->kind != AST_REQUIRE) continue;
    ir_place place = place_of_expr(s, d->body.expr);
    context c = context_at(place, "`require`");
    value v = lower_body(s, &c, &d->body);
    const char *text = ast_expr_text(s->memory, d->body.expr);
    if (!require_bool(s, v, "`require`") || is_required(s, text)) continue;
    const bool two_ended = place == IR_FACES || place == IR_EDGES;
    if (two_ended && depends_on_numbering(s, v.id, place, "required at", d->body.expr->at)) continue;
    vec_push(s->memory, &s->module->require,
             ((ir_require){.condition = v.id,
                           .place = place,
                           .text = text,
                           .of_step = speaks_of_step(s, v.id),
                           .at = d->at}));
  }
}
