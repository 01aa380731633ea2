/* What a run has of nodes and edges: the space of linear elements, the rows at which boundary rules act, linear systems. Internal to
 * the runtime.
 *
 *   nodes.c    numbers, geometry and topology of nodes, edges and rows; values in the mesh's order
 *   slots.c    edges in slices
 *   holds.c    rows of rules at nodes, and their arguments
 *   solves.c   linear systems
 */
#ifndef EW_EXEC_ON_NODES_H
#define EW_EXEC_ON_NODES_H

#include "fields/asked.h"
#include "run/internal.h"
#include "fe/fe.h"

/* Whether anything of the program lies at nodes or edges. */
bool exec_uses_nodes(const dslc_program *p);

/* places.c leaves nodes and edges to these. */
ew_status exec_nodes_create(exec_run *run, ew_error *err);
void exec_nodes_destroy(exec_run *run);

/* Whether a geometry or topology buffer is of nodes, edges or rows. */
bool exec_is_nodal(const dslc_buffer *b);
/* Elements of such a topology buffer. */
size_t exec_node_elements(const exec_run *run, const dslc_buffer *b);
ew_status exec_node_geometry(exec_run *run, int buffer, ew_error *err);
/* Geometry of nodes, [n * width]; false: they have none of that kind. */
bool exec_node_values(const exec_run *run, const dslc_source *source, double *out);
/* False: edges have no geometry of that kind. */
bool exec_edge_form(const dslc_source *source, fe_form *form);
/* DSLC_SOURCE_WEIGHTED, of the nodes or of the edges, as its form says. Errors: memory, and what a case's function may raise. */
ew_status exec_weighted_integral(exec_run *run, const dslc_source *source, double *out, ew_error *err);
/* False: there is no topology of that kind. */
bool exec_node_topology(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err);

/* slots.c: edges' buffers are as long as the program's slots need. EW_INPUT: a manifest asks for none that can be. */
ew_status exec_slots_make_room(exec_run *run, ew_error *err);
bool exec_is_in_slots(const dslc_buffer *b); /* one number a slot */
/* As exec_node_topology. */
bool exec_slots(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err);

/* A field's columns of its buffer's values [n * width], from the order of dofs to that of the mesh's nodes. */
void exec_nodes_expand(const exec_run *run, const dslc_field *f, int width, const double *values,
                       double *out);

/* holds.c: the rows of every hold of the program. */
ew_status exec_holds_create(exec_run *run, ew_error *err);
void exec_holds_destroy(exec_run *run);
/* Whether some rule gives the value of field number `field` at a dof: held[n]. Returns how many there are. */
int32_t exec_held(const exec_run *run, int field, int32_t *held);
/* Whether a dof lies on a face that obeys the rule, whatever other rules say there: on[n]. */
void exec_on_rule(const exec_run *run, int rule, int32_t *on);
/* The values of a rule's argument by row. */
ew_status exec_hold_argument(exec_run *run, const dslc_buffer *b, const exec_asked *asked, ew_error *err);

/* solves.c: after the buffers and kernels are made. */
ew_status exec_solves_create(exec_run *run, ew_error *err);
void exec_solves_destroy(exec_run *run);
/* Solves system `number` now; returns when that is done. EW_NOT_CONVERGED. */
ew_status exec_solve(exec_run *run, int number, ew_error *err);

#endif
