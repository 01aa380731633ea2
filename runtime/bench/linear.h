/* `edgewise bench linear`: products and solves with the P1 Laplacian on jittered Kuhn tetrahedra (performance.md, A), beside the
 * device's triad and beside ViennaCL and PETSc where their programs were built (tests/peers). */
#ifndef EW_BENCH_LINEAR_H
#define EW_BENCH_LINEAR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef struct linear_bench_options {
  const char *device; /* as dev_list_choose reads it; NULL: the default */
  int n;              /* nodes along a side; 0: 57 and 100 */
  int repeats;        /* 0: 3 */
  const char *peers;  /* the folder of the peers' programs; NULL: without them */
  bool json;
} linear_bench_options;

ew_status bench_linear(const linear_bench_options *options, FILE *out, FILE *log, ew_error *err);

#endif
