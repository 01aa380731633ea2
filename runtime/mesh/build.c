#include "mesh/build.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

static ew_status number_cells(mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(m->cell_origin, m->n_cells));
  for (cell_id c = 0; c < m->n_cells; c++) m->cell_origin[c] = c;
cleanup:
  return status;
}

ew_status mesh_build(mesh_draft *draft, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *mate = NULL;
  draft->culprit = -1;
  EW_CHECK(number_cells(draft->mesh, err));
  EW_CHECK(mesh_orient_cells(draft, err));
  EW_CHECK(mesh_match_sides(draft, &mate, err));
  EW_CHECK(mesh_number_faces(draft, mate, err));
  free(mate);
  mate = NULL;
  EW_CHECK(mesh_compute_geometry(draft, err));
cleanup:
  free(mate);
  return status;
}

void mesh_side_key(const node_id *node, int n, node_id key[MESH_MAX_SIDE_NODES]) {
  int used = 0;
  for (int i = 0; i < n && node[i] >= 0; i++, used++) {
    int k = used;
    for (; k > 0 && key[k - 1] > node[i]; k--) key[k] = key[k - 1];
    key[k] = node[i];
  }
  for (; used < MESH_MAX_SIDE_NODES; used++) key[used] = -1;
}

long long mesh_cell_label(const mesh_draft *draft, cell_id c) {
  return draft->cell_tag ? (long long)draft->cell_tag[c] : (long long)c;
}

const char *mesh_point_text(int dim, const double *x, char text[96]) {
  int used = 0;
  for (int d = 0; d < dim; d++)
    used += snprintf(text + used, 96 - (size_t)used, "%s%.10g", d ? ", " : "(", x[d]);
  snprintf(text + used, 96 - (size_t)used, ")");
  return text;
}

ew_status mesh_cell_fail(mesh_draft *draft, cell_id c, ew_error *err, const char *what) {
  const mesh *m = draft->mesh;
  const mesh_shape *shape = mesh_cell_shape(m, c);
  char nodes[MESH_MAX_CELL_NODES * 100] = "";
  size_t used = 0;
  for (int i = 0; i < shape->n_nodes; i++) {
    const double *x = m->node_x + (size_t)m->dim * (size_t)m->cell_node[m->cell_start[c] + i];
    char text[96];
    int n =
        snprintf(nodes + used, sizeof nodes - used, "%s%s", i ? ", " : "", mesh_point_text(m->dim, x, text));
    used += (size_t)n;
  }
  draft->culprit = c;
  return ew_fail(err, EW_INPUT, "%s %lld with nodes at %s %s", shape->name, mesh_cell_label(draft, c), nodes,
                 what);
}
