#include "mesh/locate.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mesh/inside.h"
#include "mesh/vector.h"

struct mesh_locator {
  const mesh *m;
  double low[3], inverse_width[3];
  int32_t n[3];
  double *slack;  /* [cells] see mesh_cell_slack */
  int64_t *start; /* [buckets + 1] into cell */
  cell_id *cell;
};

static void box_of_nodes(const mesh *m, double *low, double *high) {
  for (int d = 0; d < m->dim; d++) {
    low[d] = INFINITY;
    high[d] = -INFINITY;
    for (node_id i = 0; i < m->n_nodes; i++) {
      double x = m->node_x[(size_t)m->dim * (size_t)i + (size_t)d];
      low[d] = fmin(low[d], x);
      high[d] = fmax(high[d], x);
    }
  }
}

/* The width of cubic buckets, about one a cell. Axes along which the mesh is thinner than a bucket do not
 * count. */
static double bucket_width(const mesh *m, const double *extent) {
  bool thin[3] = {false, false, false};
  for (int active = m->dim; active > 0;) {
    double volume = 1;
    for (int d = 0; d < m->dim; d++) volume *= thin[d] ? 1 : extent[d];
    double width = pow(volume / m->n_cells, 1.0 / active);
    int still_active = 0;
    for (int d = 0; d < m->dim; d++) {
      thin[d] |= extent[d] < width;
      still_active += !thin[d];
    }
    if (still_active == active) return width;
    active = still_active;
  }
  return INFINITY;
}

static void set_grid(mesh_locator *l, const double *extent, double width) {
  for (int d = 0; d < 3; d++) {
    double n = d < l->m->dim ? floor(extent[d] / width) : 1;
    l->n[d] = (int32_t)fmin(fmax(n, 1), l->m->n_cells);
    l->inverse_width[d] = d < l->m->dim ? l->n[d] / extent[d] : 0;
  }
}

static int32_t slot(const mesh_locator *l, int d, double x) {
  if (d >= l->m->dim) return 0;
  double at = floor((x - l->low[d]) * l->inverse_width[d]);
  return (int32_t)fmin(fmax(at, 0), l->n[d] - 1);
}

static int64_t bucket(const mesh_locator *l, const int32_t *i) {
  return ((int64_t)i[2] * l->n[1] + i[1]) * l->n[0] + i[0];
}

/* The range of buckets that the box of cell c touches, and what counts as in it. */
static void range_of_cell(const mesh_locator *l, cell_id c, int32_t *from, int32_t *to) {
  const mesh *m = l->m;
  double low[3], high[3];
  mesh_cell_box(m, c, low, high);
  const double slack = l->slack[c];
  for (int d = 0; d < 3; d++) {
    from[d] = slot(l, d, low[d] - slack);
    to[d] = slot(l, d, high[d] + slack);
  }
}

static int64_t count_entries(const mesh_locator *l) {
  int64_t total = 0;
  int32_t from[3], to[3];
  for (cell_id c = 0; c < l->m->n_cells; c++) {
    range_of_cell(l, c, from, to);
    total += (int64_t)(to[0] - from[0] + 1) * (to[1] - from[1] + 1) * (to[2] - from[2] + 1);
  }
  return total;
}

/* Slender, slanting cells touch very many buckets: then these grow until an average cell touches few. */
static void choose_grid(mesh_locator *l, const double *high) {
  double extent[3] = {0, 0, 0};
  vec_sub(l->m->dim, high, l->low, extent);
  double width = bucket_width(l->m, extent);
  set_grid(l, extent, width);
  while (count_entries(l) / 64 > l->m->n_cells) set_grid(l, extent, width *= 2);
}

/* Puts cell c into every bucket its box touches, or counts them if there is no room for the cells yet. */
static void put_cell(mesh_locator *l, cell_id c, int64_t *next) {
  int32_t from[3], to[3], i[3];
  range_of_cell(l, c, from, to);
  for (i[2] = from[2]; i[2] <= to[2]; i[2]++)
    for (i[1] = from[1]; i[1] <= to[1]; i[1]++)
      for (i[0] = from[0]; i[0] <= to[0]; i[0]++) {
        int64_t *place = &next[bucket(l, i)];
        if (l->cell) l->cell[*place] = c;
        ++*place;
      }
}

