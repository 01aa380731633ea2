/* Sums that deserve a buffer of their own, and how cells get what they sum over faces. */
#include <string.h>

#include "lower/lower.h"

enum { EXPENSIVE_FLUX = 1000 }; /* operations */

double lower_deep_cost(const ir_module *m, ir_sym sym, const bool *loaded) {
  unsigned char *seen = arena_array(m->memory, unsigned char, m->symbol.n);
  VEC(ir_sym) work = {0};
  double sum = 0;
  vec_push(m->memory, &work, sym);
  while (work.n > 0) {
    ir_sym next = work.at[--work.n];
    const ir_symbol *q = ir_symbol_get(m, next);
    bool leaf = next != sym && loaded && loaded[next];
    if (seen[next] || leaf || q->kind != IR_EQUATION || !q->root[0]) continue;
    seen[next] = 1;
    ir_id roots[2] = {q->root[0], q->root[1] ? q->root[1] : q->root[0]};
    sum += ir_cost_of(m, roots, 2, 4).shared;
    ir_reached reached = ir_reach(m, roots, 2);
    for (int i = 0; i < reached.n; i++) {
      const ir_node *n = ir_get(m, reached.at[i]);
      if (n->op == IR_READ) vec_push(m->memory, &work, n->read.sym);
    }
  }
  return sum;
}

/* Is it kept from the start of the step? Behind lower_step_starts. */
static bool is_kept(const ir_module *m, ir_sym sym) {
  for (int s = 1; s < m->symbol.n; s++)
    if (m->symbol.at[s].purpose.role == IR_STEP_START && m->symbol.at[s].purpose.of == sym) return true;
  return false;
}

/* Can a cell not recompute this as if it were L? A quantity that a rule replaces, since it would forget the rule; what is kept from the
 * start of the step if it is neither even nor odd. */
static bool has_one_view(const lowering *l, const ir_node *n) {
  ir_side side = ir_symbol_get(l->m, n->read.sym)->side;
  if (n->read.level == IR_PREV && side == IR_SIDED && is_kept(l->m, n->read.sym)) return true;
  return side != IR_EVEN && lower_has_rule(l, n->read.sym, IR_FLUX);
}

/* Does it read such a quantity, itself or through equations at the face? */
static bool reads_replaced(const lowering *l, ir_sym sym) {
  const ir_module *m = l->m;
  bool *seen = arena_array(m->memory, bool, m->symbol.n);
  VEC(ir_sym) work = {0};
  vec_push(m->memory, &work, sym);
  while (work.n > 0) {
    const ir_symbol *q = ir_symbol_get(m, work.at[--work.n]);
    ir_reached all = ir_reach(m, q->root, q->root[1] ? 2 : 1);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (n->op != IR_READ || seen[n->read.sym]) continue;
      const ir_symbol *r = ir_symbol_get(m, n->read.sym);
      if (r->kind != IR_EQUATION || r->place != IR_FACES || !r->root[0]) continue;
      if (has_one_view(l, n)) return true;
      seen[n->read.sym] = true;
      vec_push(m->memory, &work, n->read.sym);
    }
  }
  return false;
}

/* How a quantity at faces is evaluated, and why. */
form lower_face_form(const lowering *l, ir_sym sym, bool in_loop, const char **why) {
  const ir_symbol *q = ir_symbol_get(l->m, sym);
  form f = schedule_form(l->schedule, q->text);
  bool asked = f != FORM_AUTO, flux = q->is_flux || q->is_fluctuation;
  if (!asked) f = in_loop ? l->faces : FORM_INLINE;
  if (f == FORM_SCATTER && !flux) f = in_loop ? FORM_STORE : FORM_INLINE;
  if (f == FORM_PATCH && !in_loop) f = FORM_INLINE;
  *why = asked               ? "the schedule says so"
         : !in_loop          ? "read at its own face"
         : f == FORM_STORE   ? "cells sum it over their faces"
         : f == FORM_SCATTER ? "faces add it into their cells"
         : f == FORM_PATCH   ? "patches of cells compute it once a face"
                             : "cells recompute it";
  if (f == FORM_PATCH) return f;
  if (f != FORM_STORE && lower_has_rule(l, sym, IR_FLUX)) {
    *why = "a boundary rule in use replaces it at its faces";
    return FORM_STORE;
  }
  if (f != FORM_STORE && in_loop && q->root[0] && reads_replaced(l, sym)) {
    *why = "a boundary rule in use replaces what it reads at its face";
    return FORM_STORE;
  }
  if (f != FORM_STORE && in_loop && q->is_fluctuation && q->side == IR_SIDED) {
    *why = "what R gets is not what L gets seen from R, so a cell cannot recompute it as if it were L";
    return FORM_STORE;
  }
  return f;
}

typedef struct sums {
  lowering *l;
  bool *found; /* by node: it has a symbol already */
  int count;   /* of what lowerings have stored so far */
} sums;

