/* Meshes for the reference solver's own tests: a rectangle of nx * ny quadrilaterals, each cut into the
 * triangles (a,b,c) and (a,c,d) of its corners, counter-clockwise from the lower left; inner nodes may be
 * moved at random. */
#ifndef EW_REFERENCE_RECTANGLE_H
#define EW_REFERENCE_RECTANGLE_H

#include "shallow_water.h"

/* The boundary faces lie side by side: all of LEFT, then RIGHT, BOTTOM, TOP. */
typedef enum rectangle_side {
  RECTANGLE_LEFT,
  RECTANGLE_RIGHT,
  RECTANGLE_BOTTOM,
  RECTANGLE_TOP
} rectangle_side;

typedef struct rectangle {
  sw_mesh mesh;
  int nx, ny;
  int32_t *left, *right;
  double *normal, *length, *area, *centre;
  sw_boundary *boundary; /* all walls at first */
} rectangle;

typedef struct rectangle_spec {
  double x0, y0, x1, y1;
  int nx, ny;
  double jitter;  /* inner nodes move by at most this fraction of the spacing, < 0.4 */
  bool alternate; /* the diagonal changes direction from square to square */
} rectangle_spec;

/* Returns NULL when memory runs out. */
rectangle *rectangle_create(rectangle_spec spec);
void rectangle_destroy(rectangle **r);
void rectangle_set_side(rectangle *r, rectangle_side side, sw_boundary b);

#endif
