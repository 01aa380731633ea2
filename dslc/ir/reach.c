/* What a value is computed from. A planner asks this for every equation, so the answer must not cost a sweep over the module:
 * marks stay where they are, and a new round makes all of them old. */
#include "ir/ir_internal.h"

static struct ir_marks *begin_round(const ir_module *m) {
  struct ir_marks *marks = m->marks;
  while (marks->round.n < m->node.n) vec_push(m->memory, &marks->round, 0);
  marks->found.n = 0;
  marks->now++;
  return marks;
}

static void find(const ir_module *m, struct ir_marks *marks, ir_id id) {
  if (id == 0 || marks->round.at[id] == marks->now) return;
  marks->round.at[id] = marks->now;
  vec_push(m->memory, &marks->found, id);
}

/* Shell's sort. Lists are short and many: qsort with its calls was a fifth of all compiling. */
void ir_sort(ir_id *at, int n) {
  for (int gap = n / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (int i = gap; i < n; i++) {
      ir_id id = at[i];
      int k = i;
      for (; k >= gap && at[k - gap] > id; k -= gap) at[k] = at[k - gap];
      at[k] = id;
    }
}

/* A bit for each value found sorts them without comparing; the bits are clear again when this returns. Few values far apart are
 * sorted. */
static ir_reached in_order(const ir_module *m, struct ir_marks *marks) {
  enum { BITS = 64 };
  int n = 0, found = marks->found.n;
  ir_id *at = arena_array(m->memory, ir_id, found + 1);
  ir_id first = (ir_id)m->node.n, last = 0;
  for (int i = 0; i < found; i++) {
    ir_id id = at[i] = marks->found.at[i];
    first = id < first ? id : first;
    last = id > last ? id : last;
  }
  if (found < 3 || (last - first) / BITS > 4 * (ir_id)found) {
    ir_sort(at, found);
    return (ir_reached){found, at};
  }
  while (marks->bits.n <= m->node.n / BITS) vec_push(m->memory, &marks->bits, 0);
  for (int i = 0; i < found; i++) marks->bits.at[at[i] / BITS] |= (uint64_t)1 << at[i] % BITS;
  for (ir_id word = first / BITS; word <= last / BITS; word++)
    for (uint64_t *rest = &marks->bits.at[word]; *rest; *rest &= *rest - 1)
      at[n++] = word * BITS + (ir_id)__builtin_ctzll(*rest);
  return (ir_reached){n, at};
}

ir_reached ir_reach_below(const ir_module *m, const ir_id *roots, int n, ir_leaf_test *stops, void *ctx) {
  struct ir_marks *marks = begin_round(m);
  for (int i = 0; i < n; i++) find(m, marks, roots[i]);
  for (int i = 0; i < marks->found.n; i++) {
    ir_id id = marks->found.at[i];
    if (stops && stops(ctx, id)) continue;
    const ir_node *q = ir_get(m, id);
    for (int k = 0; k < q->n_args; k++) find(m, marks, ir_args(m, q)[k]);
  }
  return in_order(m, marks);
}

/* Planning asks for the same values again and again: for each kernel that reads an equation. */
ir_reached ir_reach(const ir_module *m, const ir_id *roots, int n) {
  if (n != 1 || !roots[0]) return ir_reach_below(m, roots, n, NULL, NULL);
  struct ir_marks *marks = m->marks;
  while (marks->known.n < m->node.n) vec_push(m->memory, &marks->known, (ir_reached){0});
  ir_reached *known = &marks->known.at[roots[0]];
  if (!known->at) *known = ir_reach_below(m, roots, n, NULL, NULL);
  return *known;
}

int ir_reached_place(const ir_reached *all, ir_id id) {
  int low = 0, high = all->n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (all->at[middle] < id) low = middle + 1;
    else high = middle;
  }
  return low < all->n && all->at[low] == id ? low : -1;
}
