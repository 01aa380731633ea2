/* Quantities that look back: `X.prev` of a dear equation keeps its value in a pass, so it is computed once, when a step begins. */
#include "schedule/grid.h"

enum { DEAR = 30 };

/* On a grid: what a rule gives beyond the walls belongs to X itself, so such an X is expanded. */
static bool is_worth_keeping(planner *pl, ir_sym sym) {
  const ir_symbol *q = ir_symbol_get(pl->from, sym);
  if (q->kind != IR_EQUATION || !q->root[0] || q->place == IR_NOWHERE) return false;
  if (has_rule(pl, sym, IR_GHOST) || has_rule(pl, sym, IR_FIX)) return false;
  form f = schedule_form(pl->schedule, intern_str(pl->names, arena_printf(pl->memory, "%s.prev", q->text)));
  return f == FORM_STORE || (f == FORM_AUTO && deep_cost(pl, sym) > DEAR);
}

static ir_sym keep(planner *pl, ir_sym sym) {
  ir_symbol s = *ir_symbol_get(pl->from, sym);
  s.text = intern_str(pl->names, arena_printf(pl->memory, "%s.prev", s.text));
  ir_sym copy = ir_symbol_add(pl->from, s);
  vec_push(pl->memory, &pl->kept, ((struct kept_value){sym, copy}));
  vec_push(pl->memory, &pl->hoists, ((struct hoisted_sum){copy, false}));
  return copy;
}

static bool is_kept(const planner *pl, ir_sym sym) {
  for (int i = 0; i < pl->kept.n; i++)
    if (pl->kept.at[i].of == sym) return true;
  return false;
}

void prepare_previous(planner *pl) {
  if (!pl->from->on_grid) return;
  const unsigned char *live = ir_live(pl->from);
  for (ir_id id = 1; id < (ir_id)pl->from->node.n; id++) {
    const ir_node *n = ir_get(pl->from, id);
    if (!live[id] || n->op != IR_READ || n->read.level != IR_PREV) continue;
    ir_sym sym = n->read.sym;
    if (!is_kept(pl, sym) && is_worth_keeping(pl, sym)) keep(pl, sym);
  }
}

void mark_previous(planner *pl) {
  for (int i = 0; i < pl->kept.n; i++) {
    pl->sym[pl->kept.at[i].of].previous = pl->kept.at[i].copy;
    pl->sym[pl->kept.at[i].copy].once = true;
  }
}

void demand_previous(planner *pl) {
  for (int i = 0; i < pl->kept.n; i++) demand_symbol(pl, pl->kept.at[i].copy);
}
