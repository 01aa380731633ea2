#include "mesh/renumber.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/order.h"
#include "mesh/permute.h"
#include "mesh/random.h"

static const char *const cell_orders[] = {"none", "rcm", "hilbert", "random"};
static const char *const face_orders[] = {"none", "sorted", "random"};

const char *mesh_cell_order_name(mesh_cell_order order) { return cell_orders[order]; }

const char *mesh_face_order_name(mesh_face_order order) { return face_orders[order]; }

static int find_name(const char *const *names, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (!strcmp(names[i], name)) return i;
  return -1;
}

bool mesh_cell_order_parse(const char *name, mesh_cell_order *order) {
  int i = find_name(cell_orders, sizeof cell_orders / sizeof *cell_orders, name);
  if (i >= 0) *order = (mesh_cell_order)i;
  return i >= 0;
}

bool mesh_face_order_parse(const char *name, mesh_face_order *order) {
  int i = find_name(face_orders, sizeof face_orders / sizeof *face_orders, name);
  if (i >= 0) *order = (mesh_face_order)i;
  return i >= 0;
}

cell_id mesh_bandwidth(const mesh *m) {
  cell_id widest = 0;
  for (face_id f = 0; f < m->n_interior; f++) {
    cell_id width = abs(m->face_left[f] - m->face_right[f]);
    if (width > widest) widest = width;
  }
  return widest;
}

/* The bandwidth the mesh would have in this order. */
static ew_status bandwidth_in_order(const mesh *m, const cell_id *old_of_new, cell_id *widest,
                                    ew_error *err) {
  ew_status status = EW_OK;
  cell_id *new_of_old = NULL;
  EW_CHECK(EW_NEW(new_of_old, m->n_cells));
  for (cell_id c = 0; c < m->n_cells; c++) new_of_old[old_of_new[c]] = c;
  *widest = 0;
  for (face_id f = 0; f < m->n_interior; f++) {
    cell_id width = abs(new_of_old[m->face_left[f]] - new_of_old[m->face_right[f]]);
    if (width > *widest) *widest = width;
  }
cleanup:
  free(new_of_old);
  return status;
}

static void shuffle(int32_t *list, int32_t n, uint64_t *state) {
  for (int32_t i = n - 1; i > 0; i--) {
    int32_t k = (int32_t)random_below(state, (uint64_t)i + 1), kept = list[i];
    list[i] = list[k];
    list[k] = kept;
  }
}

static void identity(int32_t *list, int32_t n) {
  for (int32_t i = 0; i < n; i++) list[i] = i;
}

/* Cuthill-McKee is a heuristic: an order that came out wider than the present one is dropped. */
static ew_status rcm_if_narrower(const mesh *m, cell_id *order, ew_error *err) {
  ew_status status = EW_OK;
  cell_id widest;
  const order_graph graph = {m->n_cells, m->sides.start, m->sides.across}; /* ghosts are no neighbours */
  EW_CHECK(order_graph_rcm(&graph, order, err));
  EW_CHECK(bandwidth_in_order(m, order, &widest, err));
  if (widest > mesh_bandwidth(m)) identity(order, m->n_cells);
cleanup:
  return status;
}

static ew_status order_cells(const mesh *m, mesh_cell_order cells, uint64_t *state, cell_id *order,
                             ew_error *err) {
  switch (cells) {
  case MESH_CELLS_RCM: return rcm_if_narrower(m, order, err);
  case MESH_CELLS_HILBERT: return order_points_hilbert(m->dim, m->n_cells, m->cell_centre, order, err);
  case MESH_CELLS_RANDOM:
    identity(order, m->n_cells);
    shuffle(order, m->n_cells, state);
    return EW_OK;
  default: identity(order, m->n_cells); return EW_OK;
  }
}

/* Nodes in the order in which the cells first name them; all are in some cell. */
static ew_status renumber_nodes(mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  node_id *order = NULL, n = 0;
  bool *met = NULL;
  EW_CHECK(EW_NEW(order, m->n_nodes));
  EW_CHECK(EW_NEW(met, m->n_nodes));
  for (int32_t i = 0; i < m->cell_start[m->n_cells]; i++) {
    node_id node = m->cell_node[i];
    if (!met[node]) order[n++] = node;
    met[node] = true;
  }
  EW_CHECK(mesh_permute_nodes(m, order, err));
cleanup:
  free(order);
  free(met);
  return status;
}

static ew_status renumber_cells(mesh *m, mesh_cell_order cells, uint64_t *state, ew_error *err) {
  ew_status status = EW_OK;
  cell_id *order = NULL;
  if (cells == MESH_CELLS_AS_IS) return EW_OK;
  EW_CHECK(EW_NEW(order, m->n_cells));
  EW_CHECK(order_cells(m, cells, state, order, err));
  EW_CHECK(mesh_permute_cells(m, order, err));
  EW_CHECK(renumber_nodes(m, err));
cleanup:
  free(order);
  return status;
}

static ew_status renumber_faces(mesh *m, mesh_face_order faces, uint64_t *state, ew_error *err) {
  ew_status status = EW_OK;
  face_id *order = NULL;
  if (faces == MESH_FACES_AS_IS) return EW_OK;
  EW_CHECK(EW_NEW(order, m->n_faces));
  if (faces == MESH_FACES_SORTED) {
    EW_CHECK(mesh_order_faces_sorted(m, order, err));
  } else {
    identity(order, m->n_faces);
    shuffle(order, m->n_interior, state);
    for (int p = 0; p < m->n_patches; p++) shuffle(order + m->patch[p].first, m->patch[p].count, state);
  }
  EW_CHECK(mesh_permute_faces(m, order, err));
cleanup:
  free(order);
  return status;
}

ew_status mesh_renumber(mesh *m, mesh_cell_order cells, mesh_face_order faces, uint64_t seed, ew_error *err) {
  ew_status status = EW_OK;
  uint64_t state = random_seed(seed);
  EW_CHECK(renumber_cells(m, cells, &state, err));
  EW_CHECK(renumber_faces(m, faces, &state, err));
cleanup:
  return status;
}
