/* Text in pictures: a 5 x 7 bitmap font of printable ASCII, doubled with its diagonals smoothed. */
#ifndef EW_IO_FONT_H
#define EW_IO_FONT_H

#include "drawing/image.h"

enum {
  FONT_ADVANCE = 12, /* pixels from one character to the next */
  FONT_HEIGHT = 14,  /* of a capital */
  FONT_LINE = 22     /* between lines */
};

/* Pixels of the text; other bytes than printable ASCII are drawn as '?' (UTF-8 continuation bytes not at
 * all). */
int font_width(const char *text);

/* (x, y): top left corner of the first character. */
void font_draw(image *im, int x, int y, const char *text, rgb colour);

/* Turned to read upwards; (x, y): bottom left corner of the turned text's box. */
void font_draw_upwards(image *im, int x, int y, const char *text, rgb colour);

#endif
