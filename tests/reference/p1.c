/* The gradients come from the cross products of an element's sides, not from an inverted matrix or from face
 * normals, which the runtime may use. */
#include "p1.h"

#include <math.h>
#include <stdlib.h>

static void cross(const double *a, const double *b, double *out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void place_corners(const p1_mesh *m, p1_element *e) {
  for (int a = 0; a <= m->dim; a++)
    for (int k = 0; k < m->dim; k++) {
      double d = m->x[e->node[a] * m->dim + k] - m->x[e->node[0] * m->dim + k], period = m->period[k];
      e->x[a][k] = period > 0 ? d - period * round(d / period) : d;
    }
}

p1_element p1_element_at(const p1_mesh *m, int32_t index) {
  p1_element e = {0};
  int corners = m->dim + 1;
  for (int a = 0; a < corners; a++) e.node[a] = m->element[index * corners + a];
  place_corners(m, &e);

  /* A triangle is the base of a prism of height 1. */
  const double up[3] = {0, 0, 1}, *third = m->dim == 3 ? e.x[3] : up;
  double c[3][3];
  cross(e.x[2], third, c[0]);
  cross(third, e.x[1], c[1]);
  cross(e.x[1], e.x[2], c[2]);
  double det = dot(third, c[2]);
  e.volume = fabs(det) / (m->dim == 3 ? 6 : 2);
  for (int a = 1; a < corners; a++)
    for (int k = 0; k < m->dim; k++) {
      e.grad[a][k] = c[a - 1][k] / det;
      e.grad[0][k] -= e.grad[a][k];
    }
  return e;
}

/* ---- the graph ---------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* start[I + 1]: as many places as the elements around node I have other corners. */
static void count_corners(const p1_mesh *m, int32_t *start) {
  int corners = m->dim + 1;
  for (int32_t k = 0; k < m->n_elements * corners; k++) start[m->element[k] + 1] += m->dim;
  for (int32_t i = 0; i < m->n_nodes; i++) start[i + 1] += start[i];
}

static void list_corners(const p1_mesh *m, const int32_t *start, int32_t *filled, int32_t *node) {
  int corners = m->dim + 1;
  for (int32_t e = 0; e < m->n_elements; e++) {
    const int32_t *c = m->element + e * corners;
    for (int a = 0; a < corners; a++)
      for (int b = 0; b < corners; b++)
        if (a != b) node[start[c[a]] + filled[c[a]]++] = c[b];
  }
}

/* Sorts the rows and names every neighbour once. */
static void tidy_rows(p1_graph *g) {
  int32_t to = 0;
  for (int32_t i = 0; i < g->n; i++) {
    int32_t from = g->start[i], end = g->start[i + 1];
    qsort(g->node + from, (size_t)(end - from), sizeof *g->node, ascending);
    g->start[i] = to;
    for (int32_t k = from; k < end; k++)
      if (k == from || g->node[k] != g->node[k - 1]) g->node[to++] = g->node[k];
  }
  g->start[g->n] = to;
}

p1_graph *p1_graph_create(const p1_mesh *m) {
  p1_graph *g = calloc(1, sizeof *g);
  if (!g) return NULL;
  size_t n = (size_t)m->n_nodes, places = (size_t)m->n_elements * (size_t)(m->dim * (m->dim + 1));
  int32_t *filled = calloc(n, sizeof *filled);
  g->n = m->n_nodes;
  g->start = calloc(n + 1, sizeof *g->start);
  g->node = malloc(places * sizeof *g->node);
  if (filled && g->start && g->node) {
    count_corners(m, g->start);
    list_corners(m, g->start, filled, g->node);
    tidy_rows(g);
  } else {
    p1_graph_destroy(&g);
  }
  free(filled);
  return g;
}

void p1_graph_destroy(p1_graph **p) {
  p1_graph *g = *p;
  *p = NULL;
  if (!g) return;
  free(g->start);
  free(g->node);
  free(g);
}

int32_t p1_graph_find(const p1_graph *g, int32_t i, int32_t j) {
  int32_t *row = g->node + g->start[i];
  int32_t *found = bsearch(&j, row, (size_t)(g->start[i + 1] - g->start[i]), sizeof *row, ascending);
  return found ? (int32_t)(found - g->node) : -1;
}

/* ---- the integrals ------------------------------------------------------------------------------------------ */

/* What element e gives to the edge from its corner a to its corner b. */
static void add_edge(p1_integrals *p, const p1_element *e, int dim, int a, int b) {
  int32_t k = p1_graph_find(p->graph, e->node[a], e->node[b]);
  p->mass_edge[k] += e->volume / ((dim + 1) * (dim + 2));
  for (int r = 0; r < dim; r++) {
    p->grad[k * dim + r] += e->volume / (dim + 1) * e->grad[b][r];
    p->g[k * dim + r] += e->volume / (dim + 1) * e->grad[a][r];
    for (int c = 0; c < dim; c++) p->ld[(k * dim + r) * dim + c] += e->volume * e->grad[a][r] * e->grad[b][c];
  }
}

static void assemble(p1_integrals *p, const p1_mesh *m) {
  for (int32_t i = 0; i < m->n_elements; i++) {
    p1_element e = p1_element_at(m, i);
    for (int a = 0; a <= m->dim; a++) {
      p->mass[e.node[a]] += e.volume / (m->dim + 1);
      for (int b = 0; b <= m->dim; b++)
        if (a != b) add_edge(p, &e, m->dim, a, b);
    }
  }
}

p1_integrals *p1_integrals_create(const p1_mesh *m) {
  p1_integrals *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->graph = p1_graph_create(m);
  if (!p->graph) {
    free(p);
    return NULL;
  }
  size_t edges = (size_t)p->graph->start[m->n_nodes] + 1 /* at least one place */, dim = (size_t)m->dim;
  p->mass = calloc((size_t)m->n_nodes, sizeof *p->mass);
  p->mass_edge = calloc(edges, sizeof *p->mass_edge);
  p->grad = calloc(edges * dim, sizeof *p->grad);
  p->g = calloc(edges * dim, sizeof *p->g);
  p->ld = calloc(edges * dim * dim, sizeof *p->ld);
  if (p->mass && p->mass_edge && p->grad && p->g && p->ld) assemble(p, m);
  else p1_integrals_destroy(&p);
  return p;
}

void p1_integrals_destroy(p1_integrals **pointer) {
  p1_integrals *p = *pointer;
  *pointer = NULL;
  if (!p) return;
  p1_graph_destroy(&p->graph);
  free(p->mass);
  free(p->mass_edge);
  free(p->grad);
  free(p->g);
  free(p->ld);
  free(p);
}
