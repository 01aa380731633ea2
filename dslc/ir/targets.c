/* What rules say of a symbol. Many ask for one symbol after the other, and rules say something of each: looking through all of them every
 * time would take as much as the scheme's size squared. So entries are sorted by target, once, until one is added. */
#include "ir/ir_internal.h"

void ir_entry_add(ir_module *m, int rule, ir_rule_entry e) {
  vec_push(m->memory, &m->rule.at[rule].entry, e);
  m->targets->known = false;
}

/* What a text names that is no symbol is nobody's: 0. The verifier will say so. */
static ir_sym target_of(const ir_module *m, int rule, int entry) {
  const ir_sym target = m->rule.at[rule].entry.at[entry].target;
  return target < (ir_sym)m->symbol.n ? target : 0;
}

/* How many entries each symbol has, at first[symbol + 1]; all of them. */
static int count_entries(const ir_module *m, int *first) {
  int n = 0;
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; i < m->rule.at[r].entry.n; i++, n++) first[target_of(m, r, i) + 1]++;
  return n;
}

static void sort_entries(const ir_module *m) {
  struct ir_targets *t = m->targets;
  *t = (struct ir_targets){.known = true, .n_symbols = m->symbol.n};
  t->first = arena_array(m->memory, int, m->symbol.n + 1);
  t->at = arena_array(m->memory, ir_entry_place, count_entries(m, t->first) + 1);
  int *next = arena_array(m->memory, int, m->symbol.n);
  for (int s = 0; s < m->symbol.n; s++) t->first[s + 1] += t->first[s], next[s] = t->first[s];
  for (int r = 1; r < m->rule.n; r++)
    for (int i = 0; i < m->rule.at[r].entry.n; i++)
      t->at[next[target_of(m, r, i)]++] = (ir_entry_place){r, i};
  arena_return_array(m->memory, next, m->symbol.n);
}

ir_entries ir_entries_of(const ir_module *m, ir_sym target) {
  const struct ir_targets *t = m->targets;
  if (!t->known) sort_entries(m);
  if ((int)target >= t->n_symbols) return (ir_entries){0};
  return (ir_entries){t->first[target + 1] - t->first[target], t->at + t->first[target]};
}

const ir_rule_entry *ir_entry_find(const ir_module *m, int rule, ir_sym target, ir_rule_kind kind) {
  const ir_entries all = ir_entries_of(m, target);
  int low = 0, high = all.n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (all.at[middle].rule < rule) low = middle + 1;
    else high = middle;
  }
  for (int i = low; i < all.n && all.at[i].rule == rule; i++)
    if (ir_entry_at(m, &all, i)->kind == kind) return ir_entry_at(m, &all, i);
  return NULL;
}

bool ir_is_given_beyond(const ir_module *m, ir_sym target) {
  const ir_entries all = ir_entries_of(m, target);
  for (int i = 0; i < all.n; i++)
    if (ir_entry_at(m, &all, i)->kind == IR_GHOST) return true;
  return false;
}

bool ir_used_rule_says(const ir_module *m, const bool *used, ir_sym target, ir_rule_kind kind) {
  const ir_entries all = ir_entries_of(m, target);
  for (int i = 0; i < all.n; i++)
    if (used[all.at[i].rule] && ir_entry_at(m, &all, i)->kind == kind) return true;
  return false;
}
