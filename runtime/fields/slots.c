/* Edges in slices: see DSLC_SLICE. A source's `lanes` say for how many work-items a node the slots are laid out. */
#include <stdlib.h>
#include <string.h>

#include "fields/on_nodes.h"

/* Of a buffer that knows slots. */
static bool slicing_of(const dslc_buffer *b, fe_slicing *how) {
  *how = (fe_slicing){DSLC_SLICE, b->source.lanes};
  return (dslc_source_has(b->source.kind) & DSLC_HAS_LANES) != 0;
}

bool exec_is_in_slots(const dslc_buffer *b) { return b->source.kind == DSLC_SOURCE_SLOT_NODE; }

static bool is_possible(fe_slicing how) {
  return how.lanes >= 1 && how.lanes <= how.width && how.width % how.lanes == 0;
}

ew_status exec_slots_make_room(exec_run *run, ew_error *err) {
  exec_place *edges = &run->points.place[DSLC_EDGES];
  for (int b = 0; b < run->program->execution.n_buffers; b++) {
    const dslc_buffer *buffer = &run->program->execution.buffer[b];
    fe_slicing how;
    int32_t slots;
    if (!slicing_of(buffer, &how)) continue;
    if (!is_possible(how))
      return ew_fail(err, EW_INPUT,
                     "buffer '%s' has slots for %d work-items a node; expected a number that divides %d",
                     buffer->name, how.lanes, how.width);
    ew_status status = fe_slice(run->nodes.fe, how, NULL, &slots, err);
    if (status != EW_OK) return status;
    if (slots + how.width > edges->stride) edges->stride = slots + how.width; /* kernels read ahead */
  }
  return EW_OK;
}

bool exec_slots(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err) {
  fe_slicing how;
  int32_t slots, *start = NULL;
  dslc_source_kind kind = b->source.kind;
  if (!slicing_of(b, &how)) return false;
  start = malloc(((size_t)run->nodes.fe->n + 1) * sizeof *start);
  bool good = start && fe_slice(run->nodes.fe, how, start, &slots, err) == EW_OK;
  if (good && kind == DSLC_SOURCE_SLOT_START) memcpy(out, start, (size_t)run->nodes.fe->n * sizeof *out);
  if (good && kind == DSLC_SOURCE_SLOT_NODE) fe_slot_node(run->nodes.fe, how, start, out);
  if (good && kind == DSLC_SOURCE_EDGE_SLOT) fe_edge_slot(run->nodes.fe, how, start, out);
  free(start);
  return good;
}
