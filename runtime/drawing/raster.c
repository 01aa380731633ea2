#include "drawing/raster.h"

#include <math.h>
#include <stdlib.h>

/* First sample whose centre (i + 0.5) is at or right of x, within [0, n]. */
static int first_sample(double x, int n) {
  double i = ceil(x - 0.5);
  return i < 0 ? 0 : i > n ? n : (int)i;
}

/* Where the polygon's sides cross the height y, sorted; sides are half open, so a corner counts once. A side is always
 * followed downwards in the picture: both cells at it get the same bits, so that no sample between them is left out. */
static int crossings(const flat_cell *p, double y, double *x) {
  int n = 0;
  for (int i = 0; i < p->n; i++) {
    const double *a = p->x[i], *b = p->x[(i + 1) % p->n];
    if ((a[1] <= y) == (b[1] <= y)) continue;
    if (a[1] > b[1]) {
      const double *lower = a;
      a = b, b = lower;
    }
    double at = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
    int k = n++;
    for (; k > 0 && x[k - 1] > at; k--) x[k] = x[k - 1];
    x[k] = at;
  }
  return n;
}

static void fill(pixel_map *r, const flat_cell *p, cell_id cell) {
  double x[FLAT_MOST_POINTS], top = INFINITY, bottom = -INFINITY;
  for (int i = 0; i < p->n; i++) {
    top = fmin(top, p->x[i][1]);
    bottom = fmax(bottom, p->x[i][1]);
  }
  for (int j = first_sample(top, r->samples[1]), end = first_sample(bottom, r->samples[1]); j < end; j++) {
    int n = crossings(p, j + 0.5, x);
    for (int k = 0; k + 1 < n; k += 2)
      for (int i = first_sample(x[k], r->samples[0]), i1 = first_sample(x[k + 1], r->samples[0]); i < i1; i++)
        r->cell[(size_t)j * (size_t)r->samples[0] + (size_t)i] = cell;
  }
}

static void to_samples(const pixel_map *r, flat_cell *p) {
  for (int i = 0; i < p->n; i++) {
    p->x[i][0] = (p->x[i][0] - r->low[0]) / (r->high[0] - r->low[0]) * r->samples[0];
    p->x[i][1] = (r->high[1] - p->x[i][1]) / (r->high[1] - r->low[1]) * r->samples[1];
  }
}

ew_status pixel_map_create(pixel_map *r, const mesh *m, double z, ew_error *err) {
  size_t n = (size_t)r->samples[0] * (size_t)r->samples[1];
  r->cell = malloc(n * sizeof *r->cell);
  if (!r->cell)
    return ew_fail(err, EW_FAIL, "out of memory for a picture of %d x %d samples", r->samples[0],
                   r->samples[1]);
  for (size_t i = 0; i < n; i++) r->cell[i] = -1;
  for (cell_id c = 0; c < m->n_cells; c++) {
    flat_cell p;
    if (!flat_cell_make(&p, m, c, z)) continue;
    to_samples(r, &p);
    fill(r, &p, c);
  }
  return EW_OK;
}

void pixel_map_destroy(pixel_map *r) {
  free(r->cell);
  r->cell = NULL;
}
