/* A field's values where they lie, in the buffer that kernels compute with: what programs see that embed the runtime.
 *
 * Order       Cells and faces of a mesh: the mesh's, nodes: that of the unknowns (fe_space.node), points of a grid: x fastest, without
 *             the padding around them.
 * Life        A view holds until it is closed; the run must neither advance nor compute quantities in between. */
#ifndef EW_FIELDS_VIEW_H
#define EW_FIELDS_VIEW_H

#include "run/internal.h"

typedef struct exec_view {
  const dslc_field *field;
  dev_buffer *mapped; /* NULL: closed */
  bool write, in_place;
  dslc_element element; /* DSLC_F64 or DSLC_F32 */
  void *data;           /* component 0 of the first entity */
  int n_axes;           /* 1 on a mesh; on a grid as many as it has, the slowest first */
  int64_t shape[3];     /* entities along them */
  int64_t stride[3];    /* bytes from one to the next */
  int64_t component_stride;
} exec_view;

/* Entities of a view of the field. */
int64_t exec_view_count(const exec_run *run, const dslc_field *f);
/* Quantities are computed first. EW_INPUT: no such field, one that was not built to be shown, or, with `write`, one that is no state. */
ew_status exec_view_open(exec_run *run, const char *field, bool write, exec_view *out, ew_error *err);
/* What was written is the state's new value; copies beyond boundaries start from it, as at the beginning of a run. Closed ones: nothing. */
ew_status exec_view_close(exec_run *run, exec_view *view, ew_error *err);

#endif
