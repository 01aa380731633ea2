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

/* What a declaration says of a variable that keeps its value. */
typedef struct kept {
  const kir_expr *value;
  const polynomial *worth; /* NULL: it is not known yet */
  int nearness;            /* of a condition */
  bool waits, aside;       /* whether it is made only if something names it; where it stands */
  double turns;
} kept;

typedef struct accountant {
  kir_program *program;
  kir_accounts *accounts;
  double turns;
  bool second, chose; /* of a choice in an index: take this one; whether there was one */
  VEC(kept) kept;
  bool aside; /* where a wall is near */
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
  if (v->let <= 0) return unknown_of(v);
  kept *of = &k->kept.at[v->let - 1];
  if (!of->worth) {
    const bool chose = k->chose;
    polynomial *made = arena_new(k->program->arena, polynomial);
    k->chose = false;
    *made = evaluate(k, of->value);
    if (k->chose) *made = unknown_of(v);
    k->chose = chose;
    of->worth = made;
  }
  return *of->worth;
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

/* ---- arguments -------------------------------------------------------------------------------------------------------- */

kir_account *kir_account_of(const kir_accounts *all, int argument) {
  const int place = all->place[argument];
  kir_account *found = place < all->of.n ? &all->of.at[place] : NULL;
  return found && found->argument == argument ? found : NULL;
}

kir_account *kir_touch(kir_accounts *all, int argument) {
  kir_account *found = kir_account_of(all, argument);
  if (found) return found;
  all->place[argument] = all->of.n;
  vec_push(all->memory, &all->of, (kir_account){.argument = argument});
  return &all->of.at[all->of.n - 1];
}

static kir_account *touched(accountant *k, int argument) { return kir_touch(k->accounts, argument); }

static void mark(accountant *k, bool **of, int width, int component) {
  if (!*of) *of = arena_array(k->accounts->memory, bool, width + 1);
  (*of)[component] = true;
}

static void note_one(accountant *k, int argument, const kir_expr *index, bool write) {
  const kir_layout *l = &k->accounts->layout[argument];
  kir_account *a = touched(k, argument);
  const polynomial at = index ? evaluate(k, index) : number(0);
  const int64_t component = !at.known ? -1 : l->apart ? by_stride(&at, l->stride) : by_width(&at, l->width);
  if (component < 0 || component >= l->width) a->unclear = true;
  else mark(k, write ? &a->component_written : &a->component_read, l->width, (int)component);
  for (int i = 0; at.known && i < at.n; i++) {
    if (at.at[i].n > 0) continue;
    if (at.at[i].times < a->lowest) a->lowest = at.at[i].times;
    if (at.at[i].times > a->highest) a->highest = at.at[i].times;
  }
}

/* Of what was built. */
static void note_element(accountant *k, const kir_part *part, bool write) {
  kir_account *a = touched(k, part->argument - 1);
  bool **of = write ? &a->component_written : k->aside ? &a->component_aside : &a->component_read;
  const int width = k->accounts->layout[part->argument - 1].width;
  if (part->component + part->apart >= width) return;
  mark(k, of, width, part->component);
  mark(k, of, width, part->component + part->apart);
}

/* Of an index with a choice in it both arms count. */
static void note_component(accountant *k, int argument, const kir_expr *e, bool write) {
  const kir_expr *index = e->kind == KIR_INDEX ? e->b : NULL;
  if (k->accounts->layout[argument].width == 0) return;
  if (e->kind == KIR_ELEMENT) note_element(k, &e->part, write);
  if (e->kind == KIR_ELEMENT || k->aside) return;
  k->second = k->chose = false;
  note_one(k, argument, index, write);
  k->second = true;
  if (k->chose) note_one(k, argument, index, write);
  k->second = false;
}

/* The argument that an expression is; -1: it is none of the kernel's. */
static int argument_of(const kir_expr *e) {
  if (e->part.argument) return e->part.argument - 1;
  return e->kind == KIR_VAR && e->variable->let < 0 ? -1 - e->variable->let : -1;
}

/* The one that a place in memory is behind. */
static int place_of(const kir_expr *e) {
  if (e->kind == KIR_ELEMENT) return e->part.argument - 1;
  return e->kind == KIR_INDEX || e->kind == KIR_DEREF ? argument_of(e->a) : -1;
}

/* ---- walls ------------------------------------------------------------------------------------------------------------ */

static const kir_expr *bare(const kir_expr *e) {
  while (e->kind == KIR_CAST) e = e->a;
  return e;
}

/* As the parser has it, or by its name as it was built. */
static bool is_called(const kir_expr *e, int builtin) {
  if (e->kind == KIR_BUILTIN) return e->builtin == builtin;
  return e->kind == KIR_CALL && e->spelling && strcmp(e->spelling, kir_builtin_name(builtin)) == 0;
}

static bool is_distance(const accountant *k, const kir_expr *e) {
  e = bare(e);
  if (e->kind == KIR_VAR) return e->variable->walls == KIR_WALL_DISTANCE;
  if (is_called(e, KIR_B_MIN)) return is_distance(k, e->args[0]) || is_distance(k, e->args[1]);
  const int i = e->kind == KIR_INDEX || e->kind == KIR_ELEMENT ? place_of(e) : -1;
  return i >= 0 && k->accounts->layout[i].is_wall_distance;
}

/* 1: the condition says that a wall is near; -1: that none is; 0: neither. */
static int nearness(const accountant *k, const kir_expr *e) {
  e = bare(e);
  if (e->kind == KIR_VAR && e->variable->walls == KIR_WALL_FLAG) return 1;
  if (e->kind == KIR_VAR && e->variable->let > 0) return k->kept.at[e->variable->let - 1].nearness;
  if (e->kind == KIR_UNARY && e->op == KIR_NOT) return -nearness(k, e->a);
  if (e->kind == KIR_AND) return nearness(k, e->a) > 0 || nearness(k, e->b) > 0 ? 1 : 0;
  if (e->kind != KIR_BINARY || !is_distance(k, e->a)) return 0;
  if (e->op == KIR_LT || e->op == KIR_LE) return 1;
  return e->op == KIR_GT || e->op == KIR_GE ? -1 : 0;
}

/* What a distance, or such a condition, is kept in. */
static void note_wall(accountant *k, kir_variable *v, const kir_expr *value) {
  if (is_distance(k, value)) v->walls = KIR_WALL_DISTANCE;
}

static void note_flag(accountant *k, const kir_expr *e) {
  const bool raises = is_called(e, KIR_B_ATOMIC_MIN) || is_called(e, KIR_B_ATOMIC_MAX);
  const kir_expr *to = k->aside && raises ? bare(e->args[0]) : NULL;
  if (to && to->kind == KIR_ADDRESS && to->a->kind == KIR_VAR) to->a->variable->walls = KIR_WALL_FLAG;
}

/* ---- accesses --------------------------------------------------------------------------------------------------------- */

static void walk(accountant *k, const kir_expr *e);

static void read_argument(accountant *k, int argument) {
  kir_account *a = touched(k, argument);
  a->read = true;
  if (k->aside) return;
  a->read_here = true;
  a->loads += k->turns;
}

static void write_argument(accountant *k, int argument) {
  kir_account *a = touched(k, argument);
  a->written = true;
  if (k->aside) return;
  a->written_here = true;
  a->stores += k->turns;
}

/* Where its macro looks the index of an element up. */
static void read_index(accountant *k, int argument) {
  read_argument(k, argument);
  note_element(k, &(kir_part){.argument = 1 + argument}, false);
}

static void access(accountant *k, const kir_expr *e, bool read, bool write) {
  const int i = place_of(e);
  if (e->b) walk(k, e->b);
  for (int n = 0; n < e->n; n++) walk(k, e->args[n]);
  if (i < 0) {
    if (e->a) walk(k, e->a);
    return;
  }
  if (e->part.index) read_index(k, e->part.index - 1);
  if (read) read_argument(k, i), note_component(k, i, e, false);
  if (write) write_argument(k, i), note_component(k, i, e, true);
}

/* What a function does with what is handed to it is its own affair: read, and written where it may be. */
static void hand_over(accountant *k, const kir_expr *e) {
  const bool whole = argument_of(e) >= 0 && e->kind != KIR_ELEMENT;
  if (e->type->kind != KIR_POINTER && !whole) {
    walk(k, e);
    return;
  }
  while (e->kind == KIR_CAST || e->kind == KIR_ADDRESS || e->kind == KIR_INDEX ||
         (e->kind == KIR_BINARY && e->type->kind == KIR_POINTER)) {
    if (e->b) walk(k, e->b);
    e = e->a;
  }
  const int i = argument_of(e);
  if (i < 0) return;
  kir_account *a = touched(k, i);
  a->read = true;
  if (e->type->kind == KIR_POINTER && !e->type->of->is_const) a->written = true;
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

static bool is_memory(const kir_expr *e) {
  return e->kind == KIR_INDEX || e->kind == KIR_DEREF || e->kind == KIR_ELEMENT;
}

/* A name that stands for a variable or an argument. */
static void walk_name(accountant *k, const kir_expr *e) {
  const int i = argument_of(e);
  if (i >= 0) {
    kir_account *a = touched(k, i);
    a->read = a->read_here = true;
  }
  kept *of = e->kind == KIR_VAR && e->variable->let > 0 ? &k->kept.at[e->variable->let - 1] : NULL;
  if (!of || !of->waits) return;
  const bool aside = k->aside;
  const double turns = k->turns;
  of->waits = false;
  k->aside = of->aside, k->turns = of->turns;
  walk(k, of->value);
  k->aside = aside, k->turns = turns;
}

static void walk(accountant *k, const kir_expr *e) {
  const bool changes = e->kind == KIR_ASSIGN || e->kind == KIR_STEP;
  if (is_memory(e)) access(k, e, true, false);
  else if (changes && is_memory(e->a)) access(k, e->a, e->kind == KIR_STEP || e->op != KIR_NONE, true);
  else if (changes && e->a->kind != KIR_VAR) walk(k, e->a);
  else if (e->kind == KIR_VAR || e->kind == KIR_NAMED) walk_name(k, e);
  else if (!changes && e->kind != KIR_CALL && e->kind != KIR_BUILTIN && e->kind != KIR_LIST)
    walk_operands(k, e);
  if (changes && e->b) walk(k, e->b);
  if (changes && e->b && e->a->kind == KIR_VAR) note_wall(k, e->a->variable, e->b);
  note_flag(k, e);
  for (int i = 0; i < e->n && !is_memory(e); i++) hand_over(k, e->args[i]);
}

/* ---- statements ----------------------------------------------------------------------------------------------------------- */

enum { FARTHEST = 6 }; /* declarations between a loop's head and the row starts that it is made of */

static bool reaches_row(accountant *k, const kir_expr *e, int far) {
  if (!e || far > FARTHEST) return false;
  if (is_memory(e)) {
    const int i = place_of(e);
    if (i >= 0 && k->accounts->layout[i].is_row_start) return true;
  }
  if (e->kind == KIR_VAR)
    return e->variable->let > 0 && reaches_row(k, k->kept.at[e->variable->let - 1].value, far + 1);
  for (int i = 0; i < e->n; i++)
    if (reaches_row(k, e->args[i], far)) return true;
  return reaches_row(k, e->a, far) || reaches_row(k, e->b, far) || reaches_row(k, e->c, far);
}

double kir_turns(kir_range over, double row_length) {
  switch (over) {
  case KIR_OVER_FACES:
  case KIR_OVER_NEIGHBOURS: return row_length;
  case KIR_OVER_PATCH_FACES: return (row_length + 0.25) / 2; /* faces on the rim count for both patches */
  default: return 1;
  }
}

/* `for (int k = 0; k < 3; ++k)`: its turns; of rows, their length; of all others one: the items of a group, or what items share. */
static double turns_of(accountant *k, const kir_stmt *s) {
  int64_t from, to;
  if (s->over) return kir_turns(s->over, k->accounts->row_length);
  const kir_stmt *let = s->kind == KIR_FOR && s->first.n == 1 ? s->first.at[0] : NULL;
  const kir_expr *test = s->value;
  while (test && test->kind == KIR_CAST) test = test->a;
  const kir_expr *value = let && let->kind == KIR_LET ? let->value : NULL;
  if (value && test && test->kind == KIR_BINARY && test->op == KIR_LT && kir_constant(value, &from) &&
      kir_constant(test->b, &to) && s->step && s->step->kind == KIR_STEP)
    return to > from ? (double)(to - from) : 0;
  return test && reaches_row(k, test, 0) ? k->accounts->row_length : 1;
}

static void walk_body(accountant *k, const kir_body *body);

static void walk_loop(accountant *k, const kir_stmt *s) {
  const double outside = k->turns;
  const bool before = k->aside;
  walk_body(k, &s->first);
  if (s->over == KIR_OVER_RIM || (s->value && nearness(k, s->value) > 0)) k->aside = true;
  if (s->value) walk(k, s->value); /* what it reads stays as it is: once */
  k->turns = outside * turns_of(k, s);
  walk_body(k, &s->body);
  if (s->step) walk(k, s->step);
  k->turns = outside;
  k->aside = before;
}

static void keep_let(accountant *k, const kir_stmt *s) {
  kir_variable *v = s->variable;
  const kept new = {.value = s->value,
                    .nearness = s->value ? nearness(k, s->value) : 0,
                    .waits = s->if_named,
                    .aside = k->aside,
                    .turns = k->turns};
  if (s->value) note_wall(k, v, s->value);
  if (!s->value || v->assigned || v->takes_address) return;
  vec_push(k->program->arena, &k->kept, new);
  v->let = k->kept.n;
}

/* Is the value made where it is declared? Of a field that a march loads at several rows, all but the highest one were loaded a pass
 * before. */
static bool is_made(const kir_stmt *s) {
  return s->value && !s->if_named && !(s->kind == KIR_LET && s->variable->handed_down);
}

/* An item takes one of the cases, and each of them as many items. */
static void walk_cases(accountant *k, const kir_stmt *s) {
  const double before = k->turns;
  int cases = 0;
  for (int i = 0; i < s->body.n; i++) cases += s->body.at[i]->kind == KIR_CASE;
  walk(k, s->value);
  k->turns = cases ? before / cases : 0;
  walk_body(k, &s->body);
  k->turns = before;
}

static void walk_statement(accountant *k, const kir_stmt *s) {
  if (s->kind == KIR_SWITCH) {
    walk_cases(k, s);
    return;
  }
  if (s->kind == KIR_FOR || s->kind == KIR_WHILE || s->kind == KIR_DO) {
    walk_loop(k, s);
    return;
  }
  if (s->kind == KIR_LET) keep_let(k, s);
  if (is_made(s)) walk(k, s->value);
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

void kir_take_account(kir_program *p, const kir_function *kernel, kir_accounts *accounts) {
  accountant k = {.program = p, .accounts = accounts, .turns = accounts->items};
  for (int i = 0; i < kernel->variables.n; i++) {
    kernel->variables.at[i]->let = 0;
    kernel->variables.at[i]->walls = KIR_WALL_NOTHING;
  }
  for (int i = 0; !p->is_built && i < kernel->parameters.n; i++) kernel->parameters.at[i]->let = -1 - i;
  walk_statement(&k, kernel->body);
}
