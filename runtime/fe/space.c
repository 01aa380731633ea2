#include <stdlib.h>

#include "base/memory.h"
#include "fe/internal.h"
#include "mesh/build.h"
#include "mesh/order.h"
#include "mesh/random.h"

ew_status fe_check_mesh(const mesh *m, ew_error *err) {
  const bool flat = m->dim == 2;
  cell_id first = -1, others = 0;
  for (cell_id c = m->n_cells - 1; c >= 0; c--) {
    if (m->cell_type[c] == (flat ? MESH_TRIANGLE : MESH_TETRA)) continue;
    first = c;
    others++;
  }
  if (first < 0) return EW_OK;
  char place[96];
  return ew_fail(
      err, EW_INPUT,
      "schemes on nodes need a mesh of %s only; of %d cells %d %s not, as the %s around %s: generated meshes "
      "are cut by `cells = \"%s\"`, and Gmsh makes %s where nothing is recombined or transfinite",
      flat ? "triangles" : "tetrahedra", m->n_cells, others, others == 1 ? "is" : "are",
      mesh_cell_shape(m, first)->name,
      mesh_point_text(m->dim, m->cell_centre + (size_t)m->dim * (size_t)first, place),
      flat ? "triangles" : "tetrahedra", flat ? "triangles" : "tetrahedra");
}

/* ---- order --------------------------------------------------------------------------------------------------------------------- */

int32_t fe_bandwidth(const fe_space *s) {
  int32_t widest = 0;
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
      if (abs(s->next[k] - i) > widest) widest = abs(s->next[k] - i);
  return widest;
}

static ew_status order_hilbert(const fe_space *s, int32_t *order, ew_error *err) {
  ew_status status = EW_OK;
  size_t dim = (size_t)s->m->dim;
  double *x = NULL;
  EW_CHECK(EW_NEW(x, (size_t)s->n * dim));
  for (int32_t i = 0; i < s->n; i++)
    for (size_t d = 0; d < dim; d++) x[dim * (size_t)i + d] = s->m->node_x[dim * (size_t)s->node[i] + d];
  EW_CHECK(order_points_hilbert(s->m->dim, s->n, x, order, err));
cleanup:
  free(x);
  return status;
}

static void order_random(const fe_space *s, uint64_t seed, int32_t *order) {
  uint64_t state = random_seed(seed);
  for (int32_t i = 0; i < s->n; i++) order[i] = i;
  for (int32_t i = s->n - 1; i > 0; i--) {
    int32_t k = (int32_t)random_below(&state, (uint64_t)i + 1), kept = order[i];
    order[i] = order[k];
    order[k] = kept;
  }
}

/* Cuthill-McKee is a heuristic: an order that came out wider than the present one is dropped. */
static ew_status order_rcm(const fe_space *s, int32_t *order, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *rank = NULL, widest = 0;
  const order_graph graph = {s->n, s->start, s->next};
  EW_CHECK(EW_NEW(rank, s->n));
  EW_CHECK(order_graph_rcm(&graph, order, err));
  for (int32_t i = 0; i < s->n; i++) rank[order[i]] = i;
  for (int32_t i = 0; i < s->n; i++)
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
      if (abs(rank[s->next[k]] - rank[i]) > widest) widest = abs(rank[s->next[k]] - rank[i]);
  bool wider = widest > fe_bandwidth(s);
  for (int32_t i = 0; wider && i < s->n; i++) order[i] = i;
cleanup:
  free(rank);
  return status;
}

static ew_status renumber(fe_space *s, mesh_cell_order which, uint64_t seed, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *order = NULL;
  if (which == MESH_CELLS_AS_IS) return EW_OK;
  EW_CHECK(EW_NEW(order, s->n));
  if (which == MESH_CELLS_RCM) EW_CHECK(order_rcm(s, order, err));
  else if (which == MESH_CELLS_HILBERT) EW_CHECK(order_hilbert(s, order, err));
  else order_random(s, seed, order);
  EW_CHECK(fe_renumber(s, order, err));
  EW_CHECK(fe_connect(s, err));
cleanup:
  free(order);
  return status;
}

ew_status fe_renumber(fe_space *s, const int32_t *old_of_new, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *new_of_old = NULL;
  node_id *node = NULL;
  EW_CHECK(EW_NEW(new_of_old, s->n));
  EW_CHECK(EW_NEW(node, s->n));
  for (int32_t i = 0; i < s->n; i++) {
    new_of_old[old_of_new[i]] = i;
    node[i] = s->node[old_of_new[i]];
  }
  for (node_id k = 0; k < s->m->n_nodes; k++) s->dof[k] = new_of_old[s->dof[k]];
  free(s->node);
  s->node = node;
  node = NULL;
cleanup:
  free(new_of_old);
  free(node);
  return status;
}

/* ---- life ------------------------------------------------------------------------------------------------------------------------- */

ew_status fe_create(const mesh *m, mesh_cell_order order, uint64_t seed, fe_space **out, ew_error *err) {
  ew_status status = EW_OK;
  fe_space *s = *out = NULL;
  EW_CHECK(fe_check_mesh(m, err));
  EW_CHECK(EW_NEW(s, 1));
  s->m = m;
  EW_CHECK(fe_identify(s, err));
  EW_CHECK(fe_connect(s, err));
  EW_CHECK(renumber(s, order, seed, err));
cleanup:
  if (status != EW_OK) fe_destroy(&s);
  *out = s;
  return status;
}

void fe_destroy(fe_space **space) {
  if (!space || !*space) return;
  fe_space *s = *space;
  free(s->dof);
  free(s->node);
  free(s->start);
  free(s->next);
  free(s->around);
  free(s->corner);
  free(s);
  *space = NULL;
}
