/* The legend of a line plot and the looks of its curves. */
#ifndef EW_IO_LEGEND_H
#define EW_IO_LEGEND_H

#include "drawing/axes.h"
#include "drawing/plot.h"

static const double LEGEND_LINE_WIDTH = 2.0; /* pixels */

/* The colour of curve k: told apart also by the colour-blind. */
rgb legend_colour(int k);

/* In the corner where the fewest points of the curves lie; nothing if no curve has a label. */
void legend_draw(image *im, const frame *f, const plot_axes *axes);

#endif
