/* Do boundary rules give everything that some equation reads across such a boundary? */
#include <string.h>

#include "sema/internal.h"

/* ---- completeness on meshes ------------------------------------------------------------------------------------------ */

static bool gives(const sema *s, const ir_rule *r, ir_rule_kind kind, ir_sym target) {
  return ir_entry_find(s->module, (int)(r - s->module->rule.at), target, kind) != NULL;
}

/* What is known so far of one rule, by symbol. */
typedef struct beyond {
  bool known;
  const char *missing;
} beyond;

typedef struct formula {
  id_list reads;  /* of an equation */
  bool pointwise; /* each of them stands at its own point */
  bool reduces;
  unsigned char along,
      follows; /* 1 << axis: known behind a wall across it by faces along the axis; so, or by what it reads at its own point */
} formula;

typedef struct rule_check {
  sema *s;
  const ir_rule *rule;
  beyond *at;             /* per symbol */
  name_map *reported;     /* by what is missing */
  diag *told;             /* the message about this rule; what else is missing is noted there */
  const formula *formula; /* grids, by symbol */
  char *given, *behind;   /* grids, across one axis, by symbol, once they are known: 1 yes, 2 no */
  const bool *
      in_turn; /* grids, by symbol: what is assigned to it where the rule fixes it is read, too; NULL: to none */
  bool open; /* with these something is missing */
} rule_check;

static rule_check rule_check_of(sema *s, const ir_rule *r) {
  return (rule_check){.s = s,
                      .rule = r,
                      .at = arena_array(s->memory, beyond, s->module->symbol.n),
                      .reported = name_map_create(s->memory)};
}

static const char *missing_beyond(rule_check *k, ir_sym sym);

/* An equation beyond the boundary follows point by point from what is given, or must be given itself. */
static const char *missing_of_equation(rule_check *k, const ir_symbol *q) {
  bool reduces = false, changes = false;
  const char *missing = NULL;
  id_list all = reached(k->s, q->root[0]);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(k->s->module, all.at[i]);
    reduces = reduces || n->op == IR_REDUCE;
    if (n->op != IR_READ) continue;
    ir_symbol_kind kind = ir_symbol_get(k->s->module, n->read.sym)->kind;
    changes = changes || kind == IR_STATE || kind == IR_EQUATION;
    if (n->read.at == IR_AT_HERE && !missing) missing = missing_beyond(k, n->read.sym);
  }
  if (reduces && changes) return q->text;
  return reduces ? NULL : missing;
}

/* NULL if the value of `sym` beyond the boundary follows from the rule; else the name of what is missing. Equations were
 * lowered after what they read, so the recursion ends. */
static const char *missing_beyond(rule_check *k, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(k->s->module, sym);
  if (gives(k->s, k->rule, IR_GHOST, sym)) return NULL;
  if (q->kind == IR_GIVEN || q->kind == IR_GEOMETRY) return NULL; /* copied from inside */
  if (q->kind == IR_STATE) return q->text;
  if (q->kind != IR_EQUATION || !q->root[0]) return NULL;
  if (!k->at[sym].known) k->at[sym] = (beyond){true, missing_of_equation(k, q)};
  return k->at[sym].missing;
}

/* What reads beyond the boundary: an equation, or an expression of the step. Thousands are made, and few named: what is said of one is
 * put together when it is said. */
typedef struct reader {
  const char *what;     /* "the update of ", or all: "`until`" */
  const char *quantity; /* behind it; NULL: none */
  span at;
  ir_sym sym; /* the equation; 0: a statement, a requirement */
  const char
      *instead; /* what else a rule can do about that quantity, if it lives on the boundary: "fix"; or NULL */
} reader;

static reader reader_of(const ir_symbol *q) {
  return (reader){
      .what = "", .quantity = q->text, .at = q->at, .instead = q->place == IR_FACES ? "flux" : NULL};
}

