#include "drawing/flat_cell.h"

#include <math.h>
#include <stddef.h>

/* Local nodes of a 3D cell's edges (Gmsh's order of nodes). */
typedef struct edge_table {
  int n;
  unsigned char edge[12][2];
} edge_table;

static const edge_table EDGES[] = {
    [MESH_TETRA] = {6, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}},
    [MESH_HEX] =
        {12,
         {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}},
    [MESH_PRISM] = {9, {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}}},
    [MESH_PYRAMID] = {8, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}}},
};

static void add_point(flat_cell *out, const mesh *m, node_id a, node_id b, double part) {
  const double *xa = m->node_x + (size_t)m->dim * (size_t)a, *xb = m->node_x + (size_t)m->dim * (size_t)b;
  for (int d = 0; d < 2; d++) out->x[out->n][d] = (1 - part) * xa[d] + part * xb[d];
  out->a[out->n] = a;
  out->b[out->n] = b;
  out->part[out->n++] = part;
}

static void flatten_plane_cell(flat_cell *out, const mesh *m, cell_id cell) {
  for (int32_t k = m->cell_start[cell]; k < m->cell_start[cell + 1] && out->n < FLAT_MOST_POINTS; k++)
    add_point(out, m, m->cell_node[k], m->cell_node[k], 0);
}

/* Nodes on the plane count as above it: then an edge is cut or not, and neighbours agree. The edge is taken
 * from its smaller to its larger node, so that both sides of a face compute the same bits. */
static void cut_cell(flat_cell *out, const mesh *m, cell_id cell, double z) {
  const edge_table *table = &EDGES[m->cell_type[cell]];
  const node_id *node = m->cell_node + m->cell_start[cell];
  for (int e = 0; e < table->n; e++) {
    node_id a = node[table->edge[e][0]], b = node[table->edge[e][1]];
    node_id low = a < b ? a : b, high = a < b ? b : a;
    double za = m->node_x[3 * (size_t)low + 2], zb = m->node_x[3 * (size_t)high + 2];
    if ((za < z) != (zb < z)) add_point(out, m, low, high, (z - za) / (zb - za));
  }
}

static void swap_points(flat_cell *c, int i, int j) {
  flat_cell old = *c;
  c->x[i][0] = old.x[j][0], c->x[i][1] = old.x[j][1];
  c->x[j][0] = old.x[i][0], c->x[j][1] = old.x[i][1];
  c->a[i] = old.a[j], c->a[j] = old.a[i];
  c->b[i] = old.b[j], c->b[j] = old.b[i];
  c->part[i] = old.part[j], c->part[j] = old.part[i];
}

/* The cut of a convex cell is convex: its corners in the order of their angle around the middle. */
static void sort_around_middle(flat_cell *c) {
  double middle[2] = {0, 0}, angle[FLAT_MOST_POINTS];
  for (int i = 0; i < c->n; i++)
    for (int d = 0; d < 2; d++) middle[d] += c->x[i][d] / c->n;
  for (int i = 0; i < c->n; i++) angle[i] = atan2(c->x[i][1] - middle[1], c->x[i][0] - middle[0]);
  for (int i = 1; i < c->n; i++)
    for (int j = i; j > 0 && angle[j] < angle[j - 1]; j--) {
      double old = angle[j];
      angle[j] = angle[j - 1];
      angle[j - 1] = old;
      swap_points(c, j, j - 1);
    }
}

bool flat_cell_make(flat_cell *out, const mesh *m, cell_id cell, double z) {
  out->n = 0;
  if (m->dim == 2) flatten_plane_cell(out, m, cell);
  else {
    cut_cell(out, m, cell, z);
    if (out->n >= 3) sort_around_middle(out);
  }
  return out->n >= 3;
}

void flat_bounds(const mesh *m, double low[3], double high[3]) {
  for (int d = 0; d < 3; d++) low[d] = high[d] = d < m->dim && m->n_nodes > 0 ? m->node_x[d] : 0;
  for (node_id i = 0; i < m->n_nodes; i++)
    for (int d = 0; d < m->dim; d++) {
      double x = m->node_x[(size_t)m->dim * (size_t)i + (size_t)d];
      low[d] = fmin(low[d], x);
      high[d] = fmax(high[d], x);
    }
}

ew_status flat_check_height(const mesh *m, double *z, ew_error *err) {
  double low[3], high[3];
  if (m->dim == 2) return EW_OK;
  flat_bounds(m, low, high);
  if (!(*z >= low[2] && *z <= high[2]))
    return ew_fail(err, EW_INPUT, "a slice at z = %g m misses the mesh, which reaches from z = %g to %g m",
                   *z, low[2], high[2]);
  *z = fmax(*z, low[2] + 1e-9 * (high[2] - low[2]));
  return EW_OK;
}
