/* What a value is computed from. A planner asks this for every equation, so the answer must not cost a sweep over the module:
 * marks stay where they are, and a new round makes all of them old. */
#include "ir/ir_internal.h"

#include <stdlib.h>

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

static int by_number(const void *a, const void *b) {
  ir_id x = *(const ir_id *)a, y = *(const ir_id *)b;
  return (x > y) - (x < y);
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
  ir_reached all = {marks->found.n, arena_array(m->memory, ir_id, marks->found.n + 1)};
  for (int i = 0; i < all.n; i++) all.at[i] = marks->found.at[i];
  ir_sort(all.at, all.n);
  return all;
}

ir_reached ir_reach(const ir_module *m, const ir_id *roots, int n) {
  return ir_reach_below(m, roots, n, NULL, NULL);
}

int ir_reached_place(const ir_reached *all, ir_id id) {
  const ir_id *at = bsearch(&id, all->at, (size_t)all->n, sizeof *all->at, by_number);
  return at ? (int)(at - all->at) : -1;
}