static reader reader_of_assign(sema *s, const ir_stmt *st, int i) {
  const ir_assign *a = &st->assign.at[i];
  return (reader){.what = st->kind == IR_INTEGRATE ? "the rate of " : "the update of ",
                  .quantity = ir_symbol_get(s->module, a->target)->text,
                  .at = a->at};
}

static reader reader_of_rule(sema *s, const ir_rule_entry *e) {
  return (reader){
      .what = "what a rule says of ", .quantity = ir_symbol_get(s->module, e->target)->text, .at = e->at};
}

static const char *reader_text(sema *s, const reader *by) {
  return by->quantity ? arena_printf(s->memory, "%s`%s`", by->what, by->quantity) : by->what;
}

static reader reader_of_until(const ir_stmt *st) { return (reader){.what = "`until`", .at = st->at}; }
static reader reader_of_require(const ir_require *r) { return (reader){.what = "`require`", .at = r->at}; }

/* A rule gives quantities that have a name. What an operator makes of a field has one if an equation is just that. */
static const char *ghost_hint(sema *s, const ir_rule *rule, const char *missing) {
  bool elsewhere = rule->at.file != s->scheme->name_at.file; /* of a scheme that is extended */
  if (elsewhere && !strchr(missing, '('))
    return arena_printf(s->memory, "add to it in `%s`: add boundary %s { ghost %s = ... }", s->scheme->text,
                        rule->text, missing);
  if (!strchr(missing, '(')) return arena_printf(s->memory, "add to the rule: ghost %s = ...", missing);
  const ir_symbol *instance = NULL;
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    const ir_node *n = ir_get(s->module, q->root[0]);
    if (strcmp(q->text, missing) == 0) instance = q;
    if (!instance || q->kind != IR_EQUATION || q->root[0] == 0 || n->op != IR_READ || q == instance) continue;
    if (ir_symbol_get(s->module, n->read.sym) == instance && n->read.at == IR_AT_HERE &&
        !strchr(q->text, '('))
      return arena_printf(s->memory, "add to the rule: ghost %s = ...", q->text);
  }
  const char *place = instance ? ir_place_text(instance->place) : "cells";
  return arena_printf(s->memory,
                      "give it a name, as in  named @ %s = %s , read that one instead, and add to the rule: "
                      "ghost named = ...",
                      place, missing);
}

/* Rules of one name may be for several axes, some of them copies that `exchange` makes of the one that is written. */
static const char *axis_said(const rule_check *k) {
  const ir_module *m = k->s->module;
  for (int i = 1; i < m->rule.n && k->rule->axis; i++)
    if (m->rule.at[i].text == k->rule->text && m->rule.at[i].axis != k->rule->axis)
      return arena_printf(k->s->memory, " across %c", k->rule->axis);
  return "";
}

static void report_missing(rule_check *k, const char *missing, const reader *by) {
  sema *s = k->s;
  name key = intern_str(s->names, missing);
  k->open = true;
  if (k->in_turn || name_map_get(k->reported, key)) return;
  name_map_put(k->reported, key, (void *)missing);
  if (k->told) {
    diag_with_span(s->sink, k->told, by->at, "%s reads `%s`, which the rule does not give either",
                   reader_text(s, by), missing);
    return;
  }
  diag *d = complain(s, DIAG_MISSING_GHOST, k->rule->at,
                     "boundary rule `%s`%s does not say what `%s` is beyond the boundary", k->rule->text,
                     axis_said(k), missing);
  diag_with_span(s->sink, d, by->at, "%s reads it across the boundary", reader_text(s, by));
  const char *where =
      s->module->on_grid ? "if its value on the boundary is known" : "replacing the quantity at these faces";
  const char *other = by->instead && !strchr(by->quantity, '(')
                          ? arena_printf(s->memory, "  or, %s: %s %s = ...", where, by->instead, by->quantity)
                          : "";
  diag_with_hint(s->sink, d, "%s%s", ghost_hint(s, k->rule, missing), other);
  k->told = d;
}

