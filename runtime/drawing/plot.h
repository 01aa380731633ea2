/* Line plots as PNG files: profiles against exact solutions, histories, convergence. */
#ifndef EW_IO_PLOT_H
#define EW_IO_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct plot_curve {
  const char *label; /* in the legend; NULL: not listed */
  const double *x,
      *y; /* [n]; points that are not finite (or not positive on a logarithmic axis) leave a gap */
  size_t n;
} plot_curve;

/* Ranges with low >= high are taken from the data. */
typedef struct plot_axes {
  const char *title, *x_name, *y_name; /* each may be NULL */
  double x_low, x_high, y_low, y_high;
  bool log_x, log_y;
  const plot_curve *curve;
  int n_curves;
} plot_axes;

typedef struct plot_options {
  int width, height; /* pixels of the plot's inner rectangle; 0: 640 x 400 */
} plot_options;

/* Writes the PNG file atomically. EW_INPUT: nothing to draw, a logarithmic axis without positive values. */
ew_status plot_lines(const char *path, const plot_axes *axes, const plot_options *options, ew_error *err);

#endif
