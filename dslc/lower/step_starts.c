/* Quantities that look back: `X.prev` of an equation that is expensive, or that sums over neighbours, keeps its value in a step, so it
 * is computed once, when the step begins. A cheap one is expanded like X, from the states at the start of the step. */
#include <string.h>

#include "base/defects.h"
#include "lower/lower.h"

enum { CHEAP = 4, EXPENSIVE = 30 }; /* operations */

/* ---- what is read at the start of the step --------------------------------------------------------------------- */

static void note_read(const ir_module *m, reads_back *r, ir_sym sym) {
  if (r->seen[sym] || ir_symbol_get(m, sym)->kind != IR_EQUATION) return;
  r->seen[sym] = true;
  vec_push(m->memory, &r->sym, sym);
}

reads_back reads_back_find(const ir_module *m) {
  reads_back r = {.seen = arena_array(m->memory, bool, m->symbol.n)};
  const unsigned char *live = ir_live(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++)
    if (live[id] && ir_get(m, id)->op == IR_READ && ir_get(m, id)->read.level == IR_PREV)
      note_read(m, &r, ir_get(m, id)->read.sym);
  return r;
}

void reads_back_follow(const ir_module *m, reads_back *r, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(m, sym);
  ir_reached all = ir_reach(m, q->root, q->root[1] ? 2 : 1);
  for (int i = 0; i < all.n; i++)
    if (ir_get(m, all.at[i])->op == IR_READ) note_read(m, r, ir_get(m, all.at[i])->read.sym);
}

bool lower_sums_up(const ir_module *m, ir_sym sym) {
  unsigned char *seen = arena_array(m->memory, unsigned char, m->symbol.n);
  VEC(ir_sym) work = {0};
  vec_push(m->memory, &work, sym);
  while (work.n > 0) {
    const ir_symbol *q = ir_symbol_get(m, work.at[--work.n]);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    ir_reached all = ir_reach(m, q->root, 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op == IR_REDUCE) return true;
      if (n->op != IR_READ || seen[n->read.sym]) continue;
      seen[n->read.sym] = 1;
      vec_push(m->memory, &work, n->read.sym);
    }
  }
  return false;
}

/* ---- what is kept ---------------------------------------------------------------------------------------------- */

bool lower_moves(const ir_module *m, const unsigned *readers, ir_id read) {
  const ir_node *n = ir_get(m, read);
  if (n->read.at != IR_AT_SHIFT) return n->read.at != IR_AT_HERE;
  if (n->read.off[0] || n->read.off[1] || n->read.off[2]) return true;
  const ir_place place = ir_symbol_get(m, n->read.sym)->place;
  return place < IR_XLINE && (readers[read] & ~(1u << place)) && !defect_is_back("staggered_by_none");
}

/* Is X.prev read at another point than the reader's own? */
static bool is_read_across(const ir_module *m, ir_sym sym) {
  const unsigned char *live = ir_live(m);
  const unsigned *readers = ir_reader_places(m);
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    if (live[id] && n->op == IR_READ && n->read.sym == sym && n->read.level == IR_PREV &&
        lower_moves(m, readers, id))
      return true;
  }
  return false;
}

/* By symbol: it is read at another point than the reader's own, or at the point of such an equation. */
const bool *lower_read_elsewhere(const ir_module *m) {
  bool *elsewhere = arena_array(m->memory, bool, m->symbol.n);
  const unsigned char *live = ir_live(m);
  const unsigned *readers = ir_reader_places(m);
  VEC(ir_sym) work = {0};
  for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
    const ir_node *n = ir_get(m, id);
    if (!live[id] || n->op != IR_READ || elsewhere[n->read.sym] || !lower_moves(m, readers, id)) continue;
    elsewhere[n->read.sym] = true;
    vec_push(m->memory, &work, n->read.sym);
  }
  while (work.n > 0) {
    const ir_symbol *q = ir_symbol_get(m, work.at[--work.n]);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    ir_reached all = ir_reach(m, q->root, q->root[1] ? 2 : 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op != IR_READ || elsewhere[n->read.sym]) continue;
      elsewhere[n->read.sym] = true;
      vec_push(m->memory, &work, n->read.sym);
    }
  }
  return elsewhere;
}

/* t, what a case gives over time, a global, a state of one value: expanded from the states at the start of the step a quantity would mix them with what these
 * are now. */
static bool is_of_now(const lowering *l, const ir_node *n) {
  const ir_symbol *q = ir_symbol_get(l->m, n->read.sym);
  if (q->kind == IR_GLOBAL) return q->root[0] && strcmp(q->text, "dt") != 0;
  if (q->kind == IR_STATE && q->place == IR_NOWHERE) return true;
  return q->kind == IR_TIME || (q->kind == IR_GIVEN && q->over_time);
}