/* Something read across a boundary of a mesh: of a face's R, or of the cell beyond a face of the cell. */
typedef struct crossing {
  reader by;
  ir_sym flux; /* a rule that replaces this flux asks for nothing; 0: no flux */
  ir_sym read;
} crossing;
typedef VEC(crossing) crossing_list;

static void add_crossings(sema *s, ir_id root, crossing what, crossing_list *to) {
  const ir_reached all = ir_reach(s->module, &root, 1);
  for (int d = 0; d < 2; d++)
    for (int i = 0; i < all.n; i++) {
      const ir_node *n = ir_get(s->module, all.at[i]);
      if (n->op != IR_READ || n->read.at != (d ? IR_AT_D : IR_AT_R)) continue;
      what.read = n->read.sym;
      vec_push(s->memory, to, what);
    }
}

static void add_of_statements(sema *s, const ir_stmt *st, int n, crossing_list *to) {
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < st[i].assign.n; a++)
      add_crossings(s, st[i].assign.at[a].value, (crossing){.by = reader_of_assign(s, &st[i], a)}, to);
    if (st[i].until) add_crossings(s, st[i].until, (crossing){.by = reader_of_until(&st[i])}, to);
    add_of_statements(s, st[i].body.at, st[i].body.n, to);
  }
}

/* The same for all rules. */
static crossing_list find_crossings(sema *s) {
  crossing_list all = {0};
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL) continue;
    const crossing what = {.by = reader_of(q), .flux = q->place == IR_FACES ? (ir_sym)i : 0};
    for (int part = 0; part < 2; part++)
      if (q->root[part]) add_crossings(s, q->root[part], what, &all);
  }
  add_of_statements(s, s->module->step.at, s->module->step.n, &all);
  for (int i = 0; i < s->module->require.n; i++) {
    const ir_require *r = &s->module->require.at[i];
    add_crossings(s, r->condition, (crossing){.by = reader_of_require(r)}, &all);
  }
  return all;
}

/* What lies beyond a boundary is needed only where something reads across it. In order of lowering, so that
 * `missing_beyond` finds the answers for what an equation reads already there. */
static void check_mesh_rule(sema *s, const ir_rule *r, const crossing_list *crossings) {
  if (!crossings->n) return;
  rule_check k = rule_check_of(s, r);
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    if (q->kind == IR_EQUATION && q->place == IR_CELLS) missing_beyond(&k, (ir_sym)i);
  }
  for (int i = 0; i < crossings->n; i++) {
    const crossing *c = &crossings->at[i];
    if (c->flux && gives(s, r, IR_FLUX, c->flux)) continue;
    const char *missing = missing_beyond(&k, c->read);
    if (missing) report_missing(&k, missing, &c->by);
  }
  arena_return_array(s->memory, k.at, s->module->symbol.n);
}

/* ---- completeness on grids ------------------------------------------------------------------------------------------------ */

/* Where along one axis each symbol is evaluated, seen from its own range: cells 0..n-1, faces across the axis 0..n, where the first
 * and last face are left out if the rule fixes them. From `low` to the last one + `high`: beyond, if low < 0 or high > 0. */
typedef struct reach {
  bool used;
  int low, high;
  reader by;
} reach;

/* A quantity whose points on the boundary, and none behind it, are what reads beyond: fixed there, it reads nothing. */
static reader with_fix(reader by, const ir_symbol *q, int axis, int low, int high) {
  if (ir_place_on_faces(q->place, axis) && low == 0 && high == 0) by.instead = "fix";
  return by;
}

/* `by` is who reads farthest beyond. */
static void extend(reach *r, int low, int high, reader by) {
  bool farther = (low < r->low && low < 0) || (high > r->high && high > 0);
  if (!r->used || farther) r->by = by;
  if (!r->used || low < r->low) r->low = low;
  if (!r->used || high > r->high) r->high = high;
  r->used = true;
}

/* What is evaluated at `place` from `low` to n-1+`high`, and for whom. */
typedef struct consumer {
  ir_place place;
  int low, high;
  reader by;
} consumer;

