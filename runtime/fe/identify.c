/* Nodes that periodic sides lay on each other become one degree of freedom. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "fe/internal.h"
#include "mesh/build.h"
#include "mesh/vector.h"

#define TOLERANCE 1e-5 /* of a face's size */

static const double *place(const mesh *m, node_id node) { return m->node_x + (size_t)m->dim * (size_t)node; }

/* ---- sets of nodes: every node leads to a lower one of its set, the lowest to itself -------------------------------------- */

static node_id lowest(node_id *set, node_id a) {
  while (set[a] != a) a = set[a] = set[set[a]];
  return a;
}

static void join(node_id *set, node_id a, node_id b) {
  a = lowest(set, a);
  b = lowest(set, b);
  if (a < b) set[b] = a;
  else set[a] = b;
}

/* ---- partners -------------------------------------------------------------------------------------------------------------------- */

/* The node of cell c that lies nearest to x. */
static node_id nearest(const mesh *m, cell_id c, const double *x, double *distance) {
  node_id best = -1;
  *distance = INFINITY;
  for (int32_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++) {
    double d = vec_distance(m->dim, place(m, m->cell_node[k]), x);
    if (d < *distance) *distance = d, best = m->cell_node[k];
  }
  return best;
}

/* The ghost behind a periodic face is its source cell, moved; so the face's nodes are nodes of the source, moved. */
static ew_status join_face(const mesh *m, face_id f, node_id *set, ew_error *err) {
  size_t dim = (size_t)m->dim;
  cell_id ghost = m->face_right[f], source = m->ghost_source[ghost - m->n_cells];
  double move[3] = {0, 0, 0}, size = m->dim == 2 ? m->face_area[f] : sqrt(m->face_area[f]);
  vec_sub(m->dim, m->cell_centre + dim * (size_t)source, m->cell_centre + dim * (size_t)ghost, move);
  for (int32_t k = m->face_start[f]; k < m->face_start[f + 1]; k++) {
    double x[3] = {0, 0, 0}, distance;
    vec_add_scaled(m->dim, x, 1, place(m, m->face_node[k]));
    vec_add_scaled(m->dim, x, 1, move);
    node_id partner = nearest(m, source, x, &distance);
    if (!(distance <= TOLERANCE * size)) {
      char here[96], there[96];
      return ew_fail(
          err, EW_INPUT,
          "periodic sides do not meet node by node: the node at %s has no partner at %s (the nearest is "
          "%.3g m away)",
          mesh_point_text(m->dim, place(m, m->face_node[k]), here), mesh_point_text(m->dim, x, there),
          distance);
    }
    join(set, m->face_node[k], partner);
  }
  return EW_OK;
}

bool fe_lies_lower(const mesh *m, node_id a, node_id b) {
  const double *x = place(m, a), *y = place(m, b);
  double sum = 0;
  for (int d = 0; d < m->dim; d++) sum += x[d] - y[d];
  for (int d = 0; d < m->dim && sum == 0; d++) sum = x[d] - y[d];
  return sum < 0;
}

/* Dofs in the order of their lowest nodes. */
static ew_status number(fe_space *s, node_id *set, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = s->m;
  EW_CHECK(EW_NEW(s->dof, m->n_nodes));
  EW_CHECK(EW_NEW(s->node, m->n_nodes));
  for (node_id k = 0; k < m->n_nodes; k++) {
    node_id first = lowest(set, k);
    if (first == k) s->node[s->n] = k, s->dof[k] = s->n++;
    else s->dof[k] = s->dof[first];
    if (fe_lies_lower(m, k, s->node[s->dof[k]])) s->node[s->dof[k]] = k;
  }
cleanup:
  return status;
}

ew_status fe_identify(fe_space *s, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = s->m;
  node_id *set = NULL;
  EW_CHECK(EW_NEW(set, m->n_nodes));
  for (node_id k = 0; k < m->n_nodes; k++) set[k] = k;
  for (face_id f = m->n_interior; f < m->n_faces; f++)
    if (m->ghost_source[f - m->n_interior] >= 0) EW_CHECK(join_face(m, f, set, err));
  EW_CHECK(number(s, set, err));
cleanup:
  free(set);
  return status;
}
