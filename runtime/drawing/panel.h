/* One panel of a picture: its layout and its drawing. */
#ifndef EW_IO_PANEL_H
#define EW_IO_PANEL_H

#include "drawing/axes.h"
#include "drawing/picture.h"

typedef struct panel_layout {
  const picture_panel *panel;
  double z, low, high; /* the slice's height; the range of the colours */
  frame f;             /* relative to the panel's corner until panel_move */
  axis_ticks bar_ticks;
  int width, height; /* of the panel with all its text */
  char x_name[112];  /* the x axis' name with a note where the axes are not equal */
} panel_layout;

/* Measures the panel; `size`: pixels of the longer side. */
ew_status panel_measure(panel_layout *layout, const picture_panel *panel, int size, ew_error *err);

/* Puts the panel's upper left corner there. */
void panel_move(panel_layout *layout, int x, int y);

ew_status panel_draw(image *im, const panel_layout *layout, int samples, ew_error *err);

#endif