/* A face index runs one further than a cell's. */
static void reach_reads(sema *s, const id_list *nodes, int axis, consumer c, reach *all) {
  for (int i = 0; i < nodes->n; i++) {
    const ir_node *n = ir_get(s->module, nodes->at[i]);
    if (n->op != IR_READ) continue;
    const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
    if (q->place >= IR_XLINE || (q->kind != IR_STATE && q->kind != IR_EQUATION)) continue;
    int from = c.low + n->read.off[axis], to = c.high + n->read.off[axis] + ir_place_on_faces(c.place, axis) -
                                               ir_place_on_faces(q->place, axis);
    extend(&all[n->read.sym], from, to, c.by);
  }
}

static void reach_from(sema *s, ir_id root, int axis, consumer c, reach *all) {
  id_list nodes = reached(s, root);
  reach_reads(s, &nodes, axis, c, all);
}

/* Such an equation follows beyond a wall from what it reads there, if that is given. */
static bool is_pointwise(sema *s, const ir_symbol *q, const id_list *reads) {
  for (int i = 0; i < reads->n; i++) {
    const ir_node *n = ir_get(s->module, reads->at[i]);
    ir_place place = ir_symbol_get(s->module, n->read.sym)->place;
    bool moved = n->read.off[0] || n->read.off[1] || n->read.off[2];
    if (moved || (place != q->place && place < IR_XLINE)) return false;
  }
  return true;
}

/* Does the point that is read lie on a face across the axis, straight before or behind the reader, which does not? */
static bool is_face_along(const ir_node *n, const ir_symbol *q, ir_place from, int axis) {
  bool along = ir_place_on_faces(q->place, axis) && !ir_place_on_faces(from, axis);
  for (int d = 0; d < 3; d++)
    along = along && (d == axis ||
                      (n->read.off[d] == 0 && ir_place_on_faces(q->place, d) == ir_place_on_faces(from, d)));
  return along;
}

static bool is_own_point(const ir_node *n) { return !n->read.off[0] && !n->read.off[1] && !n->read.off[2]; }

static unsigned char strays_of(sema *s, const ir_symbol *q, const formula *f) {
  unsigned char strays = f->pointwise ? 0 : IR_STRAYS_ANYWHERE;
  for (int i = 0; i < f->reads.n; i++) {
    const ir_node *n = ir_get(s->module, f->reads.at[i]);
    const ir_symbol *r = ir_symbol_get(s->module, n->read.sym);
    const bool own = r->place == q->place && is_own_point(n);
    if (r->place >= IR_XLINE || r->kind == IR_GIVEN || (own && r->kind == IR_EQUATION)) continue;
    for (int axis = 0; axis < s->dims; axis++)
      if (own || !is_face_along(n, r, q->place, axis)) strays |= (unsigned char)(1u << axis);
  }
  return strays;
}

/* As reference/follow.c has it, and schedule/behind.c of what is left of the formulas by then. */
static bool is_along(sema *s, const ir_symbol *q, const formula *f, int axis, const formula *all) {
  for (int i = 0; i < f->reads.n; i++) {
    const ir_node *n = ir_get(s->module, f->reads.at[i]);
    const ir_symbol *r = ir_symbol_get(s->module, n->read.sym);
    const bool own = r->place == q->place && is_own_point(n),
               given = ir_is_given_beyond(s->module, n->read.sym);
    if (r->place >= IR_XLINE || (r->kind == IR_GIVEN && (own || !given))) continue;
    if (own ? !(all[n->read.sym].along >> axis & 1)
            : (r->kind == IR_EQUATION && !given) || !is_face_along(n, r, q->place, axis))
      return false;
  }
  return !f->reduces;
}

static bool knows_its_points(sema *s, const formula *f, int axis, const formula *all) {
  for (int i = 0; i < f->reads.n; i++) {
    const ir_sym sym = ir_get(s->module, f->reads.at[i])->read.sym;
    const ir_symbol *r = ir_symbol_get(s->module, sym);
    if (r->place < IR_XLINE && r->kind != IR_GIVEN && !ir_is_given_beyond(s->module, sym) &&
        !(all[sym].follows >> axis & 1))
      return false;
  }
  return true;
}

