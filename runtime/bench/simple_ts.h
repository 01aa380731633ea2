/* `edgewise bench simple_ts`: the gas of paper 001 around squares in a microchannel, on any device and in any schedule. */
#ifndef EW_BENCH_SIMPLE_TS_H
#define EW_BENCH_SIMPLE_TS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef struct simple_ts_options {
  const char *device; /* of the tries that name none; NULL: the default */
  int nx, ny;         /* cells; 0: 504 x 100 */
  int squares;        /* one above the other; 0: 1 */
  int repeats;        /* 0: 3 */
  int passes;         /* of a step; 0: 100 */
  int n_tries;
  const char *const *tries; /* as compare_entries reads them; none: a list by rule */
  bool serial; /* beside them one core with the serial C of the same variants, on 504 x 100 cells */
  bool
      sweep; /* each try, or each of the paper's four schemes, windowed with so many rows and columns a subdomain */
  bool json;
} simple_ts_options;

/* Times are of one inner iteration, per cell: the tolerance is out of reach, so that a step makes all its passes. EW_USAGE for tries that cannot be read. */
ew_status bench_simple_ts(const simple_ts_options *options, FILE *out, FILE *log, ew_error *err);

#endif
