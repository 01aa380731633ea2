/* The order of points along a Hilbert curve, by Skilling's transformation of coordinates (J. Skilling,
 * "Programming the Hilbert curve", AIP Conf. Proc. 707, 2004). */
#include "mesh/order.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define BITS 21 /* per axis: three axes fill 63 bits of the key */

typedef struct keyed_point {
  uint64_t key;
  int32_t point;
} keyed_point;

static int compare_keyed(const void *pa, const void *pb) {
  const keyed_point *a = pa, *b = pb;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->point > b->point) - (a->point < b->point);
}

/* Undoes the rotations of the curve's levels, highest bit first, then Gray-encodes. */
static void to_transpose(uint32_t *x, int dim) {
  for (uint32_t bit = 1u << (BITS - 1); bit > 1; bit >>= 1)
    for (int i = 0; i < dim; i++) {
      if (x[i] & bit) {
        x[0] ^= bit - 1;
        continue;
      }
      uint32_t differing = (x[0] ^ x[i]) & (bit - 1);
      x[0] ^= differing;
      x[i] ^= differing;
    }
  for (int i = 1; i < dim; i++) x[i] ^= x[i - 1];
  uint32_t flip = 0;
  for (uint32_t bit = 1u << (BITS - 1); bit > 1; bit >>= 1)
    if (x[dim - 1] & bit) flip ^= bit - 1;
  for (int i = 0; i < dim; i++) x[i] ^= flip;
}

static uint64_t hilbert_key(uint32_t *x, int dim) {
  to_transpose(x, dim);
  uint64_t key = 0;
  for (int bit = BITS - 1; bit >= 0; bit--)
    for (int i = 0; i < dim; i++) key = key << 1 | (x[i] >> bit & 1);
  return key;
}

typedef struct centre_box {
  double low[3], scale;
} centre_box;

/* One scale for all axes: the curve's cells stay square. */
static centre_box box_of(int dim, int32_t n, const double *x) {
  centre_box box = {{INFINITY, INFINITY, INFINITY}, 0};
  double extent = 0;
  for (int d = 0; d < dim; d++) {
    double high = -INFINITY;
    for (int32_t i = 0; i < n; i++) {
      double at = x[(size_t)dim * (size_t)i + (size_t)d];
      box.low[d] = fmin(box.low[d], at);
      high = fmax(high, at);
    }
    extent = fmax(extent, high - box.low[d]);
  }
  box.scale = extent > 0 ? ((1u << BITS) - 1) / extent : 0;
  return box;
}

ew_status order_points_hilbert(int dim, int32_t n, const double *x, int32_t *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  keyed_point *keyed = NULL;
  EW_CHECK(EW_NEW(keyed, n));
  centre_box box = box_of(dim, n, x);
  for (int32_t i = 0; i < n; i++) {
    uint32_t at[3] = {0, 0, 0};
    for (int d = 0; d < dim; d++)
      at[d] = (uint32_t)((x[(size_t)dim * (size_t)i + (size_t)d] - box.low[d]) * box.scale);
    keyed[i] = (keyed_point){hilbert_key(at, dim), i};
  }
  qsort(keyed, (size_t)n, sizeof *keyed, compare_keyed);
  for (int32_t i = 0; i < n; i++) old_of_new[i] = keyed[i].point;
cleanup:
  free(keyed);
  return status;
}
