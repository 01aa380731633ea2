/* What is known of values: one sweep over the table per round, operators in facts_rules.c.
 *
 * Assumed: states, givens, parameters, geometry, integrals and times are finite (the runtime stops at the
 * first value that is not, and refuses such input); `require`s hold (they are checked at run time); sums and
 * products of finite numbers do not overflow, products of numbers that are not zero do not underflow to zero; dt is positive and finite,
 * whatever its formula gives (the time loop sees to that).
 *
 * A quantity beyond a boundary obeys no `require`: there it is what the ghost rules give. So every node has
 * two sets of facts, inside and anywhere, and reads that may cross a boundary (R, D, shifted) take the
 * second.
 *
 * Equations read each other in any order. Rounds start from knowing nothing, so stopping early is safe. */
#include "pass/facts.h"

#include <string.h>

enum { MOST_ROUNDS = 6, MOST_ARGS = 255, MOST_ATOMS = 8, MOST_REFINED = 32 };

typedef struct deriver {
  const ir_module *m;
  ir_facts *inside, *anywhere; /* by node */
  uint32_t *first;             /* symbol -> its components in the two below */
  ir_facts *required;          /* by `require`s */
  ir_facts *ruled;             /* what all boundary rules for it give; everything where there is none */
  bool *has_rule;              /* by symbol */
  bool changed;
} deriver;

/* ---- what a condition says of its operands ------------------------------------------------------------- */

typedef void tell(void *ctx, ir_id id, ir_facts f);

typedef struct listener {
  const ir_module *m;
  const ir_facts *known;
  tell *tell;
  void *ctx;
} listener;

/* a > b, or a >= b. */
static void hear_order(const listener *l, ir_id a, ir_id b, bool strict) {
  ir_facts fa = l->known[a], fb = l->known[b], above = facts_none, below = facts_none;
  above.nonnegative = fb.nonnegative;
  above.positive = fb.positive || (strict && fb.nonnegative);
  below.nonpositive = fa.nonpositive;
  below.nonzero = fa.nonpositive && (fa.nonzero || strict);
  l->tell(l->ctx, a, facts_closed(above));
  l->tell(l->ctx, b, below);
}

/* `truth` false: the opposite holds, unless an operand is a NaN; operands that are finite cannot be. */
static void hear_comparison(const listener *l, const ir_node *n, bool truth) {
  ir_id a = ir_args(l->m, n)[0], b = ir_args(l->m, n)[1];
  if (!truth && (!l->known[a].finite || !l->known[b].finite)) return;
  switch (n->op) {
  case IR_GT: truth ? hear_order(l, a, b, true) : hear_order(l, b, a, false); break;
  case IR_GE: truth ? hear_order(l, a, b, false) : hear_order(l, b, a, true); break;
  case IR_LT: truth ? hear_order(l, b, a, true) : hear_order(l, a, b, false); break;
  case IR_LE: truth ? hear_order(l, b, a, false) : hear_order(l, a, b, true); break;
  default: break;
  }
  bool equal = (n->op == IR_EQ) == truth && (n->op == IR_EQ || n->op == IR_NE);
  bool differ = (n->op == IR_NE) == truth && (n->op == IR_EQ || n->op == IR_NE);
  for (int k = 0; k < 2; k++) {
    ir_id x = k ? b : a, y = k ? a : b;
    const ir_node *o = ir_get(l->m, y);
    if (equal) l->tell(l->ctx, x, l->known[y]);
    if (differ && o->op == IR_CONST && o->value == 0) l->tell(l->ctx, x, (ir_facts){.nonzero = true});
  }
}

/* Conjunctions are taken apart, as are disjunctions that are false; only the first atoms are heard. */
static void hear(const listener *l, ir_id condition, bool truth) {
  struct {
    ir_id id;
    bool truth;
  } stack[MOST_ATOMS] = {{condition, truth}};
  for (int n = 1; n > 0;) {
    ir_id id = stack[--n].id;
    bool holds = stack[n].truth;
    const ir_node *c = ir_get(l->m, id);
    if (c->op == IR_NOT) {
      stack[n].id = ir_args(l->m, c)[0];
      stack[n++].truth = !holds;
    } else if (c->op == (holds ? IR_AND : IR_OR) && n + 2 <= MOST_ATOMS) {
      for (int k = 0; k < 2; k++, n++) {
        stack[n].id = ir_args(l->m, c)[k];
        stack[n].truth = holds;
      }
    } else if (c->op >= IR_LT && c->op <= IR_NE) {
      hear_comparison(l, c, holds);
    }
  }
}

/* ---- fields and parameters ----------------------------------------------------------------------------- */

static const char *const positive_geometry[] = {"volume", "size", "area", "distance", "dx", "dy", "dz"};

