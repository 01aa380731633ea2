#include "output/sheet.h"

#include <stdlib.h>

#include "base/memory.h"
#include "run/leave.h"

/* Along an axis `each` cells, the last of them fewer, stand for one. */
typedef struct thinned {
  int32_t each, n;
} thinned;

static thinned thin(const grid_axis *a, int most) {
  int32_t each = (a->n + most - 1) / most;
  return (thinned){each, (a->n + each - 1) / each};
}

static double face_of(const grid_axis *a, thinned t, int32_t i) {
  int64_t at = (int64_t)i * t.each;
  return a->face[at < a->n ? at : a->n];
}

static int32_t middle_of(const grid_axis *a, thinned t, int32_t i) {
  int64_t first = (int64_t)i * t.each, last = first + t.each < a->n ? first + t.each - 1 : a->n - 1;
  return (int32_t)((first + last) / 2);
}

static ew_status allocate(mesh *m, int64_t n_nodes, int64_t n_cells, ew_error *err) {
  ew_status status = EW_OK;
  m->dim = 2;
  m->n_nodes = (node_id)n_nodes;
  m->n_cells = (cell_id)n_cells;
  EW_CHECK(EW_NEW(m->node_x, 2 * n_nodes));
  EW_CHECK(EW_NEW(m->cell_type, n_cells));
  EW_CHECK(EW_NEW(m->cell_start, n_cells + 1));
  EW_CHECK(EW_NEW(m->cell_node, 4 * n_cells));
cleanup:
  return status;
}

static void place_nodes(const grid *g, thinned x, thinned y, mesh *m) {
  double *to = m->node_x;
  for (int32_t j = 0; j <= y.n; j++)
    for (int32_t i = 0; i <= x.n; i++) {
      *to++ = face_of(&g->axis[0], x, i);
      *to++ = face_of(&g->axis[1], y, j);
    }
}

static void place_cells(const grid *g, thinned x, thinned y, int32_t k, exec_sheet *s) {
  cell_id c = 0;
  for (int32_t j = 0; j < y.n; j++)
    for (int32_t i = 0; i < x.n; i++, c++) {
      node_id low = j * (x.n + 1) + i, *node = s->m->cell_node + 4 * (size_t)c;
      node[0] = low, node[1] = low + 1, node[2] = low + x.n + 2, node[3] = low + x.n + 1;
      s->m->cell_start[c + 1] = 4 * (c + 1);
      s->m->cell_type[c] = MESH_QUAD;
      s->cell[c] = (cell_id)grid_cell(g, middle_of(&g->axis[0], x, i), middle_of(&g->axis[1], y, j), k);
    }
}

ew_status exec_sheet_layer(const grid *g, double z, int32_t *k, ew_error *err) {
  *k = 0;
  if (g->dim == 1)
    return ew_fail(err, EW_INPUT, "a grid of one axis makes no picture: a plot along it shows the field");
  if (g->dim < 3) return EW_OK;
  const grid_axis *a = &g->axis[2];
  *k = grid_find(a, z);
  if (*k >= 0) return EW_OK;
  return ew_fail(err, EW_INPUT, "a slice at z = %g m misses the grid, which reaches from z = %g to %g m", z,
                 a->face[0], a->face[a->n]);
}

ew_status exec_sheet_create(const grid *g, double z, int most, exec_sheet *out, ew_error *err) {
  ew_status status = EW_OK;
  int32_t k;
  *out = (exec_sheet){NULL, NULL};
  EW_CHECK(exec_sheet_layer(g, z, &k, err));
  thinned x = thin(&g->axis[0], most), y = thin(&g->axis[1], most);
  int64_t n = (int64_t)x.n * y.n;
  out->m = calloc(1, sizeof *out->m);
  out->cell = malloc((size_t)n * sizeof *out->cell);
  if (!out->m || !out->cell)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for a picture of %lld cells", (long long)n);
  EW_CHECK(allocate(out->m, ((int64_t)x.n + 1) * (y.n + 1), n, err));
  place_nodes(g, x, y, out->m);
  place_cells(g, x, y, k, out);
cleanup:
  if (status != EW_OK) exec_sheet_clear(out);
  return status;
}

void exec_sheet_clear(exec_sheet *s) {
  mesh_destroy(&s->m);
  free(s->cell);
  s->cell = NULL;
}

void exec_sheet_take(const exec_sheet *s, const double *from, double *to) {
  for (cell_id c = 0; c < s->m->n_cells; c++) to[c] = from[s->cell[c]];
}
