/* What boundary rules say must lead to an end, whatever the schedule (meshes: rules_end_mesh.c): on grids the value of a quantity at a point, or as it is seen beyond
 * a wall, must not need itself. Equations alone cannot do that, as sema has looked; so every cycle leads through a rule, as that of
 * `ghost b = a[inner]`, where `a` looks at the `b` beyond the wall. A plan has fewer of them, never more: what is stored is not asked again. */
#include "lower/lower.h"
#include "pass/pass.h"
#include "schedule/rules_end.h"
#include "schedule/schedule.h"

enum { OWN = 3, VIEWS = 4 }; /* seen along x, y or z, and at its own point */

typedef rules_frame frame;

typedef struct search {
  const ir_module *m;
  diag_sink *sink;
  const int *first;           /* by symbol, of what is numbered by component, level and view */
  unsigned char *open, *done; /* by number */
  bool found;
} search;

typedef rules_quantity quantity;

static void follow(search *s, quantity q, int view, const frame *outer);

void rules_report_cycle(const ir_module *m, diag_sink *sink, const rules_frame *innermost, ir_sym again,
                        int number) {
  const frame *by_rule = NULL;
  const char *way = arena_printf(m->memory, "`%s`", ir_symbol_get(m, again)->text);
  for (const frame *f = innermost;; f = f->outer) {
    const bool last = f->number == number;
    if (f->rule) by_rule = f;
    if (last || f->outer->sym != f->sym)
      way = arena_printf(m->memory, "`%s` needs %s", ir_symbol_get(m, f->sym)->text, way);
    if (last) break;
  }
  if (!by_rule) return;
  diag *d = diag_report(sink, DIAG_TARGET, by_rule->entry->at,
                        "what boundary rule `%s` says of `%s` leads in a cycle: %s", by_rule->rule->text,
                        ir_symbol_get(m, by_rule->sym)->text, way);
  if (m->on_grid)
    diag_with_hint(sink, d, "let the rule read states, or equations that do not look across this boundary");
  else
    diag_with_hint(sink, d, "let the rule read states, or equations that do not need `%s`",
                   ir_symbol_get(m, by_rule->sym)->text);
}

/* Axes along which a formula at a place looks away from its own point, as bits; all, if that may be beyond several walls. */
static unsigned axes_of(const search *s, ir_place from, const ir_node *n) {
  const ir_place to = ir_symbol_get(s->m, n->read.sym)->place;
  unsigned axes = 0;
  for (int a = 0; a < s->m->dims; a++)
    if (2 * n->read.off[a] + (int)ir_place_on_faces(from, a) != (int)ir_place_on_faces(to, a))
      axes |= 1u << a;
  return axes & (axes - 1) ? (1u << s->m->dims) - 1 : axes;
}

/* A formula's reads: at their own points, and as seen along these axes besides those along which they look. */
static void follow_formula(search *s, ir_id root, ir_place from, unsigned axes, bool previous,
                           const frame *f) {
  ir_reached all = ir_reach(s->m, &root, 1);
  for (int i = 0; i < all.n && !s->found; i++) {
    const ir_node *n = ir_get(s->m, all.at[i]);
    if (n->op == IR_PARAM) follow(s, (quantity){n->read.sym, 0, previous}, OWN, f);
    if (n->op != IR_READ || ir_symbol_get(s->m, n->read.sym)->place >= IR_XLINE) continue;
    const bool inside = n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR;
    const quantity q = {n->read.sym, n->read.first, previous || n->read.level == IR_PREV};
    const unsigned seen = inside || from == IR_NOWHERE ? axes : axes | axes_of(s, from, n);
    follow(s, q, OWN, f);
    for (int a = 0; a < s->m->dims; a++)
      if (!inside && seen >> a & 1) follow(s, q, a, f);
  }
}

ir_id rules_component(const ir_module *m, ir_id root, int component) {
  const ir_node *n = ir_get(m, root);
  return n->op == IR_TUPLE ? ir_args(m, n)[component] : root;
}

/* What the rules fix it to, or say of it beyond walls across the axis. Whether each of them says something. */
static bool follow_rules(search *s, quantity q, int view, frame *f) {
  const ir_module *m = s->m;
  bool each = true;
  for (int r = 1; r < m->rule.n && !s->found; r++) {
    const ir_rule *rule = &m->rule.at[r];
    if (view != OWN && rule->axis && rule->axis != "xyz"[view]) continue;
    const ir_rule_entry *e = ir_entry_find(m, r, q.sym, view == OWN ? IR_FIX : IR_GHOST);
    each = each && e;
    if (!e) continue;
    f->rule = rule, f->entry = e;
    const unsigned along = view == OWN ? 0 : 1u << view;
    follow_formula(s, rules_component(m, e->root, q.component), IR_NOWHERE, along, q.previous, f);
  }
  f->rule = NULL;
  return each;
}

