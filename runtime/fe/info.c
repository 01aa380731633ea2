#include "fe/info.h"

#include <stdlib.h>

#include "base/memory.h"

/* Off-diagonal entries of the Laplacian that are positive: behind them stand obtuse angles. */
static ew_status count_obtuse(const fe_space *s, int32_t *n, ew_error *err) {
  ew_status status = EW_OK;
  double *laplacian = NULL, largest = 0;
  EW_CHECK(EW_NEW(laplacian, fe_edges(s)));
  EW_CHECK(fe_integrate_edges(s, FE_DOT_DN_DN, NULL, laplacian, err));
  for (int32_t k = 0; k < fe_edges(s); k++)
    if (-laplacian[k] > largest) largest = -laplacian[k];
  *n = 0;
  for (int32_t k = 0; k < fe_edges(s); k++) *n += laplacian[k] > 1e-12 * largest;
cleanup:
  free(laplacian);
  return status;
}

static ew_status count_parts(const fe_space *s, int32_t *n, ew_error *err) {
  ew_status status = EW_OK;
  int32_t *part = NULL;
  EW_CHECK(EW_NEW(part, s->n));
  EW_CHECK(fe_parts(s, part, n, err));
cleanup:
  free(part);
  return status;
}

ew_status fe_info_create(const mesh *m, fe_info *out, ew_error *err) {
  ew_status status = EW_OK;
  fe_space *as_is = NULL, *rcm = NULL;
  *out = (fe_info){.least_neighbours = INT32_MAX};
  EW_CHECK(fe_create(m, MESH_CELLS_AS_IS, 0, &as_is, err));
  EW_CHECK(fe_create(m, MESH_CELLS_RCM, 0, &rcm, err));
  out->n_unknowns = as_is->n;
  out->n_edges = fe_edges(as_is);
  out->bandwidth = fe_bandwidth(as_is);
  out->bandwidth_rcm = fe_bandwidth(rcm);
  for (int32_t i = 0; i < as_is->n; i++) {
    int32_t n = as_is->start[i + 1] - as_is->start[i];
    if (n < out->least_neighbours) out->least_neighbours = n;
    if (n > out->most_neighbours) out->most_neighbours = n;
  }
  EW_CHECK(count_obtuse(as_is, &out->n_obtuse, err));
  EW_CHECK(count_parts(as_is, &out->n_parts, err));
cleanup:
  fe_destroy(&as_is);
  fe_destroy(&rcm);
  return status;
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void fe_info_print(const fe_info *i, FILE *out) {
  fprintf(out, "\nNode graph, for schemes on nodes...\n");
  fprintf(out, "    nodes: %d, directed edges: %d, neighbours of a node: %d to %d, %.1f on average\n",
          i->n_unknowns, i->n_edges, i->least_neighbours, i->most_neighbours,
          i->n_unknowns ? (double)i->n_edges / i->n_unknowns : 0);
  fprintf(out, "    bandwidth: %d as read, %d in order rcm\n", i->bandwidth, i->bandwidth_rcm);
  fprintf(out, "    edges across obtuse angles: %.1f %%\n", percent(i->n_obtuse, i->n_edges));
  if (i->n_parts > 1)
    fprintf(out,
            "   *Parts that no edge connects: %d. A linear system is singular in each that no boundary rule "
            "holds.\n",
            i->n_parts);
}
