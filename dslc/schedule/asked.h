/* What a value near walls leads to: parts of functions, axis by axis. An equation that is seen beyond a wall across x is what the rules of
 * walls across x say, and what these read; those across y may read what would lead in a cycle along x. Cycles and depths (cycles.c), the
 * order of tables (tables.c), and who has to be computed before whom (points.c) all follow the same parts. */
#ifndef DSLC_SCHEDULE_ASKED_H
#define DSLC_SCHEDULE_ASKED_H

#include "schedule/plan.h"

enum { PLAN_AXES = 4 }; /* and none */

/* A part of a function, as it is asked for; axis: of PLAN_PART_NEAR, 0 to 2, along which it is seen; -1 of the others. */
typedef struct plan_asked {
  int function;
  plan_part part;
  int axis;
} plan_asked;

/* Below PLAN_PARTS * PLAN_AXES for each function. */
int plan_asked_number(plan_asked a);

typedef void asked_visitor(void *ctx, plan_asked a);
/* `rule`: whose case it is, as in plan_wall_case; -1: the function's own formula. */
typedef void asked_value_visitor(void *ctx, ir_id value, int rule);

/* Calls visit for what the node asks for itself, where `by` evaluates it (NULL: a kernel). */
void plan_asked_by(const plan *p, ir_id id, const plan_asked *by, asked_visitor *visit, void *ctx);
/* Calls `value` for the formulas that the part evaluates itself, and `part` for the other parts that it consists of. */
void plan_asked_parts(const plan *p, plan_asked a, asked_value_visitor *value, asked_visitor *part,
                      void *ctx);

#endif
