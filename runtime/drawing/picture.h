/* Pictures of fields as PNG files: filled cells in a colour map with a colour bar, equal axes,
 * ticks; one panel or several in a grid. A 2D mesh is shown as a whole, a 3D mesh by the cells that a plane z
 * = const cuts. */
#ifndef EW_IO_PICTURE_H
#define EW_IO_PICTURE_H

#include <stdbool.h>

#include "base/error.h"
#include "drawing/colour_map.h"
#include "mesh/mesh.h"

typedef struct picture_panel {
  const mesh *m;
  const double *value; /* [n_cells]; what is not finite is magenta and does not count for the range */
  const double *
      node_value; /* [n_nodes] or NULL: colours and contours follow it linearly within cells, which are simplices;
                                * `value` then holds the cells' means */
  const char *title;           /* above the panel, "water depth h [m]"; or NULL */
  const char *x_name, *y_name; /* NULL: "x [m]", "y [m]" */
  colour_map map;
  double low, high; /* range of the colours; low >= high: the range of the values */
  int contours;     /* about so many contour lines at round values; 0: none */
  bool show_cells;  /* outlines of the cells */
  double z;         /* m, height of the slice through a 3D mesh */

  /* Cells with mask = 0 (dry land) are drawn by `terrain` in shaded relief, without it in grey. Both
   * [n_cells] or NULL. */
  const double *mask, *terrain;
} picture_panel;

typedef struct picture_options {
  const char *heading; /* above all panels, or NULL */
  int columns;         /* of the grid of panels; 0: as wide as high */
  int size;            /* pixels of a panel's longer side; 0: 600 */
  int samples;         /* a pixel's side for anti-aliasing, 1 to 4; 0: 2 */
} picture_options;

/* Writes the PNG file atomically. EW_INPUT: a slice that misses the mesh, no cells, a size out of range. */
ew_status picture_write(const char *path, const picture_panel *panel, int n_panels,
                        const picture_options *options, ew_error *err);

#endif
