/* What is read before it is written, which can be known without running: a scalar that some way to a read leaves unset, an array or a
 * struct (LOCAL ones are shared by a group, whose items each write a part) that is read where nothing has been written to it yet.
 *
 * Sets of variables, one bit each, go through the statements in their order. Where ways meet, a scalar is set if all ways set it, an array
 * if any does. A loop may have no turn: what it sets counts within it alone, but for arrays. Whoever is handed a pointer may write there. */
#include "kernel/verify.h"

#include <string.h>

typedef struct order {
  kir_program *program;
  kir_unset *tell;
  void *context;
  VEC(kir_variable *) variable;
  uint64_t *set, *whole; /* whole: those of which any write counts for all */
  int words;
  bool left; /* behind a return, break or continue */
} order;

/* ---- sets ------------------------------------------------------------------------------------------------------------- */

static uint64_t *copy(order *o, const uint64_t *from) {
  uint64_t *made = arena_array(o->program->arena, uint64_t, o->words + 1);
  memcpy(made, from, (size_t)o->words * sizeof *made);
  return made;
}

static bool has(const uint64_t *set, const kir_variable *v) {
  return set[(v->let - 1) / 64] >> ((v->let - 1) % 64) & 1;
}

static void write_to(order *o, const kir_variable *v) {
  if (v->let) o->set[(v->let - 1) / 64] |= (uint64_t)1 << ((v->let - 1) % 64);
}

/* What is set where two ways meet, into the first; a way that has left does not come there. */
static void meet(const order *o, uint64_t *a, bool a_left, const uint64_t *b, bool b_left) {
  for (int i = 0; i < o->words; i++) {
    const uint64_t both = a_left ? b[i] : b_left ? a[i] : a[i] & b[i];
    a[i] = both | ((a[i] | b[i]) & o->whole[i]);
  }
}

/* ---- expressions ------------------------------------------------------------------------------------------------------ */

static void walk(order *o, const kir_expr *e);

static void read_from(order *o, const kir_expr *e) {
  kir_variable *v = e->variable;
  if (!v->let || has(o->set, v) || o->left) return;
  o->tell(o->context, e->line, v->name);
  write_to(o, v); /* said once */
}

/* Of an element or a field of a variable; NULL: of what a pointer leads to. */
static const kir_expr *whole_of(const kir_expr *e) {
  for (;;) {
    if (e->kind == KIR_VAR) return e;
    const bool of_array = e->kind == KIR_INDEX && e->a->kind == KIR_CAST && e->a->a->type->kind == KIR_ARRAY;
    if (e->kind == KIR_FIELD) e = e->a;
    else if (of_array) e = e->a->a;
    else return NULL;
  }
}

static void walk_indices(order *o, const kir_expr *e) {
  for (; e->kind == KIR_INDEX || e->kind == KIR_FIELD; e = e->a->kind == KIR_CAST ? e->a->a : e->a)
    if (e->kind == KIR_INDEX) walk(o, e->b);
}

static void walk_assignment(order *o, const kir_expr *e) {
  const kir_expr *to = whole_of(e->a);
  if (e->kind == KIR_STEP || e->op != KIR_NONE || !to) walk(o, e->a);
  else walk_indices(o, e->a);
  if (e->b) walk(o, e->b);
  if (to) write_to(o, to->variable);
}

static void walk_perhaps(order *o, const kir_expr *e) {
  uint64_t *before = copy(o, o->set);
  walk(o, e);
  meet(o, o->set, false, before, false);
}

static void walk(order *o, const kir_expr *e) {
  const kir_expr *part = e->kind == KIR_ADDRESS || (e->kind == KIR_CAST && e->a->type->kind == KIR_ARRAY)
                             ? whole_of(e->a)
                             : NULL;
  if (e->kind == KIR_VAR) read_from(o, e);
  else if (e->kind == KIR_ASSIGN || e->kind == KIR_STEP) walk_assignment(o, e);
  else if (part) walk_indices(o, e->a), write_to(o, part->variable); /* who has the pointer may write */
  else if (e->kind == KIR_AND || e->kind == KIR_OR) walk(o, e->a), walk_perhaps(o, e->b);
  else if (e->kind == KIR_SELECT) walk(o, e->a), walk_perhaps(o, e->b), walk_perhaps(o, e->c);
  else if (e->kind == KIR_INDEX && whole_of(e)) walk_indices(o, e), read_from(o, whole_of(e));
  else {
    if (e->a) walk(o, e->a);
    if (e->b) walk(o, e->b);
    for (int i = 0; i < e->n; i++) walk(o, e->args[i]);
  }
}