/* The reduction gets a symbol of its own. It stays where it is: whoever expands an equation reads the symbol instead. */
static void hoist(sums *h, ir_id id, ir_role role) {
  ir_module *m = h->l->m;
  bool global = role == IR_PART_OF_GLOBAL;
  ir_symbol s = {.kind = global ? IR_GLOBAL : IR_EQUATION,
                 .place = global ? IR_NOWHERE : IR_CELLS,
                 .type = ir_scalar(),
                 .dims = m->dims,
                 .root = {id},
                 .purpose.role = role,
                 .at = m->origin.at[id].at};
  s.text = intern_str(m->names, arena_printf(m->memory, "%s%d", global ? "part_" : "sum_", ++h->count));
  h->found[id] = true;
  ir_symbol_add(m, s);
}

static bool reads_in_loop(lowering *l, ir_id body, form wanted) {
  ir_reached reached = ir_reach(l->m, &body, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(l->m, reached.at[i]);
    if (n->op != IR_READ || (n->read.at != IR_AT_OUT && n->read.at != IR_AT_F)) continue;
    const ir_symbol *q = ir_symbol_get(l->m, n->read.sym);
    if (q->kind != IR_EQUATION) continue;
    const char *why;
    if (lower_face_form(l, n->read.sym, true, &why) == wanted) return true;
  }
  return false;
}

/* Of the cell that sums: faces would have to compute it for both of their cells. */
static bool sums_up_inside(lowering *l, ir_id body) {
  ir_reached reached = ir_reach(l->m, &body, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(l->m, reached.at[i]);
    if (n->op == IR_READ && n->read.at == IR_AT_HERE && lower_sums_up(l->m, n->read.sym)) return true;
  }
  return false;
}

typedef struct followed {
  const lowering *l;
  bool *seen; /* by symbol */
  VEC(ir_id) work;
} followed;

/* What it is made of, in cells and beyond boundaries. */
static void follow_symbol(followed *f, ir_sym sym) {
  const ir_module *m = f->l->m;
  const ir_symbol *q = ir_symbol_get(m, sym);
  const ir_entries all = ir_entries_of(m, sym);
  if (f->seen[sym]) return;
  f->seen[sym] = true;
  if (q->kind == IR_EQUATION || q->kind == IR_GLOBAL) vec_push(m->memory, &f->work, q->root[0]);
  for (int i = 0; i < all.n; i++)
    if (ir_entry_at(m, &all, i)->kind == IR_GHOST && f->l->rule_used[all.at[i].rule])
      vec_push(m->memory, &f->work, ir_entry_at(m, &all, i)->root);
}

/* Does what lies beyond boundaries of what the sum reads in its own cell follow from the sum? Faces would compute it for that cell, too. */
static bool leads_to_itself_beyond(const lowering *l, ir_id sum, ir_id body) {
  const ir_module *m = l->m;
  followed f = {.l = l, .seen = arena_array(m->memory, bool, m->symbol.n)};
  const ir_reached own = ir_reach(m, &body, 1);
  for (int i = 0; i < own.n; i++) {
    const ir_node *n = ir_get(m, own.at[i]);
    if (n->op == IR_READ && n->read.at == IR_AT_HERE) follow_symbol(&f, n->read.sym);
  }
  while (f.work.n > 0) {
    const ir_id next = f.work.at[--f.work.n];
    const ir_reached all = ir_reach(m, &next, next != 0);
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(m, all.at[i]);
      if (all.at[i] == sum) return true;
      if (n->op == IR_READ || n->op == IR_PARAM) follow_symbol(&f, n->read.sym);
    }
  }
  return false;
}

static bool mentions_global(lowering *l, ir_id body) {
  ir_reached reached = ir_reach(l->m, &body, 1);
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(l->m, reached.at[i]);
    if (n->op == IR_PARAM && ir_symbol_get(l->m, n->read.sym)->kind == IR_GLOBAL) return true;
  }
  return false;
}

static bool dt_is_reduced(lowering *l) {
  const ir_symbol *dt = NULL;
  for (int s = 1; s < l->m->symbol.n; s++)
    if (l->m->symbol.at[s].kind == IR_GLOBAL && strcmp(l->m->symbol.at[s].text, "dt") == 0)
      dt = &l->m->symbol.at[s];
  if (!dt || !dt->root[0]) return false;
  ir_reached reached = ir_reach(l->m, dt->root, 1);
  for (int i = 0; i < reached.n; i++)
    if (ir_get(l->m, reached.at[i])->op == IR_REDUCE) return true;
  return false;
}

/* Sums over faces in equations and in the first update get a buffer of their own
 *  - if faces add into cells (scatter): it is the sum that they add to;
 *  - if cells or their patches recompute what they sum, and dt is a reduction over the same values: one pass then serves both. */
