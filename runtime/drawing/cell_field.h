/* What a picture derives from a field of cell values: values at nodes, shaded relief, contour lines. */
#ifndef EW_IO_CELL_FIELD_H
#define EW_IO_CELL_FIELD_H

#include "drawing/flat_cell.h"
#include "mesh/mesh.h"

/* The mean over a node's cells that have a finite value and, with `mask`, mask != 0; NaN where there is none.
 * node[n_nodes]. */
ew_status field_at_nodes(const mesh *m, const double *value, const double *mask, double *node, ew_error *err);

/* How brightly each cell of a 2D mesh is lit when `height` is a relief with light from the upper left: 1 on
 * level ground, about 0.5 to 1.3. Slopes are exaggerated so that the typical one shows. light[n_cells]; all 1
 * in 3D. */
ew_status field_relief(const mesh *m, const double *height, double *light, ew_error *err);

/* One piece of a contour line. */
typedef void contour_sink(void *context, const double from[2], const double to[2]);

/* The pieces of the contour at `level` inside one cell, from the values at its nodes and in its middle (a quadrangle that is not
 * convex has that of its inner diagonal). */
void field_contour(const flat_cell *cell, const double *node, double middle, double level, contour_sink *sink,
                   void *context);

#endif
