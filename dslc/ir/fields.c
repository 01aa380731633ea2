/* Which symbols of a scheme are fields of its program, and as what; and its rules. */
#include <string.h>

#include "ir/fields.h"

dslc_field ir_field(const ir_symbol *q, dslc_field_kind kind) {
  return (dslc_field){.name = q->text,
                      .kind = kind,
                      .place = (dslc_place)q->place,
                      .components = q->type.n,
                      .unit = q->unit,
                      .bounds = q->bounds,
                      .over_time = q->over_time,
                      .flux = q->kind == IR_STATE && q->is_flux,
                      .buffer = -1,
                      .show = -1};
}

bool ir_hides(const ir_symbol *q) {
  if (q->kind != IR_EQUATION) return false;
  return q->tuple.n_parts > 0 || q->place == IR_FACES || q->place == IR_EDGES || strchr(q->text, '(') ||
         q->is_fluctuation;
}

static dslc_argument argument_of(const ir_symbol *q) {
  return (dslc_argument){.name = q->text,
                         .components = q->type.n,
                         .unit = q->unit,
                         .bounds = q->bounds,
                         .over_time = true,
                         .buffer = -1};
}

dslc_rule *ir_rules(const ir_module *m, arena *memory) {
  dslc_rule *all = arena_array(memory, dslc_rule, m->rule.n);
  for (int i = 1; i < m->rule.n; i++) {
    const ir_rule *r = &m->rule.at[i];
    dslc_argument *argument = arena_array(memory, dslc_argument, r->arg.n + 1);
    for (int k = 0; k < r->arg.n; k++) argument[k] = argument_of(ir_symbol_get(m, r->arg.at[k]));
    all[i - 1] = (dslc_rule){.name = r->text,
                             .axis = r->axis,
                             .apart = ir_axes_text(memory, r->apart),
                             .sums_itself = ir_rule_sums_itself(m, i),
                             .n_arguments = r->arg.n,
                             .argument = argument};
  }
  return all;
}
