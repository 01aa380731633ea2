/* Linear finite elements on triangles and tetrahedra, element by element: the integrals that an edge-based
 * scheme keeps on its edges, found the long way, for tests to compare with and for the solvers written by hand
 * beside this file.
 *
 * Arrays are plain: vectors are stored component after component, [n * dim]; an edge is directed, from a node
 * I to a neighbour J, and each is there twice. Memory: what is created belongs to the caller; destroy accepts
 * NULL and nulls the pointer; create functions return NULL when memory runs out. */
#ifndef EW_REFERENCE_P1_H
#define EW_REFERENCE_P1_H

#include <stdbool.h>
#include <stdint.h>

typedef struct p1_mesh {
  int dim; /* 2: triangles, 3: tetrahedra */
  int32_t n_nodes, n_elements;
  const double *x;        /* [n_nodes * dim] m */
  const int32_t *element; /* [n_elements * (dim + 1)] the corners, of either orientation */
  double period[3];       /* m; 0 along an axis that is not periodic. Elements are shorter than half of it */
} p1_mesh;

/* An element with the gradients of its shape functions. All vectors have three components, the third is 0 in
 * 2D, so that one text serves both. */
typedef struct p1_element {
  int32_t node[4];
  double volume;
  double grad[4][3]; /* 1/m */
  double x[4][3];    /* m, the corners as seen from the first: across a periodic side the short way */
} p1_element;

p1_element p1_element_at(const p1_mesh *m, int32_t e);

/* The neighbours J of each node I, J != I, ascending: node[start[I]] to node[start[I + 1] - 1]. */
typedef struct p1_graph {
  int32_t n, *start, *node;
} p1_graph;

p1_graph *p1_graph_create(const p1_mesh *m);
void p1_graph_destroy(p1_graph **g);
/* The place of edge I -> J in the graph's order, -1 if there is none. */
int32_t p1_graph_find(const p1_graph *g, int32_t i, int32_t j);

/* Integrals over the domain; N_I is the shape function of node I. Edges as in `graph`. */
typedef struct p1_integrals {
  p1_graph *graph;
  double *mass;      /* [n] of N_I: the lumped mass, m^dim */
  double *mass_edge; /* [edges] of N_I N_J */
  double *grad;      /* [edges * dim] of N_I grad N_J */
  double *g;         /* [edges * dim] of grad N_I N_J */
  double *ld;        /* [edges * dim * dim] of grad N_I (x) grad N_J, row after row: rows go with I */
} p1_integrals;

p1_integrals *p1_integrals_create(const p1_mesh *m);
void p1_integrals_destroy(p1_integrals **p);

#endif
