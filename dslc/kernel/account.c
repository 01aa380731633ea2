#include "kernel/account.h"

#include <string.h>

/* ---- polynomials of integers ---------------------------------------------------------------------------------------- */

enum { MOST_TERMS = 24, MOST_FACTORS = 4 };

typedef struct term {
  int64_t times;
  int n;
  const void *factor[MOST_FACTORS]; /* variables and expressions, in the order of their addresses */
} term;

typedef struct polynomial {
  bool known; /* false: more than fits */
  int n;
  term at[MOST_TERMS];
} polynomial;

typedef struct accountant {
  kir_program *program;
  const kir_function *kernel;
  const kir_layout *layout;
  kir_account *account;
  double row_length, turns;
  bool second, chose;            /* of a choice in an index: take this one; whether there was one */
  VEC(const kir_variable *) let; /* what a declaration says of a variable that keeps its value */
  VEC(const kir_expr *) value;
  VEC(const polynomial *) worth;      /* parallel: once it is known */
  VEC(const kir_variable *) distance; /* from a wall: what such a number was assigned to */
  VEC(const kir_variable *) flag;     /* not 0 where a wall is near */
  bool aside;                         /* where a wall is near */
} accountant;

static bool same_factors(const term *a, const term *b) {
  return a->n == b->n && memcmp(a->factor, b->factor, sizeof *a->factor * (size_t)a->n) == 0;
}

static void add_term(polynomial *to, const term *t) {
  for (int i = 0; i < to->n; i++)
    if (same_factors(&to->at[i], t)) {
      to->at[i].times += t->times;
      return;
    }
  if (to->n == MOST_TERMS) to->known = false;
  else to->at[to->n++] = *t;
}

static void multiply_terms(polynomial *to, const term *a, const term *b) {
  term t = {.times = a->times * b->times};
  int i = 0, k = 0;
  if (a->n + b->n > MOST_FACTORS) {
    to->known = false;
    return;
  }
  while (i < a->n || k < b->n) {
    bool first = k == b->n || (i < a->n && (uintptr_t)a->factor[i] <= (uintptr_t)b->factor[k]);
    t.factor[t.n++] = first ? a->factor[i++] : b->factor[k++];
  }
  add_term(to, &t);
}

static polynomial unknown_of(const void *what) {
  return (polynomial){.known = true, .n = 1, .at = {{.times = 1, .n = 1, .factor = {what}}}};
}

static polynomial number(int64_t value) {
  return (polynomial){.known = true, .n = 1, .at = {{.times = value}}};
}

static polynomial evaluate(accountant *k, const kir_expr *e);

static polynomial combine(accountant *k, const kir_expr *e) {
  const polynomial a = evaluate(k, e->a), b = evaluate(k, e->b);
  polynomial out = {.known = a.known && b.known};
  if (e->op == KIR_MUL) {
    for (int i = 0; i < a.n; i++)
      for (int j = 0; j < b.n; j++) multiply_terms(&out, &a.at[i], &b.at[j]);
    return out;
  }
  for (int i = 0; i < a.n; i++) add_term(&out, &a.at[i]);
  for (int i = 0; i < b.n; i++) {
    term t = b.at[i];
    if (e->op == KIR_SUB) t.times = -t.times;
    add_term(&out, &t);
  }
  return out;
}

/* One that a choice decides is an unknown all the same. */
static polynomial value_of(accountant *k, const kir_variable *v) {
  if (!v->let) return unknown_of(v);
  const polynomial **worth = &k->worth.at[v->let - 1];
  if (!*worth) {
    const bool chose = k->chose;
    polynomial *made = arena_new(k->program->arena, polynomial);
    k->chose = false;
    *made = evaluate(k, k->value.at[v->let - 1]);
    if (k->chose) *made = unknown_of(v);
    k->chose = chose;
    k->worth.at[v->let - 1] = made;
    return *made;
  }
  return **worth;
}

static polynomial evaluate(accountant *k, const kir_expr *e) {
  if (!kir_is_integer(e->type)) return unknown_of(e);
  switch (e->kind) {
  case KIR_CONST: return number(e->value.i);
  case KIR_VAR: return value_of(k, e->variable);
  case KIR_CAST: return evaluate(k, e->a);
  case KIR_BINARY:
    return e->op == KIR_ADD || e->op == KIR_SUB || e->op == KIR_MUL ? combine(k, e) : unknown_of(e);
  case KIR_SELECT: k->chose = true; return evaluate(k, k->second ? e->c : e->b);
  default: return unknown_of(e);
  }
}

