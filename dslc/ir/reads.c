/* What the step, or what is shown, is computed from: through equations and globals, but not through dt, which says how far a step goes and
 * is kept as a value. */
#include <string.h>

#include "ir/ir.h"

typedef struct search {
  const ir_module *m;
  bool *seen, *elsewhere; /* by symbol; elsewhere: read at another point than the reader's own */
  VEC(ir_sym) open;
  bool looks_back; /* something read is of the start of the step */
  bool reads_dt;
  uint32_t rule; /* a sum over its faces is looked for */
  bool sums;
} search;

static search search_begin(const ir_module *m) {
  return (search){.m = m,
                  .seen = arena_array(m->memory, bool, m->symbol.n),
                  .elsewhere = arena_array(m->memory, bool, m->symbol.n)};
}

static void meet(search *s, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(s->m, sym);
  const bool is_dt =
      q->kind == IR_GLOBAL && strncmp(q->text, "dt", 2) == 0 && (!q->text[2] || q->text[2] == '.');
  s->reads_dt |= is_dt;
  if (sym == 0 || s->seen[sym] || is_dt) return;
  s->seen[sym] = true;
  vec_push(s->m->memory, &s->open, sym);
}

static void follow(search *s, ir_id root) {
  if (root == 0) return;
  const ir_reached all = ir_reach(s->m, &root, 1);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(s->m, all.at[i]);
    s->sums |= n->op == IR_REDUCE && n->reduce.rule == s->rule;
    if (n->op != IR_READ && n->op != IR_PARAM) continue;
    s->looks_back |= n->op == IR_READ && n->read.level == IR_PREV;
    s->elsewhere[n->read.sym] |= n->op == IR_READ && n->read.at != IR_AT_HERE;
    meet(s, n->read.sym);
  }
}

static void follow_open(search *s) {
  while (s->open.n > 0) {
    const ir_symbol *q = ir_symbol_get(s->m, s->open.at[--s->open.n]);
    for (int k = 0; k < 2; k++) follow(s, q->root[k]);
  }
}

/* ---- the step ---------------------------------------------------------------------------------------------------------- */

static void follow_statements(search *s, const ir_stmt *stmt, int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < stmt[i].assign.n; k++) follow(s, stmt[i].assign.at[k].value);
    follow(s, stmt[i].rhs);
    meet(s, stmt[i].matrix);
    follow_statements(s, stmt[i].body.at, stmt[i].body.n);
  }
}

bool ir_step_reads(const ir_module *m, const char *text) {
  ir_sym wanted = 0;
  for (int i = 1; i < m->symbol.n; i++)
    if (m->symbol.at[i].kind == IR_GEOMETRY && strcmp(m->symbol.at[i].text, text) == 0) wanted = (ir_sym)i;
  if (!wanted) return false;
  search s = search_begin(m);
  follow_statements(&s, m->step.at, m->step.n);
  follow_open(&s);
  return s.seen[wanted];
}

/* ---- what is shown --------------------------------------------------------------------------------------------------------- */

static bool is_shown(const ir_symbol *q, const char *const *shown, int n) {
  if (q->kind != IR_EQUATION && q->kind != IR_GLOBAL) return false;
  for (int i = 0; i < n; i++)
    if (strcmp(shown[i], q->text) == 0) return true;
  return n < 0;
}

bool ir_shows_start(const ir_module *m, const char *const *shown, int n) {
  search s = search_begin(m);
  for (ir_sym q = 1; q < (ir_sym)m->symbol.n; q++)
    if (is_shown(ir_symbol_get(m, q), shown, n)) meet(&s, q);
  for (int r = 1; s.open.n > 0 && r < m->rule.n; r++)
    for (int e = 0; e < m->rule.at[r].entry.n; e++) follow(&s, m->rule.at[r].entry.at[e].root);
  follow_open(&s);
  return s.looks_back;
}

/* ---- the last step ------------------------------------------------------------------------------------------------------ */

