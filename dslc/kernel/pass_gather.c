/* What all faces of a cell read, before the arithmetic of the first. A loop over faces that looks across them waits twice a turn: for the
 * number of the cell beyond, then for what lies there; and the next turn's loads stand behind this turn's quotients and branches, where
 * compilers leave them. So a loop of its own looks up the numbers and asks for everything, into arrays that become registers when both loops
 * are unrolled; loads of the cell itself go before it, too. Loads in an arm of a branch stay there: a face may not need them. */
#include <string.h>

#include "kernel/build.h"
#include "kernel/pass.h"

/* A declaration of the loop that can go ahead: a load, or a whole number that loads need. */
typedef struct early {
  kir_stmt *let;       /* in the loop that computes */
  kir_variable *ahead; /* what it is in the loop that reads */
  bool load;
} early;

typedef struct gathering {
  kir_program *p;
  kir_stmt *loop;
  const kir_body *outer; /* where it stands */
  kir_body reads;  /* of the loop that reads */
  kir_body arrays; /* their declarations */
  VEC(early) early;
} gathering;

/* ---- what can go ahead -------------------------------------------------------------------------------------------------------- */

/* While the loop is looked at, what it declares is its own twin, or has one in the loop that reads. */
static void mark(const kir_body *body, bool on) {
  for (int i = 0; i < body->n; i++) {
    kir_stmt *s = body->at[i];
    if (s->kind == KIR_LET) s->variable->twin = on ? s->variable : NULL;
    mark(&s->first, on);
    mark(&s->body, on);
    mark(&s->otherwise, on);
  }
}

static bool is_ahead(const kir_expr *e) {
  if (!e) return true;
  switch (e->kind) {
  case KIR_CONST:
  case KIR_NAMED: return true;
  case KIR_VAR:
    if (e->variable->twin) return e->variable->twin != e->variable;
    return e->variable->is_parameter || e->type->is_const;
  case KIR_UNARY:
  case KIR_BINARY:
  case KIR_SELECT:
  case KIR_CAST: return is_ahead(e->a) && is_ahead(e->b) && is_ahead(e->c);
  case KIR_ELEMENT:
    for (int i = 0; i < e->n; i++)
      if (!is_ahead(e->args[i])) return false;
    return is_ahead(e->a) && is_ahead(e->b) && is_ahead(e->c);
  default: return false;
  }
}

static bool goes_ahead(const kir_stmt *s) {
  if (s->kind != KIR_LET || !s->value || s->variable->assigned) return false;
  return (kir_is_integer(s->variable->type) || kir_is_load(s)) && is_ahead(s->value);
}

static kir_variable *copy_of(kir_program *p, const kir_variable *v) {
  kir_variable *copy = arena_new(p->arena, kir_variable);
  *copy = *v;
  copy->twin = NULL;
  return copy;
}

static void find_early(gathering *g) {
  for (int i = 0; i < g->loop->body.n; i++) {
    kir_stmt *s = g->loop->body.at[i];
    if (!goes_ahead(s)) continue;
    const early e = {s, copy_of(g->p, s->variable), kir_is_load(s)};
    kir_stmt *copy = kir_insert(g->p, &g->reads, g->reads.n, KIR_LET);
    *copy = *s;
    copy->variable = e.ahead;
    copy->value = kir_copied(g->p, s->value);
    s->variable->twin = e.ahead;
    vec_push(g->p->arena, &g->early, e);
  }
}

/* Two numbers, one of them of the cell beyond. */
static bool is_worth_it(const gathering *g) {
  int loads = 0;
  bool across = false;
  for (int i = 0; i < g->early.n; i++) {
    const early *e = &g->early.at[i];
    if (!e->load || !kir_is_floating(e->let->variable->type)) continue;
    loads++;
    across = across || kir_waits(e->let);
  }
  return loads >= 2 && across;
}

static void look_for_store(kir_expr *e, void *context) {
  bool *found = context;
  *found = *found || (e->kind == KIR_ASSIGN && e->a->kind != KIR_VAR) || e->kind == KIR_DEREF;
}

static bool stores(const kir_body *body) {
  bool found = false;
  kir_each_expr(body, look_for_store, &found);
  return found;
}

