/* Linear finite elements on triangles and tetrahedra: degrees of freedom at the nodes of a mesh, the graph of their
 * edges, integrals over the mesh by node and by edge, and the rows at which boundary rules act.
 *
 * Numbering   A degree of freedom ("dof") is a node of the mesh, or all nodes that periodic sides lay on each other. Dofs
 * have an order of their own, chosen for the graph; `dof` and `node` lead from one numbering to the other.
 * Graph       Directed edges in CSR order: entries start[i] .. start[i+1]-1 of row i, columns `next` increasing, i itself
 * left out. Every edge has a twin. An edge of a cell from a node to its own periodic image is no edge of the
 * graph: differences along it are zero.
 * Lifetime    A space borrows its mesh, which must neither move nor be renumbered while the space lives.
 * Bits        Results depend neither on the number of threads nor on chance; sums run over cells in the mesh's order. */
#ifndef EW_FE_FE_H
#define EW_FE_FE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mesh/mesh.h"
#include "mesh/renumber.h"

typedef struct fe_space {
  const mesh *m;
  int32_t n;       /* dofs */
  int32_t *dof;    /* [m->n_nodes] the dof of every node of the mesh */
  node_id *node;   /* [n] of the nodes of every dof the one whose coordinates are lowest */
  int32_t *start;  /* [n + 1] */
  int32_t *next;   /* [start[n]] */
  int32_t *around; /* [n + 1] into corner */
  int32_t *corner; /* places in m->cell_node that hold the dof, increasing */
} fe_space;

/* EW_INPUT, with how many and where, if not all cells are triangles (2D) or tetrahedra (3D). */
ew_status fe_check_mesh(const mesh *m, ew_error *err);

/* Errors: EW_INPUT for cells that are no simplices, for periodic faces whose nodes do not meet; memory. `seed` is for random
 * orders. */
ew_status fe_create(const mesh *m, mesh_cell_order order, uint64_t seed, fe_space **out, ew_error *err);
void fe_destroy(fe_space **space);

/* Number of directed edges. */
static inline int32_t fe_edges(const fe_space *s) { return s->start[s->n]; }

/* The place of edge i -> j, or -1. */
int32_t fe_find_edge(const fe_space *s, int32_t i, int32_t j);

/* Largest |i - j| over all edges. */
int32_t fe_bandwidth(const fe_space *s);

/* Parts of the graph without an edge between them; part[n] receives their numbers from 0, in the order of their first dofs. */
ew_status fe_parts(const fe_space *s, int32_t *part, int32_t *n_parts, ew_error *err);

/* [fe_edges] the first node of every edge; the same edge from the other end; the number of the undirected edge, twice each. */
void fe_edge_from(const fe_space *s, int32_t *out);
void fe_edge_twin(const fe_space *s, int32_t *out);
ew_status fe_edge_pair(const fe_space *s, int32_t *out, ew_error *err);
/* The first node of one edge, by halving. */
int32_t fe_first_node(const fe_space *s, int32_t edge);
/* [dim] the middle of an edge, from either end the same; of those that periodic sides lay on each other the lowest in x, then y, then z. */
void fe_edge_middle(const fe_space *s, int32_t edge, double *x);

/* Edges in slices of `width` slots, for `lanes` items a node that stand side by side (powers of two, lanes <= width): a slice has
 * width/lanes nodes; of each of them its first `lanes` edges, node after node, then the next ones of each, and so on. Entry k of
 * node i is in slot start[i] + k/lanes*width + k%lanes; where another node of the slice has more edges, slots stay empty. */
typedef struct fe_slicing {
  int32_t width, lanes;
} fe_slicing;

/* start [n], or NULL; slots: their number. EW_INPUT if they are too many to number. */
ew_status fe_slice(const fe_space *s, fe_slicing how, int32_t *start, int32_t *slots, ew_error *err);
/* [fe_edges] the slot of every edge; [slots] the second node of the edge in every slot: empty ones are left alone. */
void fe_edge_slot(const fe_space *s, fe_slicing how, const int32_t *start, int32_t *out);
void fe_slot_node(const fe_space *s, fe_slicing how, const int32_t *start, int32_t *out);