/* Goes on across periodic sides, where equations are those of the other side. */
static bool is_centre(const lowering *l, const ir_node *n) {
  const ir_symbol *q = ir_symbol_get(l->m, n->read.sym);
  return q->kind == IR_GEOMETRY && strcmp(q->text, "centre") == 0;
}

/* What a rule in use replaces, says beyond the boundary, or acts on at nodes: its formula alone does not tell what it was. */
static bool is_acted_on(const lowering *l, const ir_node *n) {
  ir_sym sym = n->read.sym;
  if (ir_symbol_get(l->m, sym)->kind == IR_STATE) return false;
  return lower_has_rule(l, sym, IR_FLUX) || ir_is_given_beyond(l->m, sym) ||
         ir_is_constrained(l->m, sym, false);
}

typedef bool leaf_test(const lowering *l, const ir_node *n);

/* Does it read such a leaf, itself or through equations? */
static bool reads_any(const lowering *l, ir_sym sym, leaf_test *is) {
  const ir_module *m = l->m;
  unsigned char *seen = arena_array(m->memory, unsigned char, m->symbol.n);
  VEC(ir_sym) work = {0};
  vec_push(m->memory, &work, sym);
  while (work.n > 0) {
    const ir_symbol *q = ir_symbol_get(m, work.at[--work.n]);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    ir_reached all = ir_reach(m, q->root, q->root[1] ? 2 : 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op != IR_READ && n->op != IR_PARAM) continue;
      if (is(l, n)) return true;
      if (n->op != IR_READ || seen[n->read.sym]) continue;
      seen[n->read.sym] = 1;
      vec_push(m->memory, &work, n->read.sym);
    }
  }
  return false;
}

/* On a mesh. Beyond boundaries what is kept is made of the states at the start of the step too: see demand_previous. */
static bool is_worth_keeping_on_mesh(const lowering *l, ir_sym sym, form f, const bool *elsewhere) {
  const ir_symbol *q = ir_symbol_get(l->m, sym);
  const ir_node self = {.op = IR_READ, .read = {.sym = sym}};
  if (is_acted_on(l, &self) || reads_any(l, sym, is_acted_on) || reads_any(l, sym, is_of_now)) return true;
  if (q->place == IR_FACES) return false;
  bool placed = l->periodic && reads_any(l, sym, is_centre), sums = lower_sums_up(l->m, sym);
  if (q->place == IR_CELLS) return (placed || sums) && elsewhere[sym];
  if (placed || sums) return true;
  return f == FORM_STORE || (f == FORM_AUTO && lower_deep_cost(l->m, sym, NULL) > CHEAP);
}

/* On a grid what a rule gives beyond the walls belongs to X itself, so such an X is expanded. */
static bool is_worth_keeping(const lowering *l, ir_sym sym, const bool *elsewhere) {
  const ir_symbol *q = ir_symbol_get(l->m, sym);
  bool grid = l->m->on_grid;
  if (q->kind != IR_EQUATION || !q->root[0] || q->place == IR_NOWHERE) return false;
  if (q->tuple.n_parts > 0 && grid) return false;
  if (grid && (ir_is_given_beyond(l->m, sym) || lower_has_rule(l, sym, IR_FIX))) return false;
  form f =
      schedule_form(l->schedule, intern_str(l->m->names, arena_printf(l->m->memory, "%s.prev", q->text)));
  if (!grid) return is_worth_keeping_on_mesh(l, sym, f, elsewhere);
  if (q->place != IR_FACES && reads_any(l, sym, is_of_now) && !is_read_across(l->m, sym)) return true;
  return f == FORM_STORE || (f == FORM_AUTO && lower_deep_cost(l->m, sym, NULL) > EXPENSIVE);
}

static ir_id whole(ir_module *m, ir_sym sym) {
  ir_type t = ir_symbol_get(m, sym)->type;
  ir_id part[IR_MOST_ARGS];
  for (int k = 0; k < t.n; k++) part[k] = rewrite_read(m, sym, IR_NOW, IR_AT_HERE, k);
  return t.n == 1 ? part[0] : ir_make(m, IR_TUPLE, t, t.n, part);
}

static void keep(lowering *l, ir_sym sym) {
  ir_symbol s = *ir_symbol_get(l->m, sym);
  s.text = intern_str(l->m->names, arena_printf(l->m->memory, "%s.prev", s.text));
  if (!l->m->on_grid && s.place != IR_FACES) s.root[0] = whole(l->m, sym);
  s.purpose.role = IR_STEP_START, s.purpose.of = sym;
  ir_symbol_add(l->m, s);
}

void lower_step_starts(lowering *l) {
  reads_back r = reads_back_find(l->m);
  const bool *elsewhere = lower_read_elsewhere(l->m);
  while (r.sym.n > 0) {
    ir_sym sym = r.sym.at[--r.sym.n];
    if (is_worth_keeping(l, sym, elsewhere)) keep(l, sym);
    else if (!l->m->on_grid) reads_back_follow(l->m, &r, sym);
  }
}
