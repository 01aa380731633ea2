/* What the files of a grid share. Internal to runtime/grid. */
#ifndef EW_GRID_INTERNAL_H
#define EW_GRID_INTERNAL_H

#include "grid/grid.h"

enum { GRID_SIDES = 6, GRID_MOST_BOUNDARIES = 1000 };

/* Cells [first, end) along an axis. */
typedef struct grid_span {
  int32_t first, end;
} grid_span;

/* axis.c */
ew_status grid_axis_create(const grid_axis_options *o, int axis, grid_axis *a, ew_error *err);
/* The cells whose middles lie in [low, high]. */
grid_span grid_covered(const grid_axis *a, double low, double high);

/* grid.c */
/* The boundary of that name, made if it is new; -1 with the error set. */
int grid_add_boundary(grid *g, const char *name, ew_error *err);
ew_status grid_note(grid *g, ew_error *err, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* "(0.5, 1)" into text; returns text. */
const char *grid_point_text(int dim, const double *x, char text[96]);

/* solids.c */
ew_status grid_make_solids(grid *g, const grid_options *o, ew_error *err);

/* patches.c */
/* The boundary of every face of every side: side[s][face], with the lower of the two other axes running fastest; [0] to [5],
 * NULL for sides that do not exist. The caller frees each. */
ew_status grid_make_sides(grid *g, const grid_options *o, int16_t *side[GRID_SIDES], ew_error *err);

/* walls.c */
ew_status grid_make_walls(grid *g, int16_t *const side[GRID_SIDES], ew_error *err);

#endif
