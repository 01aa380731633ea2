#include "drawing/legend.h"

#include <math.h>

#include "drawing/font.h"

enum { PADDING = 8, SAMPLE = 30, CORNERS = 4, INSET = 10 };

rgb legend_colour(int k) {
  /* Okabe and Ito, "Color universal design", 2008; without the yellow, which is too pale for lines. */
  static const rgb COLOUR[] = {{0, 114, 178},  {213, 94, 0},  {0, 158, 115}, {204, 121, 167},
                               {86, 180, 233}, {230, 159, 0}, {20, 20, 20}};
  return COLOUR[k % (int)(sizeof COLOUR / sizeof COLOUR[0])];
}

typedef struct box {
  int x, y, width, height;
} box;

static box measure(const plot_axes *axes) {
  box b = {0, 0, 0, 0};
  for (int k = 0; k < axes->n_curves; k++) {
    if (!axes->curve[k].label) continue;
    int width = font_width(axes->curve[k].label);
    if (width > b.width) b.width = width;
    b.height += FONT_LINE;
  }
  if (b.height) b.width += SAMPLE + 3 * PADDING, b.height += PADDING;
  return b;
}

static bool near_box(const box *b, double x, double y) {
  return x >= b->x - INSET && x <= b->x + b->width + INSET && y >= b->y - INSET &&
         y <= b->y + b->height + INSET;
}

/* Points of all curves in the box, and points between them, as lines cover the box too. */
static double covered(const box *b, const frame *f, const plot_axes *axes) {
  double hits = 0;
  for (int k = 0; k < axes->n_curves; k++) {
    const plot_curve *c = &axes->curve[k];
    for (size_t i = 0; i < c->n; i++) {
      double x = frame_x(f, c->x[i]), y = frame_y(f, c->y[i]);
      hits += near_box(b, x, y);
      for (int s = 1; s < 8 && i + 1 < c->n; s++)
        hits += near_box(b, x + s / 8.0 * (frame_x(f, c->x[i + 1]) - x),
                         y + s / 8.0 * (frame_y(f, c->y[i + 1]) - y)) /
                8.0;
    }
  }
  return hits;
}

static box corner(box b, const frame *f, int which) {
  b.x = which % 2 == 0 ? f->x + f->width - b.width - INSET : f->x + INSET;
  b.y = which < 2 ? f->y + INSET : f->y + f->height - b.height - INSET;
  return b;
}

static box place(box b, const frame *f, const plot_axes *axes) {
  box best = b;
  double least = INFINITY;
  for (int k = 0; k < CORNERS; k++) {
    box here = corner(b, f, k);
    double hits = covered(&here, f, axes);
    if (hits >= least) continue;
    least = hits;
    best = here;
  }
  return best;
}

void legend_draw(image *im, const frame *f, const plot_axes *axes) {
  box b = measure(axes);
  if (b.height == 0) return;
  b = place(b, f, axes);
  image_rectangle(im, b.x - 1, b.y - 1, b.width + 2, b.height + 2, (rgb){200, 203, 208});
  image_rectangle(im, b.x, b.y, b.width, b.height, (rgb){255, 255, 255});
  int y = b.y + PADDING;
  for (int k = 0; k < axes->n_curves; k++) {
    if (!axes->curve[k].label) continue;
    const double from[2] = {b.x + PADDING, y + FONT_HEIGHT / 2}, to[2] = {from[0] + SAMPLE, from[1]};
    image_line(im, from, to, LEGEND_LINE_WIDTH, legend_colour(k));
    font_draw(im, b.x + 2 * PADDING + SAMPLE, y, axes->curve[k].label, INK);
    y += FONT_LINE;
  }
}
