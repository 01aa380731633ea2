/* Arrays over the points of a grid. */
#include <stdlib.h>

#include "grid/grid.h"

enum { ALIGNED = 8 }; /* doubles of a cache line */

static int32_t round_up(int32_t n) { return (n + ALIGNED - 1) / ALIGNED * ALIGNED; }

/* Kernels find a point's coordinates from its entry: halo + i = entry % pitch[1], and so on. Beyond a periodic side the point
 * at the far end is a copy as well. */
grid_layout grid_layout_make(const grid *g, int halo) {
  grid_layout l = {.halo = halo, .pitch = {1, 0, 0}, .high = {1, 1, 1}};
  int64_t pitch = 1;
  for (int d = 0; d < 3; d++) {
    int32_t n = 1;
    l.pitch[d] = pitch;
    if (d < g->dim) {
      l.low[d] = -halo;
      l.high[d] = g->axis[d].n + 1 + halo;
      n = halo + l.high[d];
      l.origin += halo * pitch;
    }
    pitch *= d == 0 ? round_up(n) : n;
  }
  l.size = pitch;
  return l;
}

/* ---- copies behind periodic sides ------------------------------------------------------------------------------------ */

/* Along an axis: the points of the grid, or with the padding if it is periodic. */
static void range(const grid *g, const grid_layout *l, int d, int32_t *low, int32_t *high) {
  bool wide = d < g->dim && g->axis[d].periodic;
  *low = wide ? l->low[d] : 0;
  *high = wide ? l->high[d] : grid_points(g, d);
}

static int32_t wrap(const grid *g, int d, int32_t i) {
  int32_t n = g->axis[d].n;
  return d < g->dim && g->axis[d].periodic ? ((i % n) + n) % n : i;
}

typedef struct copies {
  const grid *g;
  const grid_layout *l;
  int32_t low[3], high[3];
  int32_t *pair;
  int64_t n;
} copies;

static void add_row(copies *c, int32_t j, int32_t k) {
  int32_t from_j = wrap(c->g, 1, j), from_k = wrap(c->g, 2, k), n = c->g->axis[0].n;
  bool whole = from_j != j || from_k != k; /* else only its ends are copies */
  for (int32_t i = c->low[0]; i < c->high[0]; i++) {
    int32_t from_i = wrap(c->g, 0, i);
    if (!whole && from_i == i) {
      if (c->g->axis[0].periodic) i = n - 1; /* the points inside */
      else return;
      continue;
    }
    if (c->pair) {
      c->pair[2 * c->n] = (int32_t)grid_entry(c->l, i, j, k);
      c->pair[2 * c->n + 1] = (int32_t)grid_entry(c->l, from_i, from_j, from_k);
    }
    c->n++;
  }
}

static void add_all(copies *c) {
  c->n = 0;
  for (int32_t k = c->low[2]; k < c->high[2]; k++)
    for (int32_t j = c->low[1]; j < c->high[1]; j++) add_row(c, j, k);
}

ew_status grid_copies(const grid *g, const grid_layout *l, int32_t **pair, int32_t *count, ew_error *err) {
  copies c = {.g = g, .l = l};
  *pair = NULL;
  *count = 0;
  for (int d = 0; d < 3; d++) range(g, l, d, &c.low[d], &c.high[d]);
  add_all(&c);
  if (c.n == 0) return EW_OK;
  c.pair = malloc(2 * (size_t)c.n * sizeof *c.pair);
  if (!c.pair)
    return ew_fail(err, EW_FAIL, "out of memory for %lld points beyond periodic sides", (long long)c.n);
  add_all(&c);
  *pair = c.pair;
  *count = (int32_t)c.n;
  return EW_OK;
}