static ir_facts of_kind(const ir_symbol *s) {
  ir_facts f = {.finite = true};
  bool is_step = s->place == IR_NOWHERE && (strcmp(s->text, "dt") == 0 || s->purpose.role == IR_STEP_BOUND ||
                                            s->purpose.role == IR_STEP_MOST);
  if (s->kind == IR_EQUATION || s->kind == IR_MATRIX || (s->kind == IR_GLOBAL && !is_step)) return facts_none;
  f.positive = is_step;
  for (size_t i = 0; i < sizeof positive_geometry / sizeof *positive_geometry; i++)
    if (s->kind == IR_GEOMETRY && s->type.n == 1 && strcmp(s->text, positive_geometry[i]) == 0)
      f.positive = true;
  if (s->kind == IR_INTEGRAL && s->integral.form != NULL && !s->integral.weight &&
      strcmp(s->integral.form, "N") == 0)
    f.positive = true;
  return facts_closed(f);
}

/* Component `k` of a root: roots are lists after `components`. */
static ir_facts of_root(const ir_module *m, const ir_facts *fact, ir_id root, int k) {
  const ir_node *n = ir_get(m, root);
  if (root == 0) return facts_none;
  return n->op == IR_TUPLE && n->n_args == n->type.n ? fact[ir_args(m, n)[k]] : fact[root];
}

static ir_facts of_equation(const deriver *d, const ir_symbol *s, const ir_facts *fact, int k) {
  ir_facts f = of_root(d->m, fact, s->root[0], k);
  return s->root[1] ? facts_meet(f, of_root(d->m, fact, s->root[1], k)) : f;
}

static bool crosses_boundary(ir_at at) { return at == IR_AT_R || at == IR_AT_D || at == IR_AT_SHIFT; }

static ir_facts of_component(const deriver *d, const ir_symbol *s, const ir_node *n, int k, bool anywhere) {
  ir_sym sym = n->read.sym;
  bool equation = s->kind == IR_EQUATION || s->kind == IR_GLOBAL || s->kind == IR_MATRIX;
  ir_facts f = of_kind(s);
  if (equation) f = facts_join(f, of_equation(d, s, anywhere ? d->anywhere : d->inside, k));
  ir_facts required = d->required[d->first[sym] + (uint32_t)k], ruled = d->ruled[d->first[sym] + (uint32_t)k];
  if (n->read.level != IR_NEW && (!anywhere || !equation)) f = facts_join(f, required);
  return d->has_rule[sym] && (anywhere || equation) ? facts_meet(f, ruled) : f;
}

static ir_facts of_access(const deriver *d, const ir_node *n, bool anywhere) {
  const ir_symbol *s = &d->m->symbol.at[n->read.sym];
  bool fixed_sign = s->side == IR_EVEN && !s->is_flux && !s->is_fluctuation;
  ir_facts f = facts_all;
  if (n->op == IR_PARAM || s->place == IR_NOWHERE) anywhere = false;
  else anywhere |= crosses_boundary((ir_at)n->read.at);
  for (int k = 0; k < n->type.n; k++) f = facts_meet(f, of_component(d, s, n, n->read.first + k, anywhere));
  if (n->read.level == IR_NEW) f.finite = false;
  if (n->read.at == IR_AT_OUT && !fixed_sign) f = (ir_facts){.finite = f.finite, .nonzero = f.nonzero};
  return f;
}

/* ---- conditions on arms -------------------------------------------------------------------------------- */

/* A few nodes with better facts than the table has: those a condition speaks of, and what is made of them. */
typedef struct overlay {
  const deriver *d;
  const ir_facts *base;
  ir_id id[MOST_REFINED + 2 * MOST_ATOMS];
  ir_facts fact[MOST_REFINED + 2 * MOST_ATOMS];
  int n;
} overlay;

static int overlay_find(const overlay *o, ir_id id) {
  for (int i = 0; i < o->n; i++)
    if (o->id[i] == id) return i;
  return -1;
}

static void overlay_put(overlay *o, ir_id id, ir_facts f) {
  int i = overlay_find(o, id);
  if (i < 0) i = o->n++, o->id[i] = id, o->fact[i] = o->base[id];
  o->fact[i] = facts_join(o->fact[i], f);
}

static void overlay_tell(void *ctx, ir_id id, ir_facts f) {
  overlay *o = ctx;
  bool news = memcmp(&f, &facts_none, sizeof f) != 0;
  if (news && o->n < 2 * MOST_ATOMS && ir_get(o->d->m, id)->op != IR_CONST) overlay_put(o, id, f);
}

/* The nodes below the arm, nearest first; leaves and what the condition speaks of end the search. */
static int gather(const overlay *o, ir_id arm, ir_id *found) {
  int n = 0;
  found[n++] = arm;
  for (int i = 0; i < n; i++) {
    const ir_node *node = ir_get(o->d->m, found[i]);
    for (int k = 0; k < node->n_args && n < MOST_REFINED; k++) {
      ir_id arg = ir_args(o->d->m, node)[k];
      bool seen = overlay_find(o, arg) >= 0 || ir_get(o->d->m, arg)->n_args == 0;
      for (int j = 0; j < n && !seen; j++) seen = found[j] == arg;
      if (!seen) found[n++] = arg;
    }
  }
  return n;
}

static void sort_ids(ir_id *id, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && id[j - 1] > id[j]; j--) {
      ir_id swap = id[j];
      id[j] = id[j - 1];
      id[j - 1] = swap;
    }
}

