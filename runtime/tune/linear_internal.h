/* Inside runtime/tune only. */
#ifndef EW_TUNE_LINEAR_INTERNAL_H
#define EW_TUNE_LINEAR_INTERNAL_H

#include "tune/linear.h"

enum { most_candidates = 64 };

/* Candidates are `base` with other tunings; the first is `base` itself. Forms and sizes of groups first; then, for the best of them, how
 * many groups, how many kernels and which recurrence. Both return how many there are; what `device` cannot run by its limits is left out. */
int tune_linear_forms(const dev_info *device, const csr_options *base, int32_t rows,
                      csr_options out[most_candidates]);
int tune_linear_details(const csr_options *base, const csr_options *best, csr_options out[most_candidates]);

#endif
