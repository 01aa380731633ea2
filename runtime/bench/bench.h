/* How fast a case runs, beside what its device can do: the loop without output, several times, and the kernels one by
 * one. Rates of the device (triad, multiply-adds, launch) are measured in the same process.
 *
 * Ownership  bench_case fills a result that the caller clears with bench_clear; it keeps nothing of the case.
 * Errors     those of exec_run_case; EW_USAGE for options out of range. */
#ifndef EW_BENCH_BENCH_H
#define EW_BENCH_BENCH_H

#include <stdio.h>

#include "run/run.h"

enum { BENCH_MOST_REPEATS = 100 }; /* of any bench */

/* Whether `spec` names a GPU, which needs larger sizes than a CPU to be busy; an unknown one does not. */
bool bench_on_gpu(const char *spec);

typedef struct bench_options {
  int64_t steps;  /* of one repeat; 0: as many as take about half a second */
  int repeats;    /* at most BENCH_MOST_REPEATS; 0: 5 */
  FILE *messages; /* diagnostics of the compiler, or NULL */
} bench_options;

typedef struct bench_result {
  char name[256], scheme[256], profile[256], device[256];
  cell_id n_cells;
  int64_t steps;
  int repeats;
  double step_seconds; /* median over the repeats, wall time of a step */
  double best, worst;  /* of the same */
  double cell_steps;   /* cell-steps a second, from the median */
  double bytes;        /* compulsory traffic of a step over cells */
  double triad_share;  /* that traffic at the median, over the triad; 0 if the compiler counts none */
  double compile_seconds, create_seconds;
  dev_rates rates;
  exec_profile kernels; /* of one more repeat */
} bench_result;

ew_status bench_case(const ew_case *c, const bench_options *options, bench_result *result, ew_error *err);
void bench_clear(bench_result *result);

/* A table for people, and the same as JSON: {"name": ..., "kernels": [...]}. */
void bench_print(const bench_result *result, FILE *out);
void bench_print_json(const bench_result *result, FILE *out);

#endif