/* Equations stand behind what they read. */
static unsigned char find_known(sema *s, const ir_symbol *q, formula *f, const formula *all) {
  unsigned char unknown = 0;
  for (int axis = 0; axis < s->dims; axis++) {
    const unsigned char bit = (unsigned char)(1u << axis);
    const bool along = is_along(s, q, f, axis, all), points = knows_its_points(s, f, axis, all);
    if (along) f->along |= bit;
    if (along || (f->pointwise && points)) f->follows |= bit;
    if (f->pointwise && !points) unknown |= bit;
  }
  return unknown;
}

static const formula *find_formulas(sema *s) {
  formula *all = arena_array(s->memory, formula, s->module->symbol.n);
  for (ir_sym i = 1; i < (ir_sym)s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, i);
    if (q->kind != IR_EQUATION || !q->root[0]) continue;
    id_list nodes = reached(s, q->root[0]);
    for (int k = 0; k < nodes.n; k++) {
      const ir_node *n = ir_get(s->module, nodes.at[k]);
      all[i].reduces = all[i].reduces || n->op == IR_REDUCE;
      if (n->op == IR_READ) vec_push(s->memory, &all[i].reads, nodes.at[k]);
    }
    all[i].pointwise = is_pointwise(s, q, &all[i].reads);
    ir_symbol_get(s->module, i)->beyond.strays = strays_of(s, q, &all[i]);
    ir_symbol_get(s->module, i)->beyond.unknown = find_known(s, q, &all[i], all);
  }
  return all;
}

/* Equations were lowered after what they read: one sweep from the last symbol to the first has all readers before the read. */
static void reach_equations(rule_check *k, int axis, bool follow, reach *all) {
  sema *s = k->s;
  const ir_rule *r = k->rule;
  for (ir_sym i = (ir_sym)s->module->symbol.n - 1; i > 0; i--) {
    const ir_symbol *q = ir_symbol_get(s->module, i);
    if (!all[i].used || q->kind != IR_EQUATION) continue;
    bool fixed = ir_place_on_faces(q->place, axis) && gives(s, r, IR_FIX, i),
         ghost = gives(s, r, IR_GHOST, i);
    int low = ghost ? 0 : all[i].low, high = ghost ? 0 : all[i].high;
    if (follow && k->formula[i].pointwise) low = low < 0 ? 0 : low, high = high > 0 ? 0 : high;
    reader by = reader_of(q);
    by.sym = i;
    if (!fixed) by = with_fix(by, q, axis, low, high);
    const consumer c = {q->place, fixed && !low ? 1 : low, fixed && !high ? -1 : high, by};
    reach_reads(s, &k->formula[i].reads, axis, c, all);
  }
}

/* A reduction reads at every point that it runs over. */
static void reach_reductions(sema *s, ir_id root, int axis, reader by, reach *all) {
  id_list nodes = reached(s, root);
  for (int i = 0; i < nodes.n; i++) {
    const ir_node *n = ir_get(s->module, nodes.at[i]);
    if (n->op != IR_REDUCE) continue;
    reach_from(s, ir_args(s->module, n)[0], axis, (consumer){(ir_place)n->reduce.place, 0, 0, by}, all);
  }
}

static void reach_statements(const rule_check *k, int axis, const ir_stmt *st, int n, reach *all) {
  sema *s = k->s;
  for (int i = 0; i < n; i++) {
    for (int a = 0; a < st[i].assign.n; a++) {
      ir_sym target = st[i].assign.at[a].target;
      const ir_symbol *q = ir_symbol_get(s->module, target);
      bool inside = ir_place_on_faces(q->place, axis) && gives(s, k->rule, IR_FIX, target) &&
                    !(k->in_turn && k->in_turn[target]);
      reader by = reader_of_assign(s, &st[i], a);
      if (!inside) by = with_fix(by, q, axis, 0, 0);
      reach_from(s, st[i].assign.at[a].value, axis, (consumer){q->place, inside, -inside, by}, all);
    }
    if (st[i].until) reach_reductions(s, st[i].until, axis, reader_of_until(&st[i]), all);
    reach_statements(k, axis, st[i].body.at, st[i].body.n, all);
  }
}

