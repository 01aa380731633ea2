/* What is the same in all passes of a march along rows, and for all items, is computed before it: declarations of numbers that name nothing
 * but arguments and each other, and are expensive, a quotient, a function or a load (`dt`, `inverse_dt`), with what they name in turn.
 * Compilers do not: between the pieces of a march stand barriers and conditions. Equal ones become one variable. */
#include <string.h>

#include "kernel/build.h"
#include "kernel/pass.h"

/* A declaration. `exact`: its operations are not to be fused, which before the march they may be. */
typedef struct same {
  kir_stmt *let;
  bool exact;
} same;

typedef VEC(same) same_list;

typedef struct constants {
  kir_program *p;
  kir_function *f;
  same_list same; /* declarations in marches, in order, of what is the same for all */
  kir_body moved; /* what stands for them */
} constants;

/* ---- what is the same ---- */

/* Is it made of numbers known when the file is compiled? An index. */
static bool is_fixed(const kir_expr *e) {
  if (e->kind == KIR_BINARY) return is_fixed(e->a) && is_fixed(e->b);
  return e->kind == KIR_CONST || e->kind == KIR_NAMED;
}

static bool is_read_only(const kir_expr *e) {
  const kir_type *t = e->type;
  return e->kind == KIR_VAR && e->variable->is_parameter && t->kind == KIR_POINTER && t->of->is_const;
}

static bool is_same(const kir_expr *e) {
  if (!kir_is_floating(e->type)) return false;
  switch (e->kind) {
  case KIR_CONST: return true;
  case KIR_VAR: return !e->variable->varies;
  case KIR_UNARY: return is_same(e->a);
  case KIR_BINARY: return is_same(e->a) && is_same(e->b);
  case KIR_INDEX: return is_read_only(e->a) && is_fixed(e->b);
  case KIR_CALL:
    for (int i = 0; i < e->n; i++)
      if (!is_same(e->args[i])) return false;
    return true;
  default: return false;
  }
}

static void look_for_expensive(kir_expr *e, void *context) {
  bool *found = context;
  *found =
      *found || e->kind == KIR_INDEX || e->kind == KIR_CALL || (e->kind == KIR_BINARY && e->op == KIR_DIV);
}

static void note_named(kir_expr *e, void *context) {
  (void)context;
  if (e->kind == KIR_VAR) e->variable->is_read = true;
}

static void find_same(constants *c, const kir_body *body, bool exact) {
  for (int i = 0; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    exact = exact || s->kind == KIR_PRAGMA; /* FP_CONTRACT OFF: to the end of the block */
    if (s->kind == KIR_LET && s->value && s->variable->type->is_const && is_same(s->value)) {
      s->variable->varies = false;
      vec_push(c->p->arena, &c->same, ((same){s, exact}));
    }
    find_same(c, &s->body, exact);
    find_same(c, &s->otherwise, exact);
  }
}

/* Of these the expensive ones, and what they name. */
static void leave_cheap(constants *c) {
  same_list kept = {0};
  for (int i = c->same.n - 1; i >= 0; i--) {
    const kir_stmt *s = c->same.at[i].let;
    bool wanted = s->variable->is_read;
    if (!wanted) kir_walk_expr(s->value, look_for_expensive, &wanted);
    if (!wanted) continue;
    kir_walk_expr(s->value, note_named, NULL);
    vec_push(c->p->arena, &kept, c->same.at[i]);
  }
  c->same.n = 0;
  for (int i = kept.n - 1; i >= 0; i--) c->same.at[c->same.n++] = kept.at[i];
}

/* ---- what stands for it ---- */

static bool are_equal(const kir_expr *x, const kir_expr *y) {
  if (!x || !y) return x == y;
  if (x->kind != y->kind || x->op != y->op || x->n != y->n || x->variable != y->variable) return false;
  if (!x->variable && x->spelling != y->spelling && strcmp(x->spelling, y->spelling) != 0) return false;
  for (int i = 0; i < x->n; i++)
    if (!are_equal(x->args[i], y->args[i])) return false;
  return are_equal(x->a, y->a) && are_equal(x->b, y->b);
}

static void replace(kir_expr *e, void *context) {
  (void)context;
  if (e->kind != KIR_VAR || !e->variable->twin) return;
  e->variable = e->variable->twin;
  e->spelling = e->variable->name;
}

