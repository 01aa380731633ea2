/* Orders of anything that has neighbours or a place. old_of_new lists the old number of each new one. Errors: memory. */
#ifndef EW_MESH_ORDER_H
#define EW_MESH_ORDER_H

#include <stdint.h>

#include "base/error.h"

/* The neighbours of i are next[start[i]] .. next[start[i + 1] - 1]; entries from n upwards are none. */
typedef struct order_graph {
  int32_t n;
  const int32_t *start, *next;
} order_graph;

/* Reverse Cuthill-McKee. */
ew_status order_graph_rcm(const order_graph *graph, int32_t *old_of_new, ew_error *err);

/* Along a Hilbert curve through the points x[n * dim]. */
ew_status order_points_hilbert(int dim, int32_t n, const double *x, int32_t *old_of_new, ew_error *err);

#endif