/* ---- integrals ----------------------------------------------------------------------------------------------------------------- */

/* Over the mesh, of products of the hat functions N and their gradients dN; row I, column J. Closed forms on each cell of
 * volume V in D dimensions. */
typedef enum fe_form {
  FE_N_DN,        /* N[I]*dN[J]: V/(D+1) dN[J], a vector */
  FE_DN_N,        /* dN[I]*N[J] */
  FE_N_N,         /* V/((D+1)(D+2)) */
  FE_DOT_DN_DN,   /* V dN[I].dN[J] */
  FE_OUTER_DN_DN, /* V dN[I]_a dN[J]_b at [D*a + b] */
  FE_VECTOR       /* no integral: from I to J, across periodic sides the short way */
} fe_form;

int fe_form_width(fe_form form, int dim);

/* out [fe_edges * width]; weight [cells], a number that stands under the integral, NULL: 1. FE_VECTOR fails (EW_INPUT) where a mesh of fewer than three cells across a periodic direction joins two
 * nodes by edges in two directions. */
ew_status fe_integrate_edges(const fe_space *s, fe_form form, const double *weight, double *out,
                             ew_error *err);

/* integral(N[I]): the lumped mass, out [n]. */
void fe_integrate_nodes(const fe_space *s, const double *weight, double *out);

/* ---- rows of boundary rules --------------------------------------------------------------------------------------------------------- */

/* A face of a rule's boundary, and the number of the case's entry that it belongs to. */
typedef struct fe_face {
  face_id face;
  int32_t entry;
} fe_face;

/* What rules do at nodes: rows by layers, in a layer every dof once. */
typedef struct fe_rows {
  int32_t n, n_layers;
  int32_t *layer; /* [n_layers + 1] first row of each */
  int32_t *dof;   /* [n] increasing within a layer */
  node_id *node;  /* [n] the node of the mesh on the rule's own side */
  int32_t *entry; /* [n] whose arguments count */
  double *area;   /* [n] the node's share of its faces: area/D of each */
  double *normal; /* [n * D] outward, of length 1: the faces' mean, weighted by area */
} fe_rows;

void fe_rows_destroy(fe_rows **rows);

/* Values: one row for every dof that the faces touch, of the entry that comes first in `face`. */
ew_status fe_value_rows(const fe_space *s, const fe_face *face, int32_t n, fe_rows **out, ew_error *err);

/* The rows of those entries e for which keep[e] is set. */
ew_status fe_rows_select(const fe_space *s, const fe_rows *from, const bool *keep, fe_rows **out,
                         ew_error *err);

/* Projections: a row for every normal at a node. Faces that meet at an angle of at most `angle` (radians) share their mean normal.
 * normals[dof * D * D] and count[dof] hold the orthonormal normals of projections before this one; what is new is
 * orthogonal to those and added, a normal that lies within `angle` of what they span is not new. Dofs with taken[dof] are
 * left out. */
typedef struct fe_normals {
  double *normal;
  uint8_t *count;
  const bool *taken; /* borrowed */
  double angle;
} fe_normals;
ew_status fe_normals_create(const fe_space *s, const bool *taken, double angle, fe_normals *out,
                            ew_error *err);
void fe_normals_clear(fe_normals *normals);
ew_status fe_projection_rows(const fe_space *s, const fe_face *face, int32_t n, fe_normals *normals,
                             fe_rows **out, ew_error *err);

/* Additions: every entry acts, and the faces on both sides of a corner each with their own normal; so that area*normal is the
 * integral of the normal. */
ew_status fe_addition_rows(const fe_space *s, const fe_face *face, int32_t n, double angle, fe_rows **out,
                           ew_error *err);

#endif