static void hoist_sums(sums *h, const ir_id *roots, int n, bool first_update) {
  lowering *l = h->l;
  ir_reached reached = ir_reach(l->m, roots, n);
  bool staged = first_update && dt_is_reduced(l);
  for (int i = 0; i < reached.n; i++) {
    ir_id id = reached.at[i];
    const ir_node node = *ir_get(l->m, id);
    if (node.op != IR_REDUCE || node.reduce.binder != IR_OVER_FACES || h->found[id]) continue;
    ir_id body = ir_args(l->m, &node)[0];
    bool scatter = node.reduce.kind == IR_SUM && reads_in_loop(l, body, FORM_SCATTER) &&
                   !mentions_global(l, body) && !sums_up_inside(l, body) &&
                   !leads_to_itself_beyond(l, id, body);
    const bool once = staged && (reads_in_loop(l, body, FORM_INLINE) || reads_in_loop(l, body, FORM_PATCH));
    if (!scatter && !(once && !mentions_global(l, body))) continue;
    hoist(h, id, scatter ? IR_SCATTERED_SUM : IR_SUM_OVER_FACES);
  }
}

/* A global with several reductions gets one hidden global for each: every one has partials and a kernel of its own. */
static void hoist_reductions(sums *h, ir_sym global) {
  const lowering *l = h->l;
  ir_id root = ir_symbol_get(l->m, global)->root[0];
  ir_reached reached = ir_reach(l->m, &root, 1);
  VEC(ir_id) found = {0};
  for (int i = 0; i < reached.n; i++) {
    const ir_node *n = ir_get(l->m, reached.at[i]);
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_ALL) vec_push(l->m->memory, &found, reached.at[i]);
  }
  for (int i = 0; i < found.n && found.n > 1; i++) hoist(h, found.at[i], IR_PART_OF_GLOBAL);
}

/* What one value becomes, or must be, may be made of reductions, as globals are. */
static void hoist_all_reductions(sums *h, ir_id root) {
  ir_reached all = ir_reach(h->l->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node n = *ir_get(h->l->m, all.at[i]);
    if (n.op == IR_REDUCE && n.reduce.binder == IR_OVER_ALL && !h->found[all.at[i]])
      hoist(h, all.at[i], IR_PART_OF_GLOBAL);
  }
}

static void hoist_of_statements(sums *h, const ir_stmt *st, int n) {
  for (int i = 0; i < n; i++) {
    hoist_of_statements(h, st[i].body.at, st[i].body.n);
    for (int k = 0; k < st[i].assign.n; k++) hoist_all_reductions(h, st[i].assign.at[k].value);
  }
}

/* Recomputing a flux in both cells saves its store and loads. On an H100 and an H200 it was the faster for fluxes of 29 to 709 operations. */
static form by_cost(lowering *l) {
  double highest = 0;
  for (int s = 1; s < l->m->symbol.n; s++) {
    const ir_symbol *q = ir_symbol_get(l->m, (ir_sym)s);
    if (q->kind != IR_EQUATION || q->place != IR_FACES || !(q->is_flux || q->is_fluctuation)) continue;
    double cost = lower_deep_cost(l->m, (ir_sym)s, NULL);
    highest = cost > highest ? cost : highest;
  }
  form f = highest > EXPENSIVE_FLUX ? FORM_STORE : FORM_INLINE;
  if (highest > 0)
    lower_note(
        l, "what cells sum over their faces is %s by default: the most expensive flux takes %.0f operations",
        f == FORM_STORE ? "stored" : "recomputed", highest);
  return f;
}

/* One flux that must be stored makes the others follow: the faces' kernel then shares its work with them. */
static void choose_faces(lowering *l) {
  l->faces = l->schedule->faces == FORM_AUTO ? by_cost(l) : l->schedule->faces;
  for (int s = 1; s < l->m->symbol.n && l->faces != FORM_STORE; s++) {
    const ir_symbol *q = ir_symbol_get(l->m, (ir_sym)s);
    const char *why;
    if (q->kind != IR_EQUATION || q->place != IR_FACES || !(q->is_flux || q->is_fluctuation)) continue;
    if (schedule_form(l->schedule, q->text) || lower_face_form(l, (ir_sym)s, true, &why) != FORM_STORE)
      continue;
    lower_note(l, "what cells sum over their faces is stored, because of %s: %s", q->text, why);
    l->faces = FORM_STORE;
  }
}

void lower_sums(lowering *l) {
  choose_faces(l);
  sums h = {.l = l, .found = arena_array(l->m->memory, bool, l->m->node.n + 1), .count = lower_count(l->m)};
  VEC(ir_id) roots = {0};
  const ir_stmt *first = l->m->step.n ? &l->m->step.at[0] : NULL;
  for (int i = 0; first && first->kind == IR_UPDATE && i < first->assign.n; i++)
    vec_push(l->m->memory, &roots, first->assign.at[i].value);
  if (roots.n) hoist_sums(&h, roots.at, roots.n, true);
  int n = l->m->symbol.n;
  for (int s = 1; s < n; s++) {
    const ir_symbol q = *ir_symbol_get(l->m, (ir_sym)s);
    if (q.kind == IR_EQUATION && q.place == IR_CELLS && q.root[0]) hoist_sums(&h, q.root, 1, false);
    if (q.kind == IR_GLOBAL && q.root[0]) hoist_reductions(&h, (ir_sym)s);
  }
  hoist_of_statements(&h, l->m->step.at, l->m->step.n);
  for (int i = 0; i < l->m->require.n; i++) hoist_all_reductions(&h, l->m->require.at[i].condition);
}