/* ---- components ------------------------------------------------------------------------------------------------------- */

/* -1: the index does not tell. */
static int64_t by_stride(const polynomial *index, const kir_variable *stride) {
  int64_t component = 0;
  for (int i = 0; i < index->n; i++) {
    const term *t = &index->at[i];
    bool has = false;
    for (int f = 0; f < t->n; f++) has = has || (stride && t->factor[f] == stride);
    if (has && t->n > 1) return -1;
    if (has) component = t->times;
  }
  return component;
}

static int64_t by_width(const polynomial *index, int width) {
  int64_t component = 0;
  for (int i = 0; i < index->n; i++) {
    const term *t = &index->at[i];
    if (t->n > 0 && t->times % width != 0) return -1;
    if (t->n == 0) component = (t->times % width + width) % width;
  }
  return component;
}

static void note_one(accountant *k, int parameter, const kir_expr *index, bool write) {
  const kir_layout *l = &k->layout[parameter];
  kir_account *a = &k->account[parameter];
  const polynomial at = index ? evaluate(k, index) : number(0);
  const int64_t component = !at.known ? -1 : l->apart ? by_stride(&at, l->stride) : by_width(&at, l->width);
  if (component < 0 || component >= l->width) a->unclear = true;
  else (write ? a->component_written : a->component_read)[component] = true;
  for (int i = 0; at.known && i < at.n; i++) {
    if (at.at[i].n > 0) continue;
    if (at.at[i].times < a->lowest) a->lowest = at.at[i].times;
    if (at.at[i].times > a->highest) a->highest = at.at[i].times;
  }
}

/* Of an index with a choice in it both arms count. */
static void note_component(accountant *k, int parameter, const kir_expr *index, bool write) {
  if (k->layout[parameter].width == 0) return;
  k->second = k->chose = false;
  note_one(k, parameter, index, write);
  k->second = true;
  if (k->chose) note_one(k, parameter, index, write);
  k->second = false;
}

/* ---- walls ------------------------------------------------------------------------------------------------------------ */

static int place_of(const accountant *k, const kir_expr *e, const kir_expr **index);

static const kir_expr *bare(const kir_expr *e) {
  while (e->kind == KIR_CAST) e = e->a;
  return e;
}

#define HAS(list, variable) has_variable((list).at, (list).n, variable)

static bool has_variable(const kir_variable *const *list, int n, const kir_variable *v) {
  for (int i = 0; i < n; i++)
    if (list[i] == v) return true;
  return false;
}

static bool is_distance(const accountant *k, const kir_expr *e) {
  const kir_expr *index;
  e = bare(e);
  if (e->kind == KIR_VAR) return HAS(k->distance, e->variable);
  if (e->kind == KIR_BUILTIN && e->builtin == KIR_B_MIN)
    return is_distance(k, e->args[0]) || is_distance(k, e->args[1]);
  const int i = e->kind == KIR_INDEX ? place_of(k, e, &index) : -1;
  return i >= 0 && k->layout[i].is_wall_distance;
}

/* 1: the condition says that a wall is near; -1: that none is; 0: neither. */
static int nearness(const accountant *k, const kir_expr *e) {
  e = bare(e);
  if (e->kind == KIR_VAR && HAS(k->flag, e->variable)) return 1;
  if (e->kind == KIR_VAR && e->variable->let) return nearness(k, k->value.at[e->variable->let - 1]);
  if (e->kind == KIR_UNARY && e->op == KIR_NOT) return -nearness(k, e->a);
  if (e->kind == KIR_AND) return nearness(k, e->a) > 0 || nearness(k, e->b) > 0 ? 1 : 0;
  if (e->kind != KIR_BINARY || !is_distance(k, e->a)) return 0;
  if (e->op == KIR_LT || e->op == KIR_LE) return 1;
  return e->op == KIR_GT || e->op == KIR_GE ? -1 : 0;
}

