/* Which symbols of a scheme are fields of its program, and as what; its rules; whether what is shown looks back. */
#include <string.h>

#include "ir/fields.h"

dslc_field ir_field(const ir_symbol *q, dslc_field_kind kind) {
  return (dslc_field){.name = q->text,
                      .kind = kind,
                      .place = (dslc_place)q->place,
                      .components = q->type.n,
                      .unit = q->unit,
                      .bounds = q->bounds,
                      .over_time = q->over_time,
                      .flux = q->kind == IR_STATE && q->is_flux,
                      .buffer = -1,
                      .show = -1};
}

bool ir_hides(const ir_symbol *q) {
  if (q->kind != IR_EQUATION) return false;
  return q->tuple.n_parts > 0 || q->place == IR_FACES || q->place == IR_EDGES || strchr(q->text, '(') ||
         q->is_fluctuation;
}

static dslc_argument argument_of(const ir_symbol *q) {
  return (dslc_argument){.name = q->text,
                         .components = q->type.n,
                         .unit = q->unit,
                         .bounds = q->bounds,
                         .over_time = true,
                         .buffer = -1};
}

dslc_rule *ir_rules(const ir_module *m, arena *memory) {
  dslc_rule *all = arena_array(memory, dslc_rule, m->rule.n);
  for (int i = 1; i < m->rule.n; i++) {
    const ir_rule *r = &m->rule.at[i];
    dslc_argument *argument = arena_array(memory, dslc_argument, r->arg.n + 1);
    for (int k = 0; k < r->arg.n; k++) argument[k] = argument_of(ir_symbol_get(m, r->arg.at[k]));
    all[i - 1] = (dslc_rule){.name = r->text,
                             .axis = r->axis,
                             .apart = ir_axes_text(memory, r->apart),
                             .n_arguments = r->arg.n,
                             .argument = argument};
  }
  return all;
}

/* ---- what looks back to the start of the step -------------------------------------------------------------------------- */

typedef struct start_search {
  const ir_module *m;
  VEC(ir_sym) todo;
  bool *seen; /* per symbol */
  bool found;
} start_search;

static void search_symbol(start_search *s, ir_sym q) {
  if (s->seen[q]) return;
  s->seen[q] = true;
  vec_push(s->m->memory, &s->todo, q);
}

static void search_value(start_search *s, ir_id root) {
  if (!root || s->found) return;
  const ir_reached all = ir_reach(s->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->m, all.at[i]);
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    s->found = s->found || (n->op == IR_READ && n->read.level == IR_PREV);
    search_symbol(s, n->read.sym);
  }
}

static bool is_named(const char *text, const char *const *names, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], text) == 0) return true;
  return n < 0;
}

/* `dt` is kept as a value. */
static bool is_computed(const ir_symbol *q) {
  return q->kind == IR_EQUATION || (q->kind == IR_GLOBAL && strncmp(q->text, "dt", 2) != 0);
}

bool ir_shows_start(const ir_module *m, const char *const *shown, int n) {
  start_search s = {.m = m, .seen = arena_array(m->memory, bool, m->symbol.n)};
  for (ir_sym q = 1; q < (ir_sym)m->symbol.n; q++)
    if (is_computed(ir_symbol_get(m, q)) && is_named(ir_symbol_get(m, q)->text, shown, n))
      search_symbol(&s, q);
  for (int r = 1; s.todo.n > 0 && r < m->rule.n; r++)
    for (int e = 0; e < m->rule.at[r].entry.n; e++) search_value(&s, m->rule.at[r].entry.at[e].root);
  for (int next = 0; next < s.todo.n && !s.found; next++) {
    const ir_symbol *q = ir_symbol_get(m, s.todo.at[next]);
    for (int k = 0; k < 2 && is_computed(q); k++) search_value(&s, q->root[k]);
  }
  return s.found;
}
