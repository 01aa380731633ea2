/* On meshes what rules say must lead to an end, too: `flux q = e[L]`, where e sums q over the faces of its cell, has no value; nor has
 * `flux q = dt` where dt follows from q. At a boundary face all is of one rule: a flux that it gives is not made of what lies beyond. */
#include "base/defects.h"
#include "pass/pass.h"
#include "schedule/rules_end.h"
#include "schedule/storage.h"

typedef rules_frame frame;
typedef rules_quantity quantity;

/* Where a quantity is seen: wherever it lives, or by the number of a rule at and beyond its faces. */
enum { EVERYWHERE = 0 };

typedef struct search {
  const ir_module *m;
  diag_sink *sink;            /* NULL: whole quantities are followed, not components */
  const int *first;           /* by symbol, of what is numbered by component, level and view */
  unsigned char *open, *done; /* by number */
  bool found;
} search;

static void follow(search *s, quantity q, int view, const frame *outer);

static void follow_at_all_rules(search *s, quantity q, const frame *f) {
  for (int r = 1; r < s->m->rule.n && !s->found; r++) follow(s, q, r, f);
}

/* At nodes a rule's formula may name the value that it replaces: a projection. That of the start of the step is none: there the rule held, too. */
static bool names_what_it_replaces(const search *s, const ir_node *n, const frame *f) {
  const bool own =
      n->op == IR_READ && n->read.sym == f->sym && n->read.at == IR_AT_HERE && n->read.level == IR_NOW;
  return own && ir_symbol_get(s->m, f->sym)->place == IR_NODES;
}

/* A read in a formula that is seen so. */
static void follow_read(search *s, const ir_node *n, bool previous, int view, const frame *f) {
  const ir_symbol *e = ir_symbol_get(s->m, n->read.sym);
  const bool global = e->kind == IR_GLOBAL;
  const ir_sym sym = ir_known_with(s->m, n->read.sym);
  if (f->rule && names_what_it_replaces(s, n, f)) return;
  const quantity q = {sym, global || !s->sink ? 0 : n->read.first,
                      !global && (previous || n->read.level == IR_PREV)};
  const bool there = n->op == IR_READ && (n->read.at == IR_AT_HERE || n->read.at == IR_AT_R);
  follow(s, q, there && (e->place == IR_CELLS || e->place == IR_FACES) ? view : EVERYWHERE, f);
  const bool of_all_faces =
      n->op == IR_READ && n->read.at == IR_AT_R && ir_symbol_get(s->m, f->sym)->kind == IR_GLOBAL;
  if ((n->op == IR_READ && n->read.at == IR_AT_D) || of_all_faces) follow_at_all_rules(s, q, f);
}

static void follow_formula(search *s, ir_id root, bool previous, int view, const frame *f) {
  const ir_reached all = ir_reach(s->m, &root, root != 0);
  for (int i = 0; i < all.n && !s->found; i++) {
    const ir_node *n = ir_get(s->m, all.at[i]);
    if (n->op == IR_READ || n->op == IR_PARAM) follow_read(s, n, previous, view, f);
  }
}

static ir_id part_of(const search *s, ir_id root, quantity q) {
  return s->sink ? rules_component(s->m, root, q.component) : root;
}

static void follow_own(search *s, quantity q, int view, const frame *f) {
  const ir_symbol *e = ir_symbol_get(s->m, q.sym);
  for (int part = 0; part < 2; part++)
    if (e->root[part]) follow_formula(s, part_of(s, e->root[part], q), q.previous, view, f);
}

/* Whether the rule says it so. */
static bool follow_rule(search *s, quantity q, int rule, ir_rule_kind kind, frame *f) {
  const ir_rule_entry *e = ir_entry_find(s->m, rule, q.sym, kind);
  if (!e) return false;
  f->rule = &s->m->rule.at[rule], f->entry = e;
  const bool at_faces = kind == IR_GHOST || kind == IR_FLUX;
  follow_formula(s, part_of(s, e->root, q), q.previous, at_faces ? rule : EVERYWHERE, f);
  f->rule = NULL;
  return true;
}

static bool reduces(const ir_module *m, ir_id root) {
  const ir_reached all = ir_reach(m, &root, 1);
  for (int i = 0; i < all.n; i++)
    if (ir_get(m, all.at[i])->op == IR_REDUCE) return true;
  return false;
}

/* Beyond a rule's faces: its ghost; else what it is made of there, or as it is inside where that sums over faces. */
static void follow_beyond(search *s, quantity q, int rule, frame *f) {
  const ir_symbol *e = ir_symbol_get(s->m, q.sym);
  if (follow_rule(s, q, rule, IR_GHOST, f) || e->kind != IR_EQUATION || !e->root[0]) return;
  if (reduces(s->m, e->root[0])) follow(s, q, EVERYWHERE, f);
  else follow_own(s, q, rule, f);
}

static void follow_everywhere(search *s, quantity q, frame *f) {
  const bool at_faces = ir_symbol_get(s->m, q.sym)->place == IR_FACES;
  follow_own(s, q, EVERYWHERE, f);
  if (at_faces) follow_at_all_rules(s, q, f);
  for (int r = 1; r < s->m->rule.n && !at_faces && !s->found; r++) {
    follow_rule(s, q, r, IR_FIX, f);
    follow_rule(s, q, r, IR_ADD_RULE, f);
  }
}

static void follow(search *s, quantity q, int view, const frame *outer) {
  const ir_symbol *e = ir_symbol_get(s->m, q.sym);
  const int number = ((s->first[q.sym] + q.component) * 2 + q.previous) * s->m->rule.n + view;
  const bool formula = (e->kind == IR_EQUATION || e->kind == IR_GLOBAL) && e->root[0];
  if (s->done[number] || s->found || (view == EVERYWHERE && !formula)) return;
  if (s->open[number]) {
    s->found = true;
    if (s->sink) rules_report_cycle(s->m, s->sink, outer, q.sym, number);
    return;
  }
  s->open[number] = 1;
  frame f = {.sym = q.sym, .number = number, .outer = outer};
  if (view == EVERYWHERE) follow_everywhere(s, q, &f);
  else if (e->place != IR_FACES) follow_beyond(s, q, view, &f);
  else if (!follow_rule(s, q, view, IR_FLUX, &f)) follow_own(s, q, view, &f);
  s->done[number] = 1;
}

static bool leads_in_a_cycle(const ir_module *m, diag_sink *sink) {
  int *first = arena_array(m->memory, int, m->symbol.n + 1), n = 0;
  for (int k = 1; k < m->symbol.n; k++) first[k] = n, n += sink ? m->symbol.at[k].type.n : 1;
  const int numbers = (n + 1) * 2 * m->rule.n;
  search s = {.m = m,
              .sink = sink,
              .first = first,
              .open = arena_array(m->memory, unsigned char, numbers),
              .done = arena_array(m->memory, unsigned char, numbers)};
  for (int k = 1; k < m->symbol.n && m->rule.n > 1 && !s.found; k++)
    for (int c = 0; c < (sink ? m->symbol.at[k].type.n : 1); c++)
      follow(&s, (quantity){(ir_sym)k, c, false}, EVERYWHERE, NULL);
  return s.found;
}

/* By components only where whole quantities need themselves, as few do: that is the longer way. */
bool rules_end_on_mesh(const ir_module *scheme, diag_sink *sink) {
  if (defect_is_back("cycles_on_meshes") || !leads_in_a_cycle(scheme, NULL)) return true;
  return !leads_in_a_cycle(pass_components(scheme), sink);
}
