/* What each equation costs on its own, for the report. */
#include "back/back.h"
#include "pass/pass.h"

#include <string.h>

static bool has_buffer(const dslc_program *g, const char *text) {
  for (int b = 0; b < g->n_buffers; b++)
    if (strcmp(g->buffer[b].name, text) == 0) return true;
  return false;
}

static dslc_equation count(const dslc_program *g, const ir_module *m, const ir_symbol *s,
                           const source_set *sources) {
  ir_id root[2];
  int n = 0, line = 0, column;
  for (int k = 0; k < 2; k++)
    if (s->root[k]) root[n++] = s->root[k];
  double passes = s->place == IR_NODES    ? (m->dims == 3 ? 14 : 6)
                  : g->faces_per_cell > 0 ? g->faces_per_cell
                                          : 6;
  ir_cost cost = ir_cost_of(m, root, n, passes);
  if (sources && s->at.end > s->at.start) source_position(sources, s->at.file, s->at.start, &line, &column);
  const char *form = s->kind == IR_GLOBAL ? "global" : has_buffer(g, s->text) ? "store" : "inline";
  return (dslc_equation){.name = s->text,
                         .tag = s->tag,
                         .place = (dslc_place)s->place,
                         .line = line,
                         .kernel = -1,
                         .flops_written = cost.written,
                         .flops = cost.shared,
                         .loads = cost.loads,
                         .form = form};
}

void back_count_equations(dslc_program *g, const ir_module *m, const source_set *sources, arena *a) {
  VEC(dslc_equation) all = {0};
  for (ir_sym i = 1; i < (ir_sym)m->symbol.n; i++) {
    const ir_symbol *s = ir_symbol_get(m, i);
    bool counted = (s->kind == IR_EQUATION || s->kind == IR_GLOBAL) && (s->root[0] || s->root[1]);
    if (counted) vec_push(a, &all, count(g, m, s, sources));
  }
  g->n_equations = all.n;
  g->equation = all.at;
}
