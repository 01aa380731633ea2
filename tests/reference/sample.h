/* A rectangle, a solver on it and arrays for its state: what every test of the reference solver begins with.
 */
#ifndef EW_REFERENCE_SAMPLE_H
#define EW_REFERENCE_SAMPLE_H

#include "exact.h"
#include "rectangle.h"

typedef struct sample {
  rectangle *mesh;
  sw_solver *solver;
  sw_params params;
  int32_t n;                         /* cells */
  double *h, *qx, *qy, *z, *manning; /* [n] */
} sample;

/* The state at a point; `context` is what sample_fill was given. */
typedef exact_state (*sample_field)(double x, double y, const void *context);

/* Default parameters but one thread, walls all round, everything zero; `solver` is NULL until sample_start.
 * NULL without memory. */
sample *sample_create(rectangle_spec spec);
void sample_destroy(sample **s);

void sample_fill(sample *s, sample_field field, const void *context, double manning);
/* Makes the solver from mesh, params and arrays. */
bool sample_start(sample *s);
/* Copies the solver's state into the arrays. */
void sample_fetch(sample *s);

/* The mean over the area of |h - exact|, m; fetches. */
double sample_depth_error(sample *s, sample_field exact, const void *context);
/* max |q| over the cells; fetches. */
double sample_max_discharge(sample *s);
double sample_min_depth(sample *s);

#endif
