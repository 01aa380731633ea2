#include "drawing/cell_field.h"

#include <math.h>
#include <stdlib.h>

ew_status field_at_nodes(const mesh *m, const double *value, const double *mask, double *node,
                         ew_error *err) {
  int32_t *count = calloc((size_t)m->n_nodes + 1, sizeof *count);
  if (!count) return ew_fail(err, EW_FAIL, "out of memory for the values at %d nodes", m->n_nodes);
  for (node_id i = 0; i < m->n_nodes; i++) node[i] = 0;
  for (cell_id c = 0; c < m->n_cells; c++) {
    if (!isfinite(value[c]) || (mask && mask[c] == 0)) continue;
    for (int32_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++) {
      node[m->cell_node[k]] += value[c];
      count[m->cell_node[k]]++;
    }
  }
  for (node_id i = 0; i < m->n_nodes; i++) node[i] = count[i] ? node[i] / count[i] : (double)NAN;
  free(count);
  return EW_OK;
}

/* Green's theorem around the cell: grad u = 1/A sum over sides of (u_a + u_b) / 2 * outward normal * length.
 */
static void slope_of(const mesh *m, cell_id c, const double *node, double slope[2]) {
  int32_t first = m->cell_start[c], n = m->cell_start[c + 1] - first;
  double twice_area = 0;
  slope[0] = slope[1] = 0;
  for (int32_t k = 0; k < n; k++) {
    node_id a = m->cell_node[first + k], b = m->cell_node[first + (k + 1) % n];
    const double *xa = m->node_x + 2 * (size_t)a, *xb = m->node_x + 2 * (size_t)b;
    twice_area += xa[0] * xb[1] - xb[0] * xa[1];
    slope[0] += (node[a] + node[b]) * (xb[1] - xa[1]);
    slope[1] -= (node[a] + node[b]) * (xb[0] - xa[0]);
  }
  for (int d = 0; d < 2; d++) slope[d] = twice_area != 0 ? slope[d] / twice_area : 0;
}

/* Lambert's law with the light's direction (-1, 1, 1.6), normalised to level ground. */
static double lit(double sx, double sy) {
  const double up = 1.6;
  double shade = (sx - sy + up) / (sqrt(sx * sx + sy * sy + 1) * up);
  return fmin(fmax(1 + 0.8 * (shade - 1), 0.45), 1.3);
}

static double typical_slope(const mesh *m, const double *node) {
  double sum = 0, slope[2];
  for (cell_id c = 0; c < m->n_cells; c++) {
    slope_of(m, c, node, slope);
    double s2 = slope[0] * slope[0] + slope[1] * slope[1];
    if (isfinite(s2)) sum += s2;
  }
  return m->n_cells > 0 ? sqrt(sum / m->n_cells) : 0;
}

/* The mean over each cell's nodes: takes away the pattern of the triangles. */
static void smooth(const mesh *m, const double *node, double *cell) {
  for (cell_id c = 0; c < m->n_cells; c++) {
    int32_t first = m->cell_start[c], end = m->cell_start[c + 1];
    double sum = 0;
    for (int32_t k = first; k < end; k++) sum += node[m->cell_node[k]];
    cell[c] = sum / (end - first);
  }
}

ew_status field_relief(const mesh *m, const double *height, double *light, ew_error *err) {
  const double shown_slope = 0.45;
  for (cell_id c = 0; c < m->n_cells; c++) light[c] = 1;
  if (m->dim != 2) return EW_OK;
  double *node = malloc(((size_t)m->n_nodes + 1) * sizeof *node), slope[2];
  if (!node) return ew_fail(err, EW_FAIL, "out of memory for the values at %d nodes", m->n_nodes);
  ew_status status = field_at_nodes(m, height, NULL, node, err);
  double typical = status == EW_OK ? typical_slope(m, node) : 0;
  for (cell_id c = 0; typical > 0 && c < m->n_cells; c++) {
    slope_of(m, c, node, slope);
    if (isfinite(slope[0] + slope[1]))
      light[c] = lit(slope[0] * shown_slope / typical, slope[1] * shown_slope / typical);
  }
  if (status == EW_OK) status = field_at_nodes(m, light, NULL, node, err);
  if (status == EW_OK) smooth(m, node, light);
  free(node);
  return status;
}

typedef struct corner {
  double x[2], value;
} corner;

static void between(const corner *a, const corner *b, double level, double x[2]) {
  double s = (level - a->value) / (b->value - a->value);
  for (int d = 0; d < 2; d++) x[d] = a->x[d] + s * (b->x[d] - a->x[d]);
}

/* In a triangle the contour of a linear function cuts no side or two. */
static void contour_triangle(const corner c[3], double level, contour_sink *sink, void *context) {
  double x[3][2];
  int n = 0;
  for (int i = 0; i < 3; i++) {
    const corner *a = &c[i], *b = &c[(i + 1) % 3];
    if ((a->value < level) != (b->value < level)) between(a, b, level, x[n++]);
  }
  if (n == 2) sink(context, x[0], x[1]);
}

static corner corner_of(const flat_cell *cell, const double *node, int i) {
  double value = (1 - cell->part[i]) * node[cell->a[i]] + cell->part[i] * node[cell->b[i]];
  return (corner){{cell->x[i][0], cell->x[i][1]}, value};
}

/* Twice the area of the triangle at corner i, positive where the cell turns left. */
static double turn(const flat_cell *c, int i) {
  const double *a = c->x[(i + c->n - 1) % c->n], *b = c->x[i], *d = c->x[(i + 1) % c->n];
  return (b[0] - a[0]) * (d[1] - b[1]) - (b[1] - a[1]) * (d[0] - b[0]);
}

/* The corner where a quadrangle is not convex, or -1. */
static int reflex_corner(const flat_cell *c) {
  double all = 0;
  for (int i = 0; i < c->n; i++) all += turn(c, i);
  for (int i = 0; c->n == 4 && i < 4; i++)
    if (turn(c, i) * all < 0) return i;
  return -1;
}

/* From where all sides are seen: the mean of the corners of a convex cell may lie outside of one that is not. There it is the middle of
 * the inner diagonal. */
static corner middle_corner(const flat_cell *cell, const double *node, double middle) {
  const int reflex = reflex_corner(cell);
  corner out = {{0, 0}, middle};
  if (reflex >= 0) {
    const corner a = corner_of(cell, node, reflex), b = corner_of(cell, node, (reflex + 2) % 4);
    return (corner){{(a.x[0] + b.x[0]) / 2, (a.x[1] + b.x[1]) / 2}, (a.value + b.value) / 2};
  }
  for (int i = 0; i < cell->n; i++)
    for (int d = 0; d < 2; d++) out.x[d] += cell->x[i][d] / cell->n;
  return out;
}

void field_contour(const flat_cell *cell, const double *node, double middle, double level, contour_sink *sink,
                   void *context) {
  corner c[3] = {middle_corner(cell, node, middle)};
  for (int i = 0; i < cell->n; i++) {
    c[1] = corner_of(cell, node, i);
    c[2] = corner_of(cell, node, (i + 1) % cell->n);
    if (isfinite(c[0].value + c[1].value + c[2].value)) contour_triangle(c, level, sink, context);
  }
}
