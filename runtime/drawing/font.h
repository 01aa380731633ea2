/* Text in pictures: DejaVu Sans, anti-aliased, with the letters that names and units need: Latin, Greek, digits raised and lowered. */
#ifndef EW_IO_FONT_H
#define EW_IO_FONT_H

#include "drawing/image.h"

enum {
  FONT_HEIGHT = 14, /* pixels of a capital */
  FONT_LINE = 22    /* between lines */
};

/* Pixels of the text, which is UTF-8; characters that the font lacks are drawn as a question mark in a diamond. */
int font_width(const char *text);

/* (x, y): top left corner of the first character. */
void font_draw(image *im, int x, int y, const char *text, rgb colour);

/* Turned to read upwards; (x, y): bottom left corner of the turned text's box. */
void font_draw_upwards(image *im, int x, int y, const char *text, rgb colour);

/* Between `low` and `high`, centred at x as near as this allows: a text that is too wide is drawn smaller, down to 0.6 times, and what does not
 * fit then ends in "...". */
void font_draw_within(image *im, int x, int y, const int bounds[2], const char *text, rgb colour);

#endif
