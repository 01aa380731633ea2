/* Which symbols of a scheme are fields of its program, and as what. */
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
                      .buffer = -1,
                      .show = -1};
}

bool ir_hides(const ir_symbol *q) {
  if (q->kind != IR_EQUATION) return false;
  return q->tuple.n_parts > 0 || q->place == IR_FACES || q->place == IR_EDGES || strchr(q->text, '(') ||
         q->is_fluctuation;
}
