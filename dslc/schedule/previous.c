/* Values at the start of the step: computed once, when it begins. */
#include "schedule/nodes.h"

void demand_previous(planner *pl, bool shown_only) {
  VEC(ir_sym) all = {0};
  for (int s = 1; s < pl->from->symbol.n; s++)
    if (pl->from->symbol.at[s].role == IR_STEP_START && (!shown_only || pl->found[s].asked))
      vec_push(pl->memory, &all, (ir_sym)s);
  if (all.n) demand_symbols(pl, all.at, all.n);
  if (pl->from->on_grid) return;
  /* Cells: beyond the boundary too if somebody looks there, while the states are those of the start. */
  for (int i = 0; i < all.n; i++)
    if (ir_symbol_get(pl->to, all.at[i])->place == IR_CELLS && pl->use[all.at[i]].across)
      refresh_ghosts(pl, &all.at[i], 1);
}
