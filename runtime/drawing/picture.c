#include "drawing/picture.h"

#include <math.h>
#include <stdlib.h>

#include "drawing/font.h"
#include "drawing/panel.h"

enum {
  MARGIN = 20,
  PANEL_GAP = 36,
  HEADING_HEIGHT = 34,
  DEFAULT_SIZE = 600,
  DEFAULT_SAMPLES = 2,
  MOST_SAMPLES = 4
};

typedef struct sheet {
  panel_layout *layout;
  int n, columns, rows;
  int top; /* below the heading */
  int width, height;
} sheet;

/* The widest panel of column k, or the highest of row k. */
static int widest(const sheet *s, int column) {
  int width = 0;
  for (int i = column; i < s->n; i += s->columns)
    if (s->layout[i].width > width) width = s->layout[i].width;
  return width;
}

static int highest(const sheet *s, int row) {
  int height = 0;
  for (int i = row * s->columns; i < s->n && i < (row + 1) * s->columns; i++)
    if (s->layout[i].height > height) height = s->layout[i].height;
  return height;
}

static void arrange(sheet *s) {
  int y = s->top;
  for (int row = 0; row < s->rows; row++) {
    int x = MARGIN;
    for (int column = 0; column < s->columns; column++) {
      int i = row * s->columns + column;
      if (i < s->n) panel_move(&s->layout[i], x, y);
      x += widest(s, column) + PANEL_GAP;
    }
    s->width = x - PANEL_GAP + MARGIN;
    y += highest(s, row) + PANEL_GAP / 2;
  }
  s->height = y - PANEL_GAP / 2 + MARGIN / 2;
}

static ew_status measure(sheet *s, const picture_panel *panel, const picture_options *options,
                         ew_error *err) {
  int size = options->size > 0 ? options->size : DEFAULT_SIZE;
  for (int i = 0; i < s->n; i++) {
    ew_status status = panel_measure(&s->layout[i], &panel[i], size, err);
    if (status != EW_OK) return status;
  }
  s->columns = options->columns > 0 ? options->columns : (int)ceil(sqrt(s->n));
  if (s->columns > s->n) s->columns = s->n;
  s->rows = (s->n + s->columns - 1) / s->columns;
  s->top = MARGIN / 2 + (options->heading ? HEADING_HEIGHT : 0);
  arrange(s);
  int heading = options->heading ? font_width(options->heading) + 2 * MARGIN : 0;
  if (s->width < heading) s->width = heading;
  return EW_OK;
}

static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static ew_status draw(image *im, const sheet *s, const picture_options *options, ew_error *err) {
  int samples = options->samples ? clamp(options->samples, 1, MOST_SAMPLES) : DEFAULT_SAMPLES;
  if (options->heading) text_centred(im, s->width / 2, MARGIN / 2 + 4, options->heading, INK);
  for (int i = 0; i < s->n; i++) {
    ew_status status = panel_draw(im, &s->layout[i], samples, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

ew_status picture_write(const char *path, const picture_panel *panel, int n_panels,
                        const picture_options *options, ew_error *err) {
  ew_status status;
  image *im = NULL;
  if (n_panels < 1) return ew_fail(err, EW_INPUT, "cannot draw '%s': a picture needs a panel", path);
  sheet s = {.n = n_panels, .layout = calloc((size_t)n_panels, sizeof *s.layout)};
  if (!s.layout) return ew_fail(err, EW_FAIL, "out of memory while drawing '%s'", path);
  EW_CHECK(measure(&s, panel, options, err));
  EW_CHECK(image_create(&im, s.width, s.height, err));
  EW_CHECK(draw(im, &s, options, err));
  status = image_write_png(im, path, err);
cleanup:
  if (status == EW_INPUT) ew_context(err, "cannot draw '%s'", path);
  image_destroy(&im);
  free(s.layout);
  return status;
}