/* Besides the step: an equation may be asked for by an output, at every point of its place; a requirement is tested at all of its
 * own. */
static void reach_outputs(sema *s, int axis, reach *all) {
  for (ir_sym g = 1; g < (ir_sym)s->module->symbol.n; g++) {
    const ir_symbol *q = ir_symbol_get(s->module, g);
    all[g].used = q->kind == IR_EQUATION;
    if (q->kind == IR_GLOBAL) reach_reductions(s, q->root[0], axis, reader_of(q), all);
  }
  for (int i = 0; i < s->module->require.n; i++) {
    const ir_require *r = &s->module->require.at[i];
    reach_from(s, r->condition, axis, (consumer){r->place, 0, 0, reader_of_require(r)}, all);
  }
}

/* What a rule reads inside of its wall may lie on another one: it is evaluated at all of its points. */
static void reach_rules(sema *s, reach *all) {
  for (int r = 1; r < s->module->rule.n; r++)
    for (int k = 0; k < s->module->rule.at[r].entry.n; k++) {
      const ir_rule_entry *e = &s->module->rule.at[r].entry.at[k];
      const id_list nodes = reached(s, e->root);
      for (int i = 0; i < nodes.n; i++) {
        const ir_node *n = ir_get(s->module, nodes.at[i]);
        if (n->op != IR_READ || ir_symbol_get(s->module, n->read.sym)->kind != IR_EQUATION) continue;
        extend(&all[n->read.sym], 0, 0, reader_of_rule(s, e));
      }
    }
}

/* ---- equations beyond a wall ----------------------------------------------------------------------------------------------- */

static bool holds_behind(rule_check *k, int axis, ir_sym sym);

/* In the first cell behind a wall a formula holds if it reads faces along the axis only: on the wall, before it, or beyond by a ghost.
 * Anything else, the cell's own values too, would be read where there is nothing. */
static bool find_behind(rule_check *k, int axis, ir_sym sym) {
  const id_list *reads = &k->formula[sym].reads;
  const ir_symbol *q = ir_symbol_get(k->s->module, sym);
  for (int i = 0; i < reads->n; i++) {
    const ir_node *n = ir_get(k->s->module, reads->at[i]);
    const ir_symbol *r = ir_symbol_get(k->s->module, n->read.sym);
    bool own = r->place == q->place && is_own_point(n);
    if (r->place >= IR_XLINE ||
        (r->kind == IR_GIVEN && (own || !ir_is_given_beyond(k->s->module, n->read.sym))))
      continue;
    bool equation = r->kind == IR_EQUATION && r->root[0], ghost = gives(k->s, k->rule, IR_GHOST, n->read.sym);
    if (own ? !equation || !holds_behind(k, axis, n->read.sym)
            : (equation && !ghost) || !is_face_along(n, r, q->place, axis))
      return false;
  }
  return true;
}

static bool holds_behind(rule_check *k, int axis, ir_sym sym) {
  if (!k->behind[sym]) k->behind[sym] = find_behind(k, axis, sym) ? 1 : 2;
  return k->behind[sym] == 1;
}

static bool given_beyond(rule_check *k, ir_sym sym);

static bool operands_given(rule_check *k, ir_sym sym) {
  if (k->given[sym]) return k->given[sym] == 1;
  const id_list *reads = &k->formula[sym].reads;
  k->given[sym] = 1;
  for (int i = 0; i < reads->n; i++)
    if (!given_beyond(k, ir_get(k->s->module, reads->at[i])->read.sym)) k->given[sym] = 2;
  return k->given[sym] == 1;
}

