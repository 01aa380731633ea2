/* Defects that were mended once, put back one at a time: in builds with -DEW_DEFECTS=ON the environment variable EW_DEFECT names one.
 * tests/random/defects.sh measures how soon random schemes find it. In other builds this is nothing. */
#ifndef DSLC_BASE_DEFECTS_H
#define DSLC_BASE_DEFECTS_H

#include <stdbool.h>

#ifdef EW_DEFECTS
#include <stdlib.h>
#include <string.h>
static inline bool defect_is_back(const char *defect) {
  const char *wanted = getenv("EW_DEFECT");
  return wanted && strcmp(wanted, defect) == 0;
}
#else
#define defect_is_back(defect) false
#endif

#endif