/* ---- the loop that computes ------------------------------------------------------------------------------------------------------ */

static void note_named(kir_expr *e, void *context) {
  (void)context;
  if (e->kind == KIR_VAR) e->variable->is_read = true;
}

/* Its arrays' element of this turn. */
static kir_expr *element_of(gathering *g, kir_variable *array, kir_variable *turn) {
  kir_expr *e = kir_made(g->p, KIR_INDEX, array->type->of);
  e->a = kir_named(g->p, array);
  e->b = kir_named(g->p, turn);
  return e;
}

static bool declares(const kir_body *body, const char *text) {
  for (int i = 0; i < body->n; i++)
    if (body->at[i]->kind == KIR_LET && strcmp(body->at[i]->variable->name, text) == 0) return true;
  return false;
}

/* Another loop of the kernel may have been gathered before, with a number of the same name. */
static const char *array_name(const gathering *g, const kir_variable *of) {
  const char *text = arena_printf(g->p->arena, "%s_of", of->name);
  for (int k = 2; declares(g->outer, text); k++) text = arena_printf(g->p->arena, "%s_of_%d", of->name, k);
  return text;
}

static kir_variable *declare_array(gathering *g, const kir_variable *of) {
  kir_variable *array = arena_new(g->p->arena, kir_variable);
  array->name = array_name(g, of);
  array->count = kir_copied(g->p, g->loop->value->b);
  array->type = kir_make_type(g->p, &(kir_type){.kind = KIR_ARRAY,
                                                .space = KIR_PRIVATE,
                                                .of = kir_bare(g->p, of->type),
                                                .count = array->count->value.i});
  kir_insert(g->p, &g->arrays, 0, KIR_LET)->variable = array;
  return array;
}

/* Keeps a load's value: its declaration in the loop that reads stays where whole numbers there need it. */
static void keep_load(gathering *g, const early *e, kir_variable *turn) {
  kir_variable *array = declare_array(g, e->let->variable);
  kir_expr *set = kir_made(g->p, KIR_ASSIGN, array->type->of);
  set->a = element_of(g, array, turn->twin);
  set->b = kir_named(g->p, e->ahead);
  for (int i = 0; i < g->reads.n; i++) {
    kir_stmt *s = g->reads.at[i];
    if (s->kind != KIR_LET || s->variable != e->ahead) continue;
    if (kir_is_floating(e->ahead->type)) set->b = s->value, s->kind = KIR_EVAL, s->variable = NULL;
    else s = kir_insert(g->p, &g->reads, i + 1, KIR_EVAL);
    s->value = set;
    break;
  }
  e->let->value = element_of(g, array, turn);
  e->let->remark = NULL;
}

/* From the last declaration to the first: who names a number stands behind it. What only loads needed goes. */
static void keep_named(gathering *g, kir_variable *turn) {
  for (int i = 0; i < g->early.n; i++) g->early.at[i].let->variable->is_read = false;
  kir_body *body = &g->loop->body;
  int kept = body->n, next = g->early.n - 1;
  for (int i = body->n - 1; i >= 0; i--) {
    kir_stmt *s = body->at[i];
    const bool ahead = next >= 0 && g->early.at[next].let == s;
    if (ahead && !s->variable->is_read) {
      next--;
      continue;
    }
    if (ahead && g->early.at[next].load) keep_load(g, &g->early.at[next], turn);
    else kir_each_expr(&(kir_body){.at = &body->at[i], .n = 1}, note_named, NULL);
    next -= ahead;
    body->at[--kept] = s;
  }
  for (int i = kept; i < body->n; i++) body->at[i - kept] = body->at[i];
  body->n -= kept;
}

static void drop_unnamed(kir_body *reads) {
  int kept = reads->n;
  for (int i = 0; i < reads->n; i++)
    if (reads->at[i]->kind == KIR_LET) reads->at[i]->variable->is_read = false;
  for (int i = reads->n - 1; i >= 0; i--) {
    kir_stmt *s = reads->at[i];
    if (s->kind == KIR_LET && !s->variable->is_read) continue;
    kir_walk_expr(s->value, note_named, NULL);
    reads->at[--kept] = s;
  }
  for (int i = kept; i < reads->n; i++) reads->at[i - kept] = reads->at[i];
  reads->n -= kept;
}

