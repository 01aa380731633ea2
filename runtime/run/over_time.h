/* What a case gives over time - arguments of rules and givens, as series or as functions of the time - in words that tell one from another:
 * the rows of a series, and of a function what it gives at some moments and places. It is asked of the case and not of the run's buffers, so
 * that device, schedule and interpreter say the same. Internal to the runtime. */
#ifndef EW_RUN_OVER_TIME_H
#define EW_RUN_OVER_TIME_H

#include "run/pairs.h"

struct exec_run;

/* Behind the names of these facts. */
#define OVER_TIME ", over time"

enum { OVER_TIME_MOMENTS = 24 };

/* [OVER_TIME_MOMENTS] from one to the other, both among them. They are not evenly spaced: what repeats itself is seen, too. */
void exec_over_time_moments(double from, double to, double *moment);

/* When the run will end, as far as the case says it and the steps so far tell. */
double exec_over_time_end(const struct exec_run *run);

/* Whether the case gives anything so; series count if they are asked for. */
bool exec_over_time_any(const struct exec_run *run, bool series);

/* Adds a fact for each, its name behind `before`. A function that fails at a moment is one that has no value there. */
ew_status exec_over_time_facts(const struct exec_run *run, const double *moment, int n, const char *before,
                               exec_pairs *out, ew_error *err);

#endif