static kir_variable *declare(constants *c, const kir_stmt *like) {
  kir_variable *v = arena_new(c->p->arena, kir_variable);
  v->name = like->variable->name;
  v->type = like->variable->type;
  kir_stmt *s = kir_insert(c->p, &c->moved, c->moved.n, KIR_LET);
  s->variable = v;
  s->value = like->value;
  s->note = like->note;
  return v;
}

static void move(constants *c, bool exact) {
  for (int i = 0; i < c->same.n; i++) {
    const kir_stmt *s = c->same.at[i].let;
    if (c->same.at[i].exact != exact) continue;
    kir_walk_expr(s->value, replace, NULL);
    for (int k = 0; k < c->moved.n && !s->variable->twin; k++)
      if (are_equal(c->moved.at[k]->value, s->value)) s->variable->twin = c->moved.at[k]->variable;
    if (!s->variable->twin && !exact) s->variable->twin = declare(c, s);
  }
}

/* Another variable of the name that stays would stand in for the one before the march. */
static void name_moved(constants *c) {
  intern_pool *names = intern_create(c->p->arena);
  name_map *taken = name_map_create(c->p->arena);
  for (int i = 0; i < c->f->variables.n && c->moved.n > 0; i++) {
    kir_variable *v = c->f->variables.at[i];
    if (!v->twin) name_map_put(taken, intern_str(names, v->name), v);
  }
  for (int i = 0; i < c->moved.n; i++) {
    kir_variable *v = c->moved.at[i]->variable;
    const char *stem = v->name;
    for (int n = 2; name_map_get(taken, intern_str(names, v->name)); n++)
      v->name = arena_printf(c->p->arena, "%s_%d", stem, n);
    name_map_put(taken, intern_str(names, v->name), v);
    vec_push(c->p->arena, &c->f->variables, v);
  }
}

static void drop_moved(kir_body *body) {
  int kept = 0;
  for (int i = 0; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    drop_moved(&s->body);
    drop_moved(&s->otherwise);
    if (s->kind != KIR_LET || !s->variable->twin) body->at[kept++] = s;
  }
  body->n = kept;
}

/* ---- all ---- */

static void find_in_marches(constants *c, const kir_body *body) {
  for (int i = 0; i < body->n; i++) {
    const kir_stmt *s = body->at[i];
    if (s->kind == KIR_FOR && s->over == KIR_OVER_ROWS) find_same(c, &s->body, false);
    else find_in_marches(c, &s->body), find_in_marches(c, &s->otherwise);
  }
}

static bool has_march(const kir_body *body) {
  for (int i = 0; i < body->n; i++) {
    const kir_stmt *s = body->at[i];
    if (s->kind == KIR_FOR && s->over == KIR_OVER_ROWS) return true;
    if (has_march(&s->body) || has_march(&s->otherwise)) return true;
  }
  return false;
}

/* Before the first statement that marches are in; before the barrier that it waits at, too, while others come there. */
static int find_place(const kir_body *body) {
  int at = 0;
  while (!has_march(&(kir_body){.at = &body->at[at], .n = 1})) at++;
  return at > 0 && body->at[at - 1]->kind == KIR_BARRIER ? at - 1 : at;
}

static void move_from(kir_program *p, kir_function *f) {
  constants c = {.p = p, .f = f};
  for (int i = 0; i < f->variables.n; i++) {
    kir_variable *v = f->variables.at[i];
    v->varies = !v->is_parameter;
    v->is_read = false;
    v->twin = NULL;
  }
  find_in_marches(&c, &f->body->body);
  leave_cheap(&c);
  move(&c, false);
  move(&c, true);
  name_moved(&c);
  drop_moved(&f->body->body);
  kir_each_expr(&f->body->body, replace, NULL);
  const int at = find_place(&f->body->body);
  for (int i = 0; i < c.moved.n; i++) *kir_insert(p, &f->body->body, at + i, KIR_LET) = *c.moved.at[i];
}

void kir_pass_constants(kir_program *p, const kir_choices *how) {
  (void)how;
  for (int i = 0; i < p->functions.n; i++)
    if (p->functions.at[i]->is_kernel && has_march(&p->functions.at[i]->body->body))
      move_from(p, p->functions.at[i]);
}
