/* A rule's argument at a time, and where its values go. Internal to the runtime. */
#ifndef EW_FIELDS_ASKED_H
#define EW_FIELDS_ASKED_H

#include "dslc.h"

typedef struct exec_asked {
  const dslc_argument *argument;
  double t;       /* s */
  double *values; /* by face or row, its components side by side */
} exec_asked;

#endif
