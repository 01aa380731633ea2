/* Situations for SIMPLE-TS that between them hold every kind of boundary in every position: the same for the solver written by
 * hand and for generated code. */
#ifndef EW_PHYSICS_SIMPLE_TS_SITUATIONS_H
#define EW_PHYSICS_SIMPLE_TS_SITUATIONS_H

#include "simple_ts.h"

enum { SITUATION_CELLS = 90, SITUATION_SOLIDS = 3 };

typedef struct situation {
  const char *name;
  double dt;
  ts_case c; /* its pointers lead into this structure: made whole by situation_make */
  double face[2][SITUATION_CELLS + 1], d[2][SITUATION_CELLS]; /* widths: differences of the faces' places */
  ts_solid solid[SITUATION_SOLIDS];
} situation;

int situation_count(void);
void situation_make(int number, situation *out);

/* Smooth values everywhere, those of the four fields unlike each other. */
void situation_fill(const situation *s, const ts_fields *f);

#endif
