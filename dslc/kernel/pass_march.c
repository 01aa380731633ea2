/* A march along rows. Every pass loads, at its head, its column's fields at the rows that its pieces ask for (kir_march). Of these the highest
 * alone is new: what is one row lower it was in the pass before. So the others are loaded before the march and handed down at the end of
 * a pass, in registers; and what the next pass loads, or the one behind that, is asked for: no value waits for it, and no register. */
#include "kernel/build.h"
#include "kernel/pass.h"

/* Rows of a strip that are worth their place in the cache beside the local memory: where more are looked at, or will be, it holds
 * only those that several columns read. */
enum { ROWS_NEAR = 26 };

static kir_expr *called(kir_program *p, const char *function, kir_expr *of) {
  kir_expr *e = kir_made(p, KIR_CALL, of->type);
  e->spelling = function;
  e->n = 1;
  e->args = arena_array(p->arena, kir_expr *, 1);
  e->args[0] = of;
  return e;
}

/* The loaded element, at the point of another pass. */
static kir_expr *at_point(kir_program *p, const kir_march *m, const kir_expr *load, kir_variable *point) {
  m->here->twin = point;
  return kir_copied(p, load);
}

static kir_stmt *highest(const kir_rows *r) { return r->load.at[r->load.n - 1]; }

static bool is_field(const kir_rows *r) { return kir_is_floating(highest(r)->variable->type); }

/* ---- handed down -------------------------------------------------------------------------------------------------- */

/* What a row of the first pass holds is what the row above would have held in the pass before it. */
static void set_twins(const kir_march *m, bool before) {
  m->here->twin = before ? m->before : NULL;
  for (int i = 0; i < m->field.n; i++)
    for (int row = 1; row < m->field.at[i].load.n; row++)
      m->field.at[i].load.at[row]->variable->twin = before ? m->field.at[i].load.at[row - 1]->variable : NULL;
}

static int load_before(kir_program *p, const kir_march *m, kir_body *outer, int at) {
  set_twins(m, true);
  for (int i = 0; i < m->field.n; i++)
    for (int row = 0; row + 1 < m->field.at[i].load.n; row++) {
      kir_variable *v = m->field.at[i].load.at[row]->variable;
      v->type = kir_bare(p, v->type);
      v->assigned = true;
      kir_stmt *s = kir_insert(p, outer, at++, KIR_LET);
      s->variable = v;
      s->value = kir_copied(p, m->field.at[i].load.at[row + 1]->value);
    }
  set_twins(m, false);
  return at;
}

/* Before the barrier that a pass ends with. */
static void hand_down(kir_program *p, const kir_march *m, kir_body *pass) {
  const bool waits = pass->at[pass->n - 1]->kind == KIR_BARRIER;
  for (int i = 0; i < m->field.n; i++)
    for (int row = 0; row + 1 < m->field.at[i].load.n; row++) {
      kir_variable *to = m->field.at[i].load.at[row]->variable,
                   *from = m->field.at[i].load.at[row + 1]->variable;
      kir_expr *e = kir_made(p, KIR_ASSIGN, to->type);
      e->a = kir_named(p, to);
      e->b = kir_named(p, from);
      kir_insert(p, pass, pass->n - waits, KIR_EVAL)->value = e;
    }
}

static void drop_lower(kir_body *pass) {
  int kept = 0;
  for (int i = 0; i < pass->n; i++)
    if (pass->at[i]->kind != KIR_LET || !pass->at[i]->variable->assigned) pass->at[kept++] = pass->at[i];
  pass->n = kept;
}

/* ---- ahead of time ------------------------------------------------------------------------------------------------- */

static bool all_near(const kir_march *m) {
  int rows = 0;
  for (int i = 0; i < m->field.n; i++) {
    const kir_rows *r = &m->field.at[i];
    if (is_field(r)) rows += 2 + (r->shared ? r->load.n - 1 : 0);
  }
  return rows <= ROWS_NEAR;
}

/* Behind the loads and the points of the passes to come. */
static int find_place(const kir_march *m, const kir_body *pass) {
  int at = 0;
  while (pass->at[at]->kind != KIR_LET || pass->at[at]->variable != m->after_next) at++;
  return at + 1;
}

static void fetch_ahead(kir_program *p, const kir_march *m, kir_body *pass) {
  const bool near = all_near(m);
  int at = find_place(m, pass);
  for (int i = 0; i < m->field.n; i++) {
    const kir_rows *r = &m->field.at[i];
    if (!is_field(r)) continue;
    const bool soon = near || r->shared;
    kir_expr *load = at_point(p, m, highest(r)->value, soon ? m->next : m->after_next);
    kir_insert(p, pass, at++, KIR_EVAL)->value = called(p, soon ? "fetch_near" : "fetch", load);
  }
}

/* What lies in memory in single precision has no such load. */
static void read_once(kir_program *p, const kir_march *m) {
  for (int i = 0; i < m->field.n; i++) {
    const kir_rows *r = &m->field.at[i];
    const bool single = highest(r)->value->type->kind == KIR_FLOAT;
    if (is_field(r) && !r->shared && !single) highest(r)->value = called(p, "read_once", highest(r)->value);
  }
}

/* ---- all ------------------------------------------------------------------------------------------------------------ */

static int carry(kir_program *p, const kir_choices *how, kir_body *outer, int at) {
  kir_stmt *loop = outer->at[at];
  const kir_march *m = loop->march;
  (void)how;
  at = load_before(p, m, outer, at);
  drop_lower(&loop->body);
  hand_down(p, m, &loop->body);
  fetch_ahead(p, m, &loop->body);
  read_once(p, m);
  return at;
}

void kir_pass_march(kir_program *p, const kir_choices *how) {
  kir_clear_twins(p);
  kir_each_loop(p, how, KIR_OVER_ROWS, carry);
}