/* What it reduces is seen from all points. */
static void follow_global(search *s, quantity q, const frame *f) {
  const ir_symbol *e = ir_symbol_get(s->m, q.sym);
  const ir_reached all = ir_reach(s->m, e->root, e->root[0] != 0);
  for (int i = 0; i < all.n && !s->found; i++) {
    const ir_node *n = ir_get(s->m, all.at[i]);
    if (n->op == IR_PARAM) follow(s, (quantity){n->read.sym, 0, q.previous}, OWN, f);
    if (n->op == IR_REDUCE && n->reduce.binder == IR_OVER_ALL)
      follow_formula(s, ir_args(s->m, n)[0], (ir_place)n->reduce.place, 0, q.previous, f);
  }
}

/* Where a rule says nothing beyond, an equation follows there from what it reads. */
static void follow(search *s, quantity q, int view, const frame *outer) {
  const ir_symbol *e = ir_symbol_get(s->m, q.sym);
  const int number = ((s->first[q.sym] + q.component) * 2 + q.previous) * VIEWS + view;
  const bool formula = e->kind == IR_EQUATION && e->root[0], global = e->kind == IR_GLOBAL;
  if (s->done[number] || s->found || (view == OWN && !formula && !global)) return;
  if (s->open[number]) {
    s->found = true;
    rules_report_cycle(s->m, s->sink, outer, q.sym, number);
    return;
  }
  s->open[number] = 1;
  frame f = {.sym = q.sym, .number = number, .outer = outer};
  const ir_id root = formula ? rules_component(s->m, e->root[0], q.component) : 0;
  const bool each = !global && follow_rules(s, q, view, &f);
  if (global) follow_global(s, q, &f);
  else if (view == OWN) follow_formula(s, root, e->place, 0, q.previous, &f);
  else if (formula && !each) follow_formula(s, root, e->place, 1u << view, q.previous, &f);
  s->done[number] = 1;
}

/* Does a rule read an equation, or a global, at all? */
static bool read_equations(const ir_module *m) {
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; i < m->rule.at[r].entry.n; i++)
      if (ir_reads_kinds(m, m->rule.at[r].entry.at[i].root, 1u << IR_EQUATION | 1u << IR_GLOBAL)) return true;
  return false;
}

/* The value on one wall would be that on the next, or its own: of a state it is what is being assigned there, of an equation there
 * is nothing else. */
static bool fixes_end(const ir_module *m, diag_sink *sink) {
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; i < m->rule.at[r].entry.n; i++) {
      const ir_rule_entry *e = &m->rule.at[r].entry.at[i];
      const ir_symbol *q = ir_symbol_get(m, e->target);
      if (e->kind != IR_FIX || q->kind != IR_EQUATION || !rewrite_reads(m, e->root, e->target)) continue;
      diag *d = diag_report(sink, DIAG_TARGET, e->at,
                            "what boundary rule `%s` says of `%s` leads in a cycle: `%s` needs `%s`",
                            m->rule.at[r].text, q->text, q->text, q->text);
      diag_with_hint(sink, d, "let the rule read states, or equations that do not need `%s`", q->text);
      return false;
    }
  return true;
}

static bool ghosts_end(const ir_module *scheme, diag_sink *sink) {
  if (!read_equations(scheme)) return true;
  const ir_module *m = pass_components(scheme);
  int *first = arena_array(m->memory, int, m->symbol.n + 1), n = 0;
  for (int k = 1; k < m->symbol.n; k++) first[k] = n, n += m->symbol.at[k].type.n;
  search s = {.m = m,
              .sink = sink,
              .first = first,
              .open = arena_array(m->memory, unsigned char, (n + 1) * 2 * VIEWS),
              .done = arena_array(m->memory, unsigned char, (n + 1) * 2 * VIEWS)};
  for (int k = 1; k < m->symbol.n && !s.found; k++) {
    const bool root = m->symbol.at[k].kind == IR_EQUATION || m->symbol.at[k].kind == IR_GLOBAL;
    for (int c = 0; c < m->symbol.at[k].type.n && root; c++)
      follow(&s, (quantity){(ir_sym)k, c, false}, OWN, NULL);
  }
  return !s.found;
}

bool schedule_rules_end(const ir_module *m, diag_sink *sink) {
  return m->on_grid ? fixes_end(m, sink) && ghosts_end(m, sink) : rules_end_on_mesh(m, sink);
}