/* What rules say of what has been read beyond boundaries. Returns whether there is anything new to follow. */
static bool follow_rules(search *s, bool *followed) {
  int number = 0;
  for (int r = 1; r < s->m->rule.n; r++)
    for (int e = 0; e < s->m->rule.at[r].entry.n; e++, number++) {
      const ir_rule_entry *entry = &s->m->rule.at[r].entry.at[e];
      if (followed[number] || !s->elsewhere[entry->target]) continue;
      followed[number] = true;
      follow(s, entry->root);
    }
  return s->open.n > 0;
}

static void follow_all(search *s) {
  int entries = 0;
  for (int r = 1; r < s->m->rule.n; r++) entries += s->m->rule.at[r].entry.n;
  bool *followed = arena_array(s->m->memory, bool, entries + 1);
  do follow_open(s);
  while (follow_rules(s, followed));
}

bool ir_depends_on(const ir_module *m, ir_id root, const bool *symbols) {
  search s = search_begin(m);
  follow(&s, root);
  follow_all(&s);
  for (int i = 1; i < m->symbol.n; i++)
    if (s.seen[i] && symbols[i]) return true;
  return false;
}

void ir_reads_last_step(const ir_module *m, ir_sym q, bool *looks_back, bool *reads_dt) {
  search s = search_begin(m);
  meet(&s, q);
  follow_all(&s);
  *looks_back = s.looks_back, *reads_dt = s.reads_dt;
}

bool ir_rule_sums_itself(const ir_module *m, int rule) {
  search s = search_begin(m);
  s.rule = (uint32_t)rule;
  for (int e = 0; e < m->rule.at[rule].entry.n; e++) follow(&s, m->rule.at[rule].entry.at[e].root);
  follow_open(&s);
  return s.sums;
}

ir_at ir_other_end(ir_at end) {
  switch (end) {
  case IR_AT_L: return IR_AT_R;
  case IR_AT_R: return IR_AT_L;
  case IR_AT_I: return IR_AT_J;
  case IR_AT_J: return IR_AT_I;
  default: return end;
  }
}

/* ---- parts of the boundary ------------------------------------------------------------------------------------------------ */

bool ir_is_patch(const ir_symbol *q) {
  return q->kind == IR_GIVEN && q->place == IR_FACES && strncmp(q->text, "patch(", 6) == 0;
}

static bool is_dt(const ir_module *m, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(m, sym);
  return q->kind == IR_GLOBAL && strcmp(q->text, "dt") == 0;
}

double ir_part_of_dt(const ir_module *m, ir_id id) {
  const ir_node *n = ir_get(m, id);
  if (n->op == IR_PARAM) return is_dt(m, n->read.sym) ? 1 : 0;
  if (n->op == IR_NEG) return -ir_part_of_dt(m, ir_args(m, n)[0]);
  if (n->op == IR_ADD || n->op == IR_SUB) {
    const double first = ir_part_of_dt(m, ir_args(m, n)[0]), second = ir_part_of_dt(m, ir_args(m, n)[1]);
    return first == 0 || second == 0 ? 0 : n->op == IR_ADD ? first + second : first - second;
  }
  if (n->op != IR_MUL && n->op != IR_DIV) return 0;
  const ir_node *a = ir_get(m, ir_args(m, n)[0]), *b = ir_get(m, ir_args(m, n)[1]);
  if (b->op == IR_CONST) {
    const double part = ir_part_of_dt(m, ir_args(m, n)[0]);
    return n->op == IR_MUL ? part * b->value : part / b->value;
  }
  return n->op == IR_MUL && a->op == IR_CONST ? a->value * ir_part_of_dt(m, ir_args(m, n)[1]) : 0;
}

bool ir_reads_elsewhere(const ir_node *n) {
  if (n->read.at != IR_AT_SHIFT && n->read.at != IR_AT_NEAR) return n->read.at != IR_AT_HERE;
  return n->read.off[0] || n->read.off[1] || n->read.off[2];
}

bool ir_reads_kinds(const ir_module *m, ir_id root, unsigned kinds) {
  const ir_reached all = ir_reach(m, &root, root != 0);
  for (int i = 0; i < all.n; i++) {
    const ir_node *n = ir_get(m, all.at[i]);
    if ((n->op == IR_READ || n->op == IR_PARAM) && kinds >> ir_symbol_get(m, n->read.sym)->kind & 1)
      return true;
  }
  return false;
}