/* What a distance, or such a condition, is kept in. */
static void note_wall(accountant *k, const kir_variable *v, const kir_expr *value) {
  if (is_distance(k, value) && !HAS(k->distance, v)) vec_push(k->program->arena, &k->distance, v);
}

static void note_flag(accountant *k, const kir_expr *e) {
  const kir_expr *to = e->kind == KIR_BUILTIN && e->builtin >= KIR_B_ATOMIC_MIN ? bare(e->args[0]) : NULL;
  if (k->aside && to && to->kind == KIR_ADDRESS && to->a->kind == KIR_VAR && !HAS(k->flag, to->a->variable))
    vec_push(k->program->arena, &k->flag, to->a->variable);
}

/* ---- accesses --------------------------------------------------------------------------------------------------------- */

static int parameter_of(const accountant *k, const kir_variable *v) {
  for (int i = 0; v->is_parameter && i < k->kernel->parameters.n; i++)
    if (k->kernel->parameters.at[i] == v) return i;
  return -1;
}

/* The parameter that a place in memory is behind, with its index; -1: it is none of the kernel's own. */
static int place_of(const accountant *k, const kir_expr *e, const kir_expr **index) {
  *index = NULL;
  if (e->kind == KIR_INDEX) *index = e->b;
  else if (e->kind != KIR_DEREF) return -1;
  return e->a->kind == KIR_VAR ? parameter_of(k, e->a->variable) : -1;
}

static void walk(accountant *k, const kir_expr *e);

static void access(accountant *k, const kir_expr *e, bool read, bool write) {
  const kir_expr *index;
  const int i = place_of(k, e, &index);
  if (e->b) walk(k, e->b);
  if (i < 0) {
    if (e->a) walk(k, e->a);
    return;
  }
  kir_account *a = &k->account[i];
  if (read) a->read = true;
  if (write) a->written = true;
  if (k->aside) return;
  if (read) a->loads += k->turns, a->read_here = true, note_component(k, i, index, false);
  if (write) a->stores += k->turns, a->written_here = true, note_component(k, i, index, true);
}

/* What a function does with what is handed to it is its own affair: read, and written where it may be. */
static void hand_over(accountant *k, const kir_expr *e) {
  if (e->type->kind != KIR_POINTER) {
    walk(k, e);
    return;
  }
  while (e->kind == KIR_CAST || e->kind == KIR_ADDRESS || e->kind == KIR_INDEX ||
         (e->kind == KIR_BINARY && e->type->kind == KIR_POINTER)) {
    if (e->b) walk(k, e->b);
    e = e->a;
  }
  const int i = e->kind == KIR_VAR ? parameter_of(k, e->variable) : -1;
  if (i < 0) return;
  k->account[i].read = true;
  if (!e->type->of->is_const) k->account[i].written = true;
}

static void walk_where(accountant *k, const kir_expr *e, bool aside) {
  const bool before = k->aside;
  k->aside = before || aside;
  walk(k, e);
  k->aside = before;
}

static void walk_operands(accountant *k, const kir_expr *e) {
  const int near = e->kind == KIR_SELECT || e->kind == KIR_AND ? nearness(k, e->a) : 0;
  if (e->a) walk(k, e->a);
  if (e->b) walk_where(k, e->b, near > 0);
  if (e->c) walk_where(k, e->c, near < 0);
}

static bool is_memory(const kir_expr *e) { return e->kind == KIR_INDEX || e->kind == KIR_DEREF; }

static void walk(accountant *k, const kir_expr *e) {
  const bool changes = e->kind == KIR_ASSIGN || e->kind == KIR_STEP;
  if (is_memory(e)) access(k, e, true, false);
  else if (changes && is_memory(e->a)) access(k, e->a, e->kind == KIR_STEP || e->op != KIR_NONE, true);
  else if (changes && e->a->kind != KIR_VAR) walk(k, e->a);
  else if (e->kind == KIR_VAR) {
    const int i = parameter_of(k, e->variable);
    if (i >= 0) k->account[i].read = k->account[i].read_here = true;
  } else if (!changes && e->kind != KIR_CALL && e->kind != KIR_BUILTIN && e->kind != KIR_LIST) {
    walk_operands(k, e);
  }
  if (changes && e->b) walk(k, e->b);
  if (changes && e->b && e->a->kind == KIR_VAR) note_wall(k, e->a->variable, e->b);
  note_flag(k, e);
  for (int i = 0; i < e->n; i++) hand_over(k, e->args[i]);
}