static ew_status fill(mesh_locator *l, ew_error *err) {
  ew_status status = EW_OK;
  int64_t n_buckets = (int64_t)l->n[0] * l->n[1] * l->n[2];
  EW_CHECK(EW_NEW(l->start, n_buckets + 2));
  int64_t *next = l->start + 1; /* filling moves next[b] to the end of b: then start[b] is where b starts */
  for (cell_id c = 0; c < l->m->n_cells; c++) put_cell(l, c, next);
  int64_t sum = 0;
  for (int64_t b = 0; b <= n_buckets; b++) {
    int64_t count = next[b];
    next[b] = sum;
    sum += count;
  }
  EW_CHECK(EW_NEW(l->cell, sum));
  for (cell_id c = 0; c < l->m->n_cells; c++) put_cell(l, c, next);
cleanup:
  return status;
}

ew_status mesh_locator_create(const mesh *m, mesh_locator **out, ew_error *err) {
  ew_status status = EW_OK;
  mesh_locator *l;
  double high[3];
  *out = NULL;
  EW_CHECK(EW_NEW(l, 1));
  l->m = m;
  box_of_nodes(m, l->low, high);
  EW_CHECK(EW_NEW(l->slack, m->n_cells));
  for (cell_id c = 0; c < m->n_cells; c++) l->slack[c] = mesh_cell_slack(m, c);
  choose_grid(l, high);
  EW_CHECK(fill(l, err));
  *out = l;
  l = NULL;
cleanup:
  mesh_locator_destroy(&l);
  return status;
}

void mesh_locator_destroy(mesh_locator **l) {
  if (!l || !*l) return;
  free((*l)->slack);
  free((*l)->start);
  free((*l)->cell);
  free(*l);
  *l = NULL;
}

bool mesh_find_cell(const mesh_locator *l, const double *x, cell_id *cell) {
  const mesh *m = l->m;
  int32_t i[3];
  *cell = 0;
  for (int d = 0; d < m->dim; d++)
    if (!isfinite(x[d])) return false;
  for (int d = 0; d < 3; d++) i[d] = slot(l, d, d < m->dim ? x[d] : 0);
  int64_t b = bucket(l, i);
  for (int64_t k = l->start[b]; k < l->start[b + 1]; k++) {
    if (!mesh_cell_holds(m, l->cell[k], x, l->slack[l->cell[k]])) continue;
    *cell = l->cell[k];
    return true;
  }
  return false;
}

/* ---- weights ------------------------------------------------------------------------------------------------------------------------- */

/* The volume, but for a factor and the sign, of the simplex with node `at` moved to x. */
static double moved_volume(const mesh *m, const node_id *node, int at, const double *x) {
  int dim = m->dim;
  double edge[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}, normal[3];
  const double *base = m->node_x + (size_t)dim * (size_t)node[(at + 1) % (dim + 1)];
  for (int k = 0, row = 0; k <= dim; k++) {
    if (k == (at + 1) % (dim + 1)) continue;
    const double *p = k == at ? x : m->node_x + (size_t)dim * (size_t)node[k];
    vec_sub(dim, p, base, edge[row++]);
  }
  vec_cross(edge[0], edge[1], normal);
  return vec_dot(3, normal, edge[2]);
}

void mesh_weights(const mesh *m, cell_id cell, const double *x, double weight[4]) {
  double sum = 0;
  const node_id *node = m->cell_node + m->cell_start[cell];
  for (int k = 0; k < 4; k++) weight[k] = 0;
  if (m->cell_type[cell] != MESH_TRIANGLE && m->cell_type[cell] != MESH_TETRA) return;
  for (int k = 0; k <= m->dim; k++) {
    weight[k] = fabs(moved_volume(m, node, k, x)); /* inside the cell all have one sign */
    sum += weight[k];
  }
  for (int k = 0; k <= m->dim; k++) weight[k] /= sum;
}
