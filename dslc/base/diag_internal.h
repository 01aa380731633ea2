/* The sink as its renderers see it. */
#ifndef DSLC_BASE_DIAG_INTERNAL_H
#define DSLC_BASE_DIAG_INTERNAL_H

#include "base/diag.h"

enum { DIAG_KEPT_ERRORS = 200 };

struct diag_sink {
  arena *memory;
  const source_set *sources;
  diag *first; /* by file and position, those at one place in order of arrival */
  int kept, errors, warnings;
  int dropped_errors;
  diag dummy; /* what diag_report returns once it keeps no more */
};

const char *diag_severity_word(diag_severity severity);

#endif