static ir_facts overlaid(const overlay *o, ir_id id) {
  int i = overlay_find(o, id);
  return i < 0 ? o->base[id] : o->fact[i];
}

/* The facts of an arm where its condition has the value `truth`. */
static ir_facts of_arm(const deriver *d, const ir_facts *base, ir_id condition, bool truth, ir_id arm) {
  overlay o = {.d = d, .base = base};
  listener l = {d->m, base, overlay_tell, &o};
  hear(&l, condition, truth);
  if (base[arm].finite || overlay_find(&o, arm) >= 0 || ir_get(d->m, arm)->n_args == 0)
    return overlaid(&o, arm);
  ir_id cone[MOST_REFINED];
  int n = gather(&o, arm, cone);
  sort_ids(cone, n);
  for (int i = 0; i < n; i++) {
    const ir_node *node = ir_get(d->m, cone[i]);
    ir_facts arg[MOST_ARGS];
    for (int k = 0; k < node->n_args; k++) arg[k] = overlaid(&o, ir_args(d->m, node)[k]);
    overlay_put(&o, cone[i], facts_of_node(d->m, node, arg));
  }
  return overlaid(&o, arm);
}

/* ---- rounds -------------------------------------------------------------------------------------------- */

static void derive_node(deriver *d, ir_facts *fact, ir_id id, bool anywhere) {
  const ir_node *n = ir_get(d->m, id);
  const ir_id *args = ir_args(d->m, n);
  ir_facts f, arg[MOST_ARGS];
  if (n->op == IR_READ || n->op == IR_PARAM) {
    f = of_access(d, n, anywhere);
  } else {
    for (int k = 0; k < n->n_args; k++) arg[k] = fact[args[k]];
    if (n->op == IR_SELECT)
      for (int k = 1; k < 3; k++) arg[k] = of_arm(d, fact, args[0], k == 1, args[k]);
    f = facts_of_node(d->m, n, arg);
  }
  if (memcmp(&f, &fact[id], sizeof f) != 0) d->changed = true;
  fact[id] = f;
}

static void tell_symbol(void *ctx, ir_id id, ir_facts f) {
  deriver *d = ctx;
  const ir_node *n = ir_get(d->m, id);
  bool here = n->op == IR_PARAM || (n->op == IR_READ && n->read.at == IR_AT_HERE && n->read.level == IR_NOW);
  for (int k = 0; here && k < n->type.n; k++) {
    ir_facts *to = &d->required[d->first[n->read.sym] + (uint32_t)n->read.first + (uint32_t)k];
    *to = facts_join(*to, f);
  }
}

static void hear_requires(deriver *d) {
  listener l = {d->m, d->inside, tell_symbol, d};
  for (int i = 0; i < d->m->require.n; i++) hear(&l, d->m->require.at[i].condition, true);
}

/* A state's `fix` obeys its `require`; its ghosts do not. Of an equation every rule replaces the formula. */
static bool replaces(const ir_symbol *target, ir_rule_kind kind) {
  return kind == IR_GHOST || target->kind != IR_STATE;
}

static void gather_rules(deriver *d) {
  const ir_module *m = d->m;
  for (int i = 0; i < m->symbol.n; i++)
    for (int k = 0; k < m->symbol.at[i].type.n; k++) d->ruled[d->first[i] + (uint32_t)k] = facts_all;
  for (int i = 1; i < m->rule.n; i++)
    for (int j = 0; j < m->rule.at[i].entry.n; j++) {
      const ir_rule_entry *e = &m->rule.at[i].entry.at[j];
      const ir_symbol *target = &m->symbol.at[e->target];
      if (!replaces(target, e->kind)) continue;
      d->has_rule[e->target] = true;
      for (int k = 0; k < target->type.n; k++) {
        ir_facts *ruled = &d->ruled[d->first[e->target] + (uint32_t)k];
        ir_facts f = of_root(m, d->inside, e->root, k);
        if (e->kind == IR_ADD_RULE) f = (ir_facts){.finite = f.finite};
        *ruled = facts_meet(*ruled, f);
      }
    }
}

const ir_facts *ir_facts_compute(const ir_module *m) {
  arena *a = m->memory;
  deriver d = {
      .m = m, .inside = arena_array(a, ir_facts, m->node.n), .anywhere = arena_array(a, ir_facts, m->node.n)};
  uint32_t total = 0;
  d.first = arena_array(a, uint32_t, m->symbol.n);
  d.has_rule = arena_array(a, bool, m->symbol.n);
  for (int i = 0; i < m->symbol.n; i++) {
    d.first[i] = total;
    total += m->symbol.at[i].type.n;
  }
  d.required = arena_array(a, ir_facts, total + 1);
  d.ruled = arena_array(a, ir_facts, total + 1);
  d.changed = true;
  for (int round = 0; round < MOST_ROUNDS && d.changed; round++) {
    d.changed = false;
    gather_rules(&d);
    for (ir_id id = 1; id < (ir_id)m->node.n; id++) {
      derive_node(&d, d.inside, id, false);
      derive_node(&d, d.anywhere, id, true);
    }
    hear_requires(&d);
  }
  return d.inside;
}