/* ---- statements ----------------------------------------------------------------------------------------------------------- */

enum { FARTHEST = 6 }; /* declarations between a loop's head and the row starts that it is made of */

static bool reaches_row(accountant *k, const kir_expr *e, int far) {
  const kir_expr *index;
  if (!e || far > FARTHEST) return false;
  if (is_memory(e)) {
    const int i = place_of(k, e, &index);
    if (i >= 0 && k->layout[i].is_row_start) return true;
  }
  if (e->kind == KIR_VAR)
    return e->variable->let && reaches_row(k, k->value.at[e->variable->let - 1], far + 1);
  for (int i = 0; i < e->n; i++)
    if (reaches_row(k, e->args[i], far)) return true;
  return reaches_row(k, e->a, far) || reaches_row(k, e->b, far) || reaches_row(k, e->c, far);
}

/* `for (int k = 0; k < 3; ++k)`: its turns; of rows, their length; of all others one: the items of a group, or what items share. */
static double turns_of(accountant *k, const kir_stmt *s) {
  int64_t from, to;
  const kir_stmt *let = s->kind == KIR_FOR && s->first.n == 1 ? s->first.at[0] : NULL;
  const kir_expr *test = s->value;
  while (test && test->kind == KIR_CAST) test = test->a;
  const kir_expr *value = let && let->kind == KIR_LET ? let->value : NULL;
  if (value && test && test->kind == KIR_BINARY && test->op == KIR_LT && kir_constant(value, &from) &&
      kir_constant(test->b, &to) && s->step && s->step->kind == KIR_STEP)
    return to > from ? (double)(to - from) : 0;
  return test && reaches_row(k, test, 0) ? k->row_length : 1;
}

static void walk_body(accountant *k, const kir_body *body);

static void walk_loop(accountant *k, const kir_stmt *s) {
  const double outside = k->turns;
  const bool before = k->aside;
  walk_body(k, &s->first);
  if (s->value && nearness(k, s->value) > 0) k->aside = true;
  if (s->value) walk(k, s->value); /* what it reads stays as it is: once */
  k->turns = outside * turns_of(k, s);
  walk_body(k, &s->body);
  if (s->step) walk(k, s->step);
  k->turns = outside;
  k->aside = before;
}

static void keep_let(accountant *k, const kir_stmt *s) {
  kir_variable *v = s->variable;
  if (s->value) note_wall(k, v, s->value);
  if (!s->value || v->assigned || v->takes_address) return;
  vec_push(k->program->arena, &k->value, s->value);
  vec_push(k->program->arena, &k->worth, NULL);
  v->let = k->value.n;
}

static void walk_statement(accountant *k, const kir_stmt *s) {
  if (s->kind == KIR_FOR || s->kind == KIR_WHILE || s->kind == KIR_DO) {
    walk_loop(k, s);
    return;
  }
  if (s->kind == KIR_LET) keep_let(k, s);
  if (s->value) walk(k, s->value);
  const int near = s->kind == KIR_IF ? nearness(k, s->value) : 0;
  const bool before = k->aside;
  k->aside = before || near > 0;
  walk_body(k, &s->body);
  k->aside = before || near < 0;
  walk_body(k, &s->otherwise);
  k->aside = before;
}

static void walk_body(accountant *k, const kir_body *body) {
  for (int i = 0; i < body->n; i++) walk_statement(k, body->at[i]);
}

void kir_take_account(kir_program *p, const kir_function *kernel, const kir_layout *layout, double row_length,
                      kir_account *account) {
  accountant k = {.program = p,
                  .kernel = kernel,
                  .layout = layout,
                  .account = account,
                  .row_length = row_length,
                  .turns = 1};
  for (int i = 0; i < kernel->parameters.n; i++) {
    account[i] = (kir_account){.component_read = arena_array(p->arena, bool, layout[i].width + 1),
                               .component_written = arena_array(p->arena, bool, layout[i].width + 1)};
  }
  for (int i = 0; i < kernel->variables.n; i++) kernel->variables.at[i]->let = 0;
  walk_statement(&k, kernel->body);
}
