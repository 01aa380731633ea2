/* Integrals of products of hat functions and their gradients. Each row is summed by one thread, cell after cell. Products commute
 * bit by bit, so integrals of symmetric forms are symmetric and N*dN is the transpose of dN*N to the last bit. */
#include <math.h>
#include <string.h>

#include "fe/fe.h"
#include "mesh/build.h"
#include "mesh/vector.h"

int fe_form_width(fe_form form, int dim) {
  switch (form) {
  case FE_N_N:
  case FE_DOT_DN_DN: return 1;
  case FE_OUTER_DN_DN: return dim * dim;
  default: return dim;
  }
}

/* ---- one cell ------------------------------------------------------------------------------------------------------------------ */

typedef struct simplex {
  int dim;
  double volume;
  double gradient[4][3]; /* of the hat function of each corner */
} simplex;

static const double *corner_place(const mesh *m, const node_id *node, int a) {
  return m->node_x + (size_t)m->dim * (size_t)node[a];
}

/* The gradient at a corner is normal to the side opposite and grows by 1 on the way to the corner. */
static void triangle_gradients(const mesh *m, const node_id *node, simplex *s) {
  for (int a = 0; a < 3; a++) {
    const double *p = corner_place(m, node, (a + 1) % 3), *q = corner_place(m, node, (a + 2) % 3);
    s->gradient[a][0] = (p[1] - q[1]) / (2 * s->volume);
    s->gradient[a][1] = (q[0] - p[0]) / (2 * s->volume);
  }
}

static void tetrahedron_gradients(const mesh *m, const node_id *node, simplex *s) {
  static const int opposite[4][3] = {
      {1, 3, 2}, {0, 2, 3}, {0, 3, 1}, {0, 1, 2}}; /* counter-clockwise from inside */
  for (int a = 0; a < 4; a++) {
    double u[3], v[3], n[3];
    const double *p = corner_place(m, node, opposite[a][0]);
    vec_sub(3, corner_place(m, node, opposite[a][1]), p, u);
    vec_sub(3, corner_place(m, node, opposite[a][2]), p, v);
    vec_cross(u, v, n);
    for (int d = 0; d < 3; d++) s->gradient[a][d] = n[d] / (6 * s->volume);
  }
}

static simplex measure(const mesh *m, cell_id c, const node_id *node) {
  simplex s = {.dim = m->dim, .volume = m->cell_volume[c]};
  if (m->dim == 2) triangle_gradients(m, node, &s);
  else tetrahedron_gradients(m, node, &s);
  return s;
}

static void add_form(const simplex *s, fe_form form, int a, int b, double *out) {
  int dim = s->dim;
  double lumped = s->volume / (dim + 1);
  switch (form) {
  case FE_N_DN: vec_add_scaled(dim, out, lumped, s->gradient[b]); break;
  case FE_DN_N: vec_add_scaled(dim, out, lumped, s->gradient[a]); break;
  case FE_N_N: *out += lumped / (dim + 2); break;
  case FE_DOT_DN_DN: *out += s->volume * vec_dot(dim, s->gradient[a], s->gradient[b]); break;
  case FE_OUTER_DN_DN:
    for (int d = 0; d < dim; d++)
      for (int e = 0; e < dim; e++) out[dim * d + e] += s->volume * (s->gradient[a][d] * s->gradient[b][e]);
    break;
  default: break;
  }
}

/* ---- rows ------------------------------------------------------------------------------------------------------------------------ */

static void integrate_row(const fe_space *s, fe_form form, const double *weight, int32_t i, double *out) {
  const int width = fe_form_width(form, s->m->dim);
  const mesh *m = s->m;
  int corners = m->dim + 1;
  for (int32_t k = s->around[i]; k < s->around[i + 1]; k++) {
    cell_id c = s->corner[k] / corners;
    const node_id *node = m->cell_node + m->cell_start[c];
    simplex cell = measure(m, c, node);
    if (weight) cell.volume *= weight[c]; /* all forms are linear in it */
    int a = s->corner[k] % corners;
    for (int b = 0; b < corners; b++) {
      int32_t j = s->dof[node[b]];
      if (j == i) continue;
      add_form(&cell, form, a, b, out + (size_t)fe_find_edge(s, i, j) * (size_t)width);
    }
  }
}

/* Where a cell sees the edge in another direction than the cells before: false. */
static bool direct_row(const fe_space *s, int32_t i, double *out) {
  const mesh *m = s->m;
  int dim = m->dim, corners = dim + 1;
  for (int32_t k = s->around[i]; k < s->around[i + 1]; k++) {
    const node_id *node = m->cell_node + m->cell_start[s->corner[k] / corners];
    for (int b = 0; b < corners; b++) {
      double v[3] = {0, 0, 0}, *known;
      int32_t j = s->dof[node[b]];
      if (j == i) continue;
      known = out + (size_t)fe_find_edge(s, i, j) * (size_t)dim;
      vec_sub(dim, corner_place(m, node, b), corner_place(m, node, s->corner[k] % corners), v);
      double length = vec_norm(dim, v);
      if (vec_norm(dim, known) > 0 && vec_distance(dim, known, v) > 1e-6 * length) return false;
      memcpy(known, v, (size_t)dim * sizeof *v);
    }
  }
  return true;
}

static ew_status direct(const fe_space *s, double *out, ew_error *err) {
  int32_t bad = -1;
#pragma omp parallel for schedule(static) reduction(max : bad)
  for (int32_t i = 0; i < s->n; i++)
    if (!direct_row(s, i, out) && i > bad) bad = i;
  if (bad < 0) return EW_OK;
  char here[96];
  return ew_fail(err, EW_INPUT,
                 "the mesh is too coarse across a periodic direction: the node at %s meets one and the same "
                 "neighbour on "
                 "both sides; the scheme needs the vector between them, so three cells at least",
                 mesh_point_text(s->m->dim, s->m->node_x + (size_t)s->m->dim * (size_t)s->node[bad], here));
}

ew_status fe_integrate_edges(const fe_space *s, fe_form form, const double *weight, double *out,
                             ew_error *err) {
  int width = fe_form_width(form, s->m->dim);
  memset(out, 0, (size_t)fe_edges(s) * (size_t)width * sizeof *out);
  if (form == FE_VECTOR) return direct(s, out, err);
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n; i++) integrate_row(s, form, weight, i, out);
  return EW_OK;
}

void fe_integrate_nodes(const fe_space *s, const double *weight, double *out) {
  int corners = s->m->dim + 1;
#pragma omp parallel for schedule(static)
  for (int32_t i = 0; i < s->n; i++) {
    out[i] = 0;
    for (int32_t k = s->around[i]; k < s->around[i + 1]; k++) {
      const cell_id c = s->corner[k] / corners;
      out[i] += (weight ? weight[c] : 1) * s->m->cell_volume[c] / corners;
    }
  }
}