/* ---- where it goes --------------------------------------------------------------------------------------------------------------- */

static bool is_plain(const kir_stmt *s) {
  switch (s->kind) {
  case KIR_LET:
  case KIR_BLANK:
  case KIR_COMMENT: return true;
  case KIR_EVAL: return s->value->kind == KIR_ASSIGN && s->value->a->kind == KIR_VAR;
  case KIR_IF:
    for (int i = 0; i < s->body.n; i++)
      if (!is_plain(s->body.at[i])) return false;
    for (int i = 0; i < s->otherwise.n; i++)
      if (!is_plain(s->otherwise.at[i])) return false;
    return true;
  default: return false;
  }
}

static bool names_any(const kir_body *reads, const kir_variable *v) {
  ((kir_variable *)v)->is_read = false;
  kir_each_expr(reads, note_named, NULL);
  return v->is_read;
}

/* Behind the last declaration that it needs, before the cell's own arithmetic. */
static int find_place(const gathering *g, const kir_body *outer, int at) {
  int to = at;
  while (to > 0 && is_plain(outer->at[to - 1]) &&
         !(outer->at[to - 1]->kind == KIR_LET && names_any(&g->reads, outer->at[to - 1]->variable)))
    to--;
  return to;
}

static bool needs_any(const kir_stmt *s, const kir_body *outer, int from, int to) {
  const kir_body one = {.at = &(kir_stmt *){(kir_stmt *)s}, .n = 1};
  for (int i = from; i < to; i++)
    if (outer->at[i]->kind == KIR_LET && names_any(&one, outer->at[i]->variable)) return true;
  return false;
}

/* The cell's own loads before it. */
static int move_loads(kir_body *outer, int to, int at) {
  for (int i = to; i < at; i++) {
    kir_stmt *s = outer->at[i];
    if (!kir_is_load(s) || !is_ahead(s->value) || needs_any(s, outer, to, i)) continue;
    for (int k = i; k > to; k--) outer->at[k] = outer->at[k - 1];
    outer->at[to++] = s;
  }
  return to;
}

static int put(gathering *g, kir_body *outer, int at, kir_stmt *loop) {
  int to = move_loads(outer, find_place(g, outer, at), at), before = outer->n;
  for (int i = 0; i < g->arrays.n; i++) *kir_insert(g->p, outer, to++, KIR_LET) = *g->arrays.at[i];
  *kir_insert(g->p, outer, to++, KIR_FOR) = *loop;
  kir_stmt *fence = kir_insert(g->p, outer, to++, KIR_FENCE);
  fence->fences = KIR_FENCE_LOCAL;
  fence->remark = "no read moves behind it";
  return at + outer->n - before;
}

/* ---- all -------------------------------------------------------------------------------------------------------------------------- */

static int gather(kir_program *p, const kir_choices *how, kir_body *outer, int at) {
  gathering g = {.p = p, .loop = outer->at[at], .outer = outer};
  (void)how;
  if (!kir_has_known_length(g.loop) || g.loop->first.n != 1 || stores(&g.loop->body)) return at;
  kir_variable *turn = g.loop->first.at[0]->variable;
  mark(&g.loop->body, true);
  turn->twin = copy_of(p, turn);
  find_early(&g);
  if (is_worth_it(&g)) {
    kir_stmt loop = *g.loop, begin = *g.loop->first.at[0];
    keep_named(&g, turn);
    drop_unnamed(&g.reads);
    begin.variable = turn->twin;
    loop.first = (kir_body){0};
    *kir_insert(p, &loop.first, 0, KIR_LET) = begin;
    loop.value = kir_copied(p, g.loop->value);
    loop.step = kir_copied(p, g.loop->step);
    loop.body = g.reads;
    at = put(&g, outer, at, &loop);
  }
  turn->twin = NULL;
  for (int i = 0; i < g.early.n; i++) g.early.at[i].let->variable->twin = NULL;
  mark(&g.loop->body, false);
  return at;
}

void kir_pass_gather(kir_program *p, const kir_choices *how) {
  kir_clear_twins(p);
  if (how->reads_first && how->unroll > 0) kir_each_loop(p, how, KIR_OVER_FACES, gather);
}
