/* Explicit Runge-Kutta methods by their tableaus: each slope, and what each stage begins with, is a quantity of its own. */
#include <string.h>

#include "lower/lower.h"

static const tableau tableaus[] = {
    {"euler", 1, {{0}}, {1}, {0}},
    {"midpoint", 2, {{0}, {0.5}}, {0, 1}, {0, 0.5}},
    {"heun", 2, {{0}, {1}}, {0.5, 0.5}, {0, 1}},
    {"ssp_rk2", 2, {{0}, {1}}, {0.5, 0.5}, {0, 1}},
    {"ssp_rk3", 3, {{0}, {1}, {0.25, 0.25}}, {1.0 / 6, 1.0 / 6, 2.0 / 3}, {0, 1, 0.5}},
    {"rk4", 4, {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, {0, 0.5, 0.5, 1}},
};

const tableau *lower_tableau(const char *text) {
  for (size_t i = 0; i < sizeof tableaus / sizeof *tableaus; i++)
    if (strcmp(tableaus[i].name, text) == 0) return &tableaus[i];
  return &tableaus[0];
}

/* ---- time ---------------------------------------------------------------------------------------------------------- */

double lower_moment(const ir_module *m, const ir_stmt *st) {
  return st->kind != IR_INTEGRATE && st->over ? ir_part_of_dt(m, st->over) : 0;
}

double lower_start_of(const ir_module *m, const ir_stmt *list, int index) {
  const ir_stmt *own = &list[index];
  const bool parts = ir_part_of_dt(m, own->over) != 0;
  double start = 0;
  for (int i = 0; i < index; i++) {
    if (!own->turn || list[i].turn != own->turn) continue;
    const double part = ir_part_of_dt(m, list[i].over);
    const bool known = parts ? part != 0 : list[i].over == own->over;
    if (!known) return -1;
    start += parts ? part : 1;
  }
  return start;
}

/* ---- symbols ---------------------------------------------------------------------------------------------------- */

/* Stages take turns in two buffers: a stage begins with what the one before it has left. */
static ir_sym find_or_add(ir_module *m, ir_sym state, ir_role role, int number) {
  ir_symbol s = {.kind = IR_EQUATION, .purpose.role = role, .purpose.of = state};
  const ir_symbol *q = ir_symbol_get(m, state);
  const char *suffix = role == IR_SLOPE ? "k" : "stage";
  s.text = intern_str(m->names, arena_printf(m->memory, "%s.%s%d", q->text, suffix, number));
  ir_sym known = ir_symbol_find(m, s.text);
  if (known) return known;
  s.place = q->place, s.type = q->type, s.dims = q->dims;
  return ir_symbol_add(m, s);
}

ir_sym lower_slope(ir_module *m, ir_sym state, int stage) {
  return find_or_add(m, state, IR_SLOPE, stage + 1);
}

ir_sym lower_stage_value(ir_module *m, ir_sym state, int stage) {
  return find_or_add(m, state, IR_STAGE_VALUE, stage % 2 + 1);
}

static void lower_list(ir_module *m, const ir_stmt *list, int n) {
  for (int i = 0; i < n; i++) {
    const ir_stmt *st = &list[i];
    lower_list(m, st->body.at, st->body.n);
    if (lower_moment(m, st) != 0 && lower_time(m)) lower_need_stage_time(m);
    if (st->kind != IR_INTEGRATE) continue;
    const tableau *t = lower_tableau(st->method);
    for (int k = 0; k < st->assign.n && t->stages > 1; k++)
      for (int j = 0; j + 1 < t->stages; j++) {
        lower_slope(m, st->assign.at[k].target, j);
        lower_stage_value(m, st->assign.at[k].target, j);
      }
    if ((t->stages > 1 || lower_start_of(m, list, i) > 0) && lower_time(m)) lower_need_stage_time(m);
  }
}

void lower_integrators(lowering *l) { lower_list(l->m, l->m->step.at, l->m->step.n); }
