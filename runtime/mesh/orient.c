/* Every cell is turned to positive volume; what cannot have one is an error. */
#include "mesh/build.h"

#include <math.h>

#include "mesh/vector.h"

/* Volume over (largest extent)^dim below which a cell counts as flat: far below any useful boundary layer,
 * above the rounding of its own coordinates' differences. */
#define FLAT 1e-14

/* Beyond these the moments of a cell leave the range of a double. */
#define SMALLEST_CELL 1e-60
#define LARGEST_CELL  1e60

static bool repeats_a_node(const mesh_shape *shape, const node_id *node) {
  for (int i = 0; i < shape->n_nodes; i++)
    for (int k = 0; k < i; k++)
      if (node[i] == node[k]) return true;
  return false;
}

static double largest_extent(const mesh *m, const mesh_shape *shape, const node_id *node) {
  double largest = 0;
  for (int d = 0; d < m->dim; d++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < shape->n_nodes; i++) {
      double x = m->node_x[(size_t)m->dim * (size_t)node[i] + (size_t)d];
      low = fmin(low, x);
      high = fmax(high, x);
    }
    largest = fmax(largest, high - low);
  }
  return largest;
}

static void mirror(const mesh_shape *shape, node_id *node) {
  node_id old[MESH_MAX_CELL_NODES];
  for (int i = 0; i < shape->n_nodes; i++) old[i] = node[i];
  for (int i = 0; i < shape->n_nodes; i++) node[i] = old[shape->mirror[i]];
}

/* A positively oriented quadrangle turns right at no corner (convex) or at one; at two if its sides cross. */
static bool crosses_itself(const mesh_shape *shape, const node_id *node, const double *x) {
  if (shape->dim != 2 || shape->n_nodes != 4) return false;
  int right_turns = 0;
  for (int i = 0; i < 4; i++) {
    const double *p = x + 2 * (size_t)node[i], *q = x + 2 * (size_t)node[(i + 1) % 4],
                 *r = x + 2 * (size_t)node[(i + 2) % 4];
    right_turns += (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) < 0;
  }
  return right_turns >= 2;
}

static ew_status orient_cell(mesh_draft *draft, cell_id c, ew_error *err) {
  mesh *m = draft->mesh;
  const mesh_shape *shape = mesh_cell_shape(m, c);
  node_id *node = m->cell_node + m->cell_start[c];
  if (repeats_a_node(shape, node))
    return mesh_cell_fail(draft, c, err, "is degenerate: it names a node twice");
  double size = largest_extent(m, shape, node), volume = mesh_signed_volume(shape, node, m->node_x);
  if (!(size > SMALLEST_CELL && size < LARGEST_CELL))
    return mesh_cell_fail(draft, c, err, "is degenerate: its extent must lie between 1e-60 and 1e60");
  if (!(fabs(volume) > FLAT * pow(size, m->dim)))
    return mesh_cell_fail(
        draft, c, err, m->dim == 2 ? "is degenerate: its area is zero" : "is degenerate: its volume is zero");
  if (volume < 0) mirror(shape, node);
  m->file.n_turned += volume < 0;
  if (crosses_itself(shape, node, m->node_x)) return mesh_cell_fail(draft, c, err, "crosses itself");
  return EW_OK;
}

ew_status mesh_orient_cells(mesh_draft *draft, ew_error *err) {
  ew_status status = EW_OK;
  for (cell_id c = 0; c < draft->mesh->n_cells; c++) EW_CHECK(orient_cell(draft, c, err));
cleanup:
  return status;
}
