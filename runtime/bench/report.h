/* What benches tell as JSON: one object on one line, the same words for the same things in all of them. cJSON's calls accept the
 * NULL of a failed one before, so that want of memory shows as missing entries, or as an empty line. Internal to runtime/bench. */
#ifndef EW_BENCH_REPORT_H
#define EW_BENCH_REPORT_H

#include <cJSON.h>
#include <stdio.h>

#include "bench/compare.h"

void report_rates(cJSON *to, const dev_rates *rates);        /* "rates": {...} */
void report_kernels(cJSON *to, const exec_profile *profile); /* "kernels": [...] */

/* "tries": [...]. A try that failed has "failed", why; the others their figures: seconds a step; ns a unit of work; "ratio" to
 * the ns of the reference of its variants, where there is one, whose "try" is "against"; bytes_per_cell; launches and transfers a step; of linear systems seconds and iterations
 * of one solve, and the iterations of the first one; kernels where they were profiled. */
void report_entries(cJSON *to, const compare_entry *entry, int n);

/* Prints, frees and nulls it. */
void report_print(cJSON **report, FILE *out);

#endif
