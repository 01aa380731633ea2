/* The order in which equations are lowered: what an equation mentions comes before it. Lowering works in any order, by
 * recursion; this order keeps the recursion flat, so a chain of ten thousand equations written last one first is no deeper
 * than one. Mentions are found in the text alone: arms that a variant drops count too, which does no harm. */
#include <string.h>

#include "sema/internal.h"

typedef VEC(entity *) entity_list;
typedef VEC(const ast_expr *) expr_list;

typedef struct visit { /* one equation on the way down, and how far its mentions are done */
  entity *e;
  entity_list mentions;
  int next;
} visit;

typedef struct orderer {
  sema *s;
  name_map *seen; /* by name of declaration */
  VEC(visit) path;
  expr_list todo; /* expressions still to be looked through */
} orderer;

/* ---- mentions ------------------------------------------------------------------------------------------------- */

static bool is_ordered(const entity *e) {
  return e && (e->kind == ENTITY_EQUATION || e->kind == ENTITY_GLOBAL || e->kind == ENTITY_MATRIX);
}

/* The entity that a dotted name begins with: the longest declared one, as when it is lowered. */
static entity *entity_of(sema *s, const ast_expr *e) {
  if (e->kind == AST_NAME) return find_entity(s, e->text);
  const char *text = "";
  for (const ast_expr *m = e; m; m = m->kind == AST_MEMBER ? m->arg[0] : NULL) {
    if (m->kind != AST_MEMBER && m->kind != AST_NAME) return NULL;
    text = *text ? arena_printf(s->memory, "%s.%s", m->text, text) : m->text;
  }
  entity *found = find_entity(s, intern_str(s->names, text));
  return found ? found : entity_of(s, e->arg[0]);
}

/* Operands are pushed last one first: mentions come in the order of the text. */
static void look_through(orderer *o, entity_list *out) {
  arena *a = o->s->memory;
  while (o->todo.n > 0) {
    const ast_expr *e = o->todo.at[--o->todo.n];
    if (!e) continue;
    if (e->kind == AST_NAME || e->kind == AST_MEMBER) {
      entity *q = entity_of(o->s, e);
      if (is_ordered(q)) vec_push(a, out, q);
      if (q || e->kind == AST_NAME) continue;
    }
    for (int i = e->n - 1; i >= 0; i--) vec_push(a, &o->todo, e->arg[i]);
  }
}

static void look_at_body(orderer *o, const ast_body *b, entity_list *out) {
  for (int i = 0; i < b->n_where; i++) {
    vec_push(o->s->memory, &o->todo, b->where[i].value);
    look_through(o, out);
  }
  vec_push(o->s->memory, &o->todo, b->expr);
  look_through(o, out);
}

static entity_list mentions_of(orderer *o, const ast_decl *d) {
  entity_list out = {0};
  for (int i = 0; i < d->part.block.n; i++) {
    for (int k = 0; k < d->part.block.result[i].n_bindings; k++) {
      vec_push(o->s->memory, &o->todo, d->part.block.result[i].bindings[k].value);
      look_through(o, &out);
    }
    look_at_body(o, &d->part.block.result[i].body, &out);
  }
  for (int i = 0; i < d->part.matrix.n_assign; i++) look_at_body(o, &d->part.matrix.assign[i].body, &out);
  look_at_body(o, &d->body, &out);
  return out;
}

/* ---- depth first, without recursion ----------------------------------------------------------------------------- */

static void enter(orderer *o, entity *e) {
  name key =
      e->decl->head.text ? e->decl->head.text : e->text; /* all results of a block are one declaration */
  if (name_map_get(o->seen, key)) return;
  name_map_put(o->seen, key, e);
  visit v = {.e = e, .mentions = mentions_of(o, e->decl)};
  vec_push(o->s->memory, &o->path, v);
}

static void lower_after_mentions(orderer *o, entity *e) {
  enter(o, e);
  while (o->path.n > 0) {
    visit *v = &o->path.at[o->path.n - 1];
    if (v->next < v->mentions.n) {
      enter(o, v->mentions.at[v->next++]);
      continue;
    }
    entity *done = v->e;
    o->path.n--;
    bool operator_ = done->kind == ENTITY_EQUATION && done->decl->head.n_params > 0;
    if (!operator_) ensure(o->s, done, done->at);
  }
}

void lower_all(sema *s) {
  orderer o = {.s = s, .seen = name_map_create(s->memory)};
  for (int i = 0; i < name_map_size(s->table.entities); i++) {
    entity *e = name_map_value(s->table.entities, i);
    if (is_ordered(e)) lower_after_mentions(&o, e);
  }
}
