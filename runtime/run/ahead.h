/* How long a step may be for what a case gives over time. A scheme sees a value as it is at the start of a step or stage; where nothing flows
 * yet, its bound of dt says nothing of what begins later: one step passes all of it. Steps end at the knots of series (fields/knots.c); of
 * functions there are none, so they are asked ahead, where the scheme's own steps are not short against what they do. Internal to the runtime. */
#ifndef EW_RUN_AHEAD_H
#define EW_RUN_AHEAD_H

#include <stdbool.h>

#include "base/error.h"

struct exec_run;
struct exec_ahead;

/* Takes *most, what the case lets the next step be, down to what passes a fiftieth of the range of any value over time, or little more. The
 * answer follows from the case, the time, and the last step's own bound: a run that is resumed has the same. With whole steps series are
 * asked, too, as no knot is met. */
ew_status exec_ahead_most(struct exec_run *run, double *most, ew_error *err);

/* Gives the case such values, whether anything reads them or not? That the interpreter does not know, and a run is the same on all devices. */
bool exec_ahead_asks(const struct exec_run *run);

void exec_ahead_destroy(struct exec_ahead **a);

#endif
