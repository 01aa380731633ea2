/* The order of cell centres along a Hilbert curve, by Skilling's transformation of coordinates (J. Skilling,
 * "Programming the Hilbert curve", AIP Conf. Proc. 707, 2004). */
#include "mesh/permute.h"

#include <math.h>
#include <stdlib.h>

#include "mesh/memory.h"

#define BITS 21 /* per axis: three axes fill 63 bits of the key */

typedef struct keyed_cell {
  uint64_t key;
  cell_id cell;
} keyed_cell;

static int compare_keyed(const void *pa, const void *pb) {
  const keyed_cell *a = pa, *b = pb;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->cell > b->cell) - (a->cell < b->cell);
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
static centre_box box_of(const mesh *m) {
  centre_box box = {{INFINITY, INFINITY, INFINITY}, 0};
  double extent = 0;
  for (int d = 0; d < m->dim; d++) {
    double high = -INFINITY;
    for (cell_id c = 0; c < m->n_cells; c++) {
      double x = m->cell_centre[(size_t)m->dim * (size_t)c + (size_t)d];
      box.low[d] = fmin(box.low[d], x);
      high = fmax(high, x);
    }
    extent = fmax(extent, high - box.low[d]);
  }
  box.scale = extent > 0 ? ((1u << BITS) - 1) / extent : 0;
  return box;
}

ew_status mesh_order_hilbert(const mesh *m, cell_id *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  keyed_cell *keyed = NULL;
  EW_CHECK(MESH_NEW(keyed, m->n_cells));
  centre_box box = box_of(m);
  for (cell_id c = 0; c < m->n_cells; c++) {
    uint32_t x[3] = {0, 0, 0};
    for (int d = 0; d < m->dim; d++)
      x[d] = (uint32_t)((m->cell_centre[(size_t)m->dim * (size_t)c + (size_t)d] - box.low[d]) * box.scale);
    keyed[c] = (keyed_cell){hilbert_key(x, m->dim), c};
  }
  qsort(keyed, (size_t)m->n_cells, sizeof *keyed, compare_keyed);
  for (cell_id c = 0; c < m->n_cells; c++) old_of_new[c] = keyed[c].cell;
cleanup:
  free(keyed);
  return status;
}
