/* Between facts.c (symbols, conditions, the sweeps) and facts_rules.c (one operator at a time). */
#ifndef DSLC_PASS_FACTS_H
#define DSLC_PASS_FACTS_H

#include "pass/pass.h"

static const ir_facts facts_none = {false, false, false, false, false};
static const ir_facts facts_all = {true, true, true, true, true};

ir_facts facts_closed(ir_facts f);           /* adds what follows: positive = nonnegative and nonzero */
ir_facts facts_meet(ir_facts a, ir_facts b); /* what holds of both */
ir_facts facts_join(ir_facts a, ir_facts b); /* two descriptions of one value */

/* The facts of a node that is no READ or PARAM from those of its operands (n_args of them). */
ir_facts facts_of_node(const ir_module *m, const ir_node *n, const ir_facts *arg);

#endif
