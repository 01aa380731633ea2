/* The sink as its renderers see it. */
#ifndef DSLC_BASE_DIAG_INTERNAL_H
#define DSLC_BASE_DIAG_INTERNAL_H

#include "base/diag.h"

enum { DIAG_KEPT_ERRORS = 200 };

struct diag_sink {
  arena *memory;
  const source_set *sources;
  diag *first, *last;
  int kept, errors, warnings;
  int dropped_errors;
  diag dummy; /* what diag_report returns once it keeps no more */
};

/* The kept diagnostics sorted by file and position; equal positions in order of arrival. */
const diag **diag_sorted(const diag_sink *s);

const char *diag_severity_word(diag_severity severity);

#endif
