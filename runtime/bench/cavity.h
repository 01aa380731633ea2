/* `edgewise bench cavity`: a step of the lid-driven cube of paper 000, Re = 100, split as in its table 5. */
#ifndef EW_BENCH_CAVITY_H
#define EW_BENCH_CAVITY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef struct cavity_options {
  const char *device; /* of the tries that name none; NULL: the default */
  int n;              /* blocks along a side; 0: 14, 28 and 56 in turn, meshes like the paper's */
  int steps, repeats; /* 0: 10, 3 */
  int n_tries;
  const char *const *tries; /* as compare_entries reads them; none: jacobi and multigrid */
  bool peer;                /* beside it the generated C with OpenMP on all cores */
  bool json;
} cavity_options;

ew_status bench_cavity(const cavity_options *options, FILE *out, FILE *log, ew_error *err);

#endif
