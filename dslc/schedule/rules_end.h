#ifndef DSLC_SCHEDULE_RULES_END_H
#define DSLC_SCHEDULE_RULES_END_H

#include "base/diag.h"
#include "ir/ir.h"

/* What is being followed, from the innermost outwards. */
typedef struct rules_frame {
  ir_sym sym;
  int number;
  const ir_rule *rule; /* by which it needs what is followed further in, or NULL */
  const ir_rule_entry *entry;
  const struct rules_frame *outer;
} rules_frame;

/* A component of a quantity, at the start of the step or now. */
typedef struct rules_quantity {
  ir_sym sym;
  int component;
  bool previous;
} rules_quantity;

/* The cycle is the frames from the innermost to that of `number`, which is needed `again`. */
void rules_report_cycle(const ir_module *m, diag_sink *sink, const rules_frame *innermost, ir_sym again,
                        int number);
ir_id rules_component(const ir_module *m, ir_id root, int component);

/* False, and a report: what a rule says of a quantity needs that quantity. */
bool rules_end_on_mesh(const ir_module *scheme, diag_sink *sink);

#endif