/* ---- statements ------------------------------------------------------------------------------------------------------- */

static void walk_body(order *o, const kir_body *body);

static void walk_let(order *o, const kir_stmt *s) {
  const kir_variable *v = s->variable;
  if (s->value) walk(o, s->value);
  if (v->let && v->space == KIR_PRIVATE) /* a new one in each turn of a loop */
    o->set[(v->let - 1) / 64] &= ~((uint64_t)1 << ((v->let - 1) % 64));
}

static void walk_if(order *o, const kir_stmt *s) {
  walk(o, s->value);
  const bool left = o->left;
  uint64_t *other = copy(o, o->set);
  walk_body(o, &s->body);
  uint64_t *then = o->set;
  const bool then_left = o->left;
  o->set = other;
  o->left = left;
  walk_body(o, &s->otherwise);
  meet(o, then, then_left, o->set, o->left);
  o->set = then;
  o->left = o->left && then_left;
}

static void walk_loop(order *o, const kir_stmt *s) {
  const bool left = o->left;
  for (int i = 0; i < s->first.n; i++)
    if (s->first.at[i]->kind == KIR_LET) walk_let(o, s->first.at[i]);
    else walk(o, s->first.at[i]->value);
  if (s->value && s->kind != KIR_DO) walk(o, s->value);
  uint64_t *before = copy(o, o->set);
  walk_body(o, &s->body);
  o->left = left;
  if (s->step) walk(o, s->step);
  if (s->value && s->kind == KIR_DO) walk(o, s->value);
  meet(o, o->set, false, before, false);
}

/* Each case begins with what was set before the switch. */
static void walk_switch(order *o, const kir_stmt *s) {
  const bool left = o->left;
  walk(o, s->value);
  uint64_t *before = copy(o, o->set);
  for (int i = 0; i < s->body.n; i++) {
    const kir_body one = {.at = &s->body.at[i], .n = 1};
    if (s->body.at[i]->kind == KIR_CASE) meet(o, o->set, false, before, false), o->left = left;
    else walk_body(o, &one);
  }
  meet(o, o->set, false, before, false);
  o->left = left;
}

static void walk_stmt(order *o, const kir_stmt *s) {
  switch (s->kind) {
  case KIR_BLOCK: walk_body(o, &s->body); break;
  case KIR_LET: walk_let(o, s); break;
  case KIR_EVAL: walk(o, s->value); break;
  case KIR_IF: walk_if(o, s); break;
  case KIR_FOR:
  case KIR_WHILE:
  case KIR_DO: walk_loop(o, s); break;
  case KIR_SWITCH: walk_switch(o, s); break;
  case KIR_RETURN:
    if (s->value) walk(o, s->value);
    o->left = true;
    break;
  case KIR_BREAK:
  case KIR_CONTINUE: o->left = true; break;
  default: break;
  }
}

static void walk_body(order *o, const kir_body *body) {
  for (int i = 0; i < body->n; i++) walk_stmt(o, body->at[i]);
}

/* ---- all -------------------------------------------------------------------------------------------------------------- */

void kir_find_unset(kir_program *p, const kir_function *f, kir_unset *tell, void *context) {
  order o = {.program = p, .tell = tell, .context = context};
  for (int i = 0; i < f->variables.n; i++) {
    kir_variable *v = f->variables.at[i];
    v->let = 0;
    if (v->initialised || !v->is_written) continue; /* never written: told by verify.c */
    vec_push(p->arena, &o.variable, v);
    v->let = o.variable.n;
  }
  if (o.variable.n == 0) return;
  o.words = (o.variable.n + 63) / 64;
  o.set = arena_array(p->arena, uint64_t, o.words);
  o.whole = arena_array(p->arena, uint64_t, o.words);
  for (int i = 0; i < o.variable.n; i++)
    if (!kir_is_scalar(o.variable.at[i]->type) || o.variable.at[i]->space == KIR_LOCAL)
      o.whole[i / 64] |= (uint64_t)1 << (i % 64);
  walk_body(&o, &f->body->body);
  for (int i = 0; i < o.variable.n; i++) o.variable.at[i]->let = 0;
}
