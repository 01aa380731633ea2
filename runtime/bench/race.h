/* Races: our speed as a ratio to a peer, both measured in one process in turn, with the machine's own limits beside them. They
 * are linked into the shell only where the peers of tests/reference are built. */
#ifndef EW_BENCH_RACE_H
#define EW_BENCH_RACE_H

#include <stdio.h>

#include "base/error.h"
#include "case/case.h"

typedef struct race_options {
  const char *device; /* as dev_list_choose reads it; NULL: the default */
  int n;              /* blocks along a side; 0: 500, that is 500 000 triangles */
  int steps;          /* per measurement; 0: 40 */
  int repeats;        /* 0: 5 */
  const char *cells;  /* order of the cells: none, rcm, hilbert, random; NULL: rcm */
  int n_schedule;
  const case_setting *schedule;
  bool no_peer, json;
} race_options;

/* `edgewise bench shallow_water`: a dam breaks over a rough bed with dry land, friction and walls, on 2 n^2 triangles; peer:
 * the hand-written solver of tests/reference with OpenMP on all cores. Results to `out`, the compiler's diagnostics to `log`.
 * EW_FAIL if the two disagree. */
ew_status race_shallow_water(const race_options *options, FILE *out, FILE *log, ew_error *err);

#endif