/* By the rule itself, or, of an equation, by what it reads at the same point. */
static bool given_beyond(rule_check *k, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(k->s->module, sym);
  if (gives(k->s, k->rule, IR_GHOST, sym) || q->kind != IR_EQUATION || !q->root[0]) return true;
  return k->formula[sym].pointwise && operands_given(k, sym);
}

static uint64_t bit_of(const rule_check *k) { return UINT64_C(1) << (k->rule - k->s->module->rule.at) % 64; }

/* Does the value at a point on the boundary read what nothing gives, beyond or there? */
static bool is_open_on(rule_check *k, int axis, ir_sym sym) {
  sema *s = k->s;
  const id_list *reads = &k->formula[sym].reads;
  bool open = false;
  for (int i = 0; i < reads->n; i++) {
    const ir_node *n = ir_get(s->module, reads->at[i]);
    const ir_symbol *q = ir_symbol_get(s->module, n->read.sym);
    if (q->kind != IR_EQUATION || q->place >= IR_XLINE) continue;
    int low = n->read.off[axis], high = low + 1 - ir_place_on_faces(q->place, axis),
        deep = -low > high ? -low : high;
    bool touches = ir_place_on_faces(q->place, axis) && (low == 0 || high == 0);
    if (touches && q->beyond.open_on & bit_of(k)) open = true;
    if (deep <= 0 || gives(k->s, k->rule, IR_GHOST, n->read.sym) || given_beyond(k, n->read.sym)) continue;
    open = open || deep > 1 || !holds_behind(k, axis, n->read.sym);
  }
  return open;
}

/* On the boundary an equation may be shown that the step does not ask for there. What is read comes first. */
static void note_shown_on_walls(rule_check *k, int axis) {
  for (ir_sym i = 1; i < (ir_sym)k->s->module->symbol.n; i++) {
    ir_symbol *q = ir_symbol_get(k->s->module, i);
    bool computed = q->kind == IR_EQUATION && q->root[0] && ir_place_on_faces(q->place, axis);
    if (!computed || gives(k->s, k->rule, IR_FIX, i)) continue;
    if (is_open_on(k, axis, i)) q->beyond.open_on |= bit_of(k);
  }
}

/* What is read of equations beyond a wall; of what the step reads, an output at more points does not count. Readers come first: where a
 * rule gives one, what it reads is not asked for. */
static void check_equations_beyond(rule_check *k, int axis) {
  sema *s = k->s;
  reach *all = arena_array(s->memory, reach, s->module->symbol.n);
  for (ir_sym g = 1; g < (ir_sym)s->module->symbol.n; g++) {
    const ir_symbol *q = ir_symbol_get(s->module, g);
    if (q->kind == IR_GLOBAL) reach_reductions(s, q->root[0], axis, reader_of(q), all);
  }
  for (int i = 0; i < s->module->require.n; i++) {
    const ir_require *q = &s->module->require.at[i];
    reach_from(s, q->condition, axis, (consumer){q->place, 0, 0, reader_of_require(q)}, all);
  }
  reach_statements(k, axis, s->module->step.at, s->module->step.n, all);
  reach_rules(s, all);
  reach_equations(k, axis, true, all);
  for (ir_sym g = 1; g < (ir_sym)s->module->symbol.n; g++) { /* what nobody reads is for output */
    const ir_symbol *q = ir_symbol_get(s->module, g);
    all[g].used |= q->kind == IR_EQUATION && !ir_place_on_faces(q->place, axis);
  }
  reach_equations(k, axis, true, all);
  bool *told = arena_array(s->memory, bool, s->module->symbol.n);
  k->given = arena_array(s->memory, char, s->module->symbol.n);
  k->behind = arena_array(s->memory, char, s->module->symbol.n);
  for (ir_sym i = (ir_sym)s->module->symbol.n - 1; i > 0; i--) {
    int deep = -all[i].low > all[i].high ? -all[i].low : all[i].high;
    if (!all[i].used || deep <= 0 || given_beyond(k, i)) continue;
    if (deep == 1 && holds_behind(k, axis, i)) continue;
    if (!told[all[i].by.sym]) report_missing(k, ir_symbol_get(s->module, i)->text, &all[i].by);
    told[i] = true;
  }
  if (!k->in_turn) note_shown_on_walls(k, axis);
}

static void check_grid_rule(rule_check *k, int axis) {
  sema *s = k->s;
  const ir_rule *r = k->rule;
  reach *all = arena_array(s->memory, reach, s->module->symbol.n);
  reach_outputs(s, axis, all);
  reach_statements(k, axis, s->module->step.at, s->module->step.n, all);
  reach_equations(k, axis, false, all);
  for (int i = 1; i < s->module->symbol.n; i++) {
    const ir_symbol *q = ir_symbol_get(s->module, (ir_sym)i);
    if (q->kind != IR_STATE || !all[i].used || (all[i].low >= 0 && all[i].high <= 0)) continue;
    if (!gives(s, r, IR_GHOST, (ir_sym)i)) report_missing(k, q->text, &all[i].by);
  }
  check_equations_beyond(k, axis);
}

/* The states on walls across the axis that some rule fixes to what it reads inside, and what these read so. Where one cell lies between
 * two such walls the point inside of one lies on the other: rules ask for each other in turn, and in the end for what is assigned there. */
static const bool *fixed_in_turn(sema *s, int axis) {
  const ir_module *m = s->module;
  bool *in_turn = arena_array(s->memory, bool, m->symbol.n);
  for (int r = 1; r < m->rule.n; r++)
    for (int k = 0; k < m->rule.at[r].entry.n; k++) {
      const ir_rule_entry *e = &m->rule.at[r].entry.at[k];
      const ir_symbol *q = ir_symbol_get(m, e->target);
      if (e->kind != IR_FIX || q->kind != IR_STATE || !ir_place_on_faces(q->place, axis)) continue;
      const id_list nodes = reached(s, e->root);
      for (int i = 0; i < nodes.n; i++) {
        const ir_node *n = ir_get(m, nodes.at[i]);
        if (n->op == IR_READ && (n->read.at == IR_AT_INNER || n->read.at == IR_AT_MIRROR))
          in_turn[n->read.sym] = true;
      }
    }
  return in_turn;
}

static bool fixes_any(const ir_rule *r, const bool *state) {
  for (int k = 0; k < r->entry.n; k++)
    if (r->entry.at[k].kind == IR_FIX && state[r->entry.at[k].target]) return true;
  return false;
}

/* What is assigned on the wall need not be given beyond, as the rule replaces it: then nothing may read it. */
static bool is_open_in_turn(const rule_check *of, const bool *in_turn, int axis) {
  if (of->open || !fixes_any(of->rule, in_turn)) return false;
  rule_check k = rule_check_of(of->s, of->rule);
  k.formula = of->formula;
  k.in_turn = in_turn;
  check_grid_rule(&k, axis);
  return k.open;
}

static void check_rules_on_grid(sema *s) {
  const formula *formulas = find_formulas(s);
  const bool *in_turn[3];
  for (int axis = 0; axis < s->dims; axis++) in_turn[axis] = fixed_in_turn(s, axis);
  for (int i = 1; i < s->module->rule.n; i++) {
    ir_rule *r = &s->module->rule.at[i];
    rule_check k = rule_check_of(s, r);
    k.formula = formulas;
    for (int axis = 0; axis < s->dims; axis++) {
      if (r->axis && r->axis != "xyz"[axis]) continue;
      check_grid_rule(&k, axis);
      if (is_open_in_turn(&k, in_turn[axis], axis)) r->apart |= (unsigned char)(1u << axis);
    }
    arena_return_array(s->memory, k.at, s->module->symbol.n);
  }
}

void check_completeness(sema *s) {
  if (s->module->on_grid) {
    check_rules_on_grid(s);
    return;
  }
  const crossing_list crossings = find_crossings(s);
  for (int i = 1; i < s->module->rule.n; i++) check_mesh_rule(s, &s->module->rule.at[i], &crossings);
}
