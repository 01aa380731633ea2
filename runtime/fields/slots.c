/* Edges in slices: see DSLC_SLICE. The number behind a source's colon says for how many work-items a node the slots are laid out. */
#include <stdlib.h>
#include <string.h>

#include "fields/on_nodes.h"

typedef enum slot_source { SLOT_NONE, SLOT_START, SLOT_NODE, SLOT_OF_EDGE } slot_source;

static slot_source source_of(const dslc_buffer *b, fe_slicing *how) {
  static const char *const word[] = {"", "slot_start:", "slot_node:", "edge_slot:"};
  for (int k = SLOT_START; k <= SLOT_OF_EDGE && b->kind == DSLC_BUFFER_TOPOLOGY; k++) {
    size_t length = strlen(word[k]);
    if (strncmp(b->source, word[k], length) != 0) continue;
    *how = (fe_slicing){DSLC_SLICE, atoi(b->source + length)};
    return (slot_source)k;
  }
  return SLOT_NONE;
}

bool exec_is_in_slots(const dslc_buffer *b) {
  fe_slicing how;
  return source_of(b, &how) == SLOT_NODE;
}

static bool is_possible(fe_slicing how) {
  return how.lanes >= 1 && how.lanes <= how.width && how.width % how.lanes == 0;
}

ew_status exec_slots_make_room(exec_run *run, ew_error *err) {
  exec_place *edges = &run->place[DSLC_EDGES];
  for (int b = 0; b < run->program->n_buffers; b++) {
    const dslc_buffer *buffer = &run->program->buffer[b];
    fe_slicing how;
    int32_t slots;
    if (source_of(buffer, &how) == SLOT_NONE) continue;
    if (!is_possible(how))
      return ew_fail(err, EW_INPUT, "buffer '%s' is '%s'; expected a number that divides %d behind the colon",
                     buffer->name, buffer->source, how.width);
    ew_status status = fe_slice(run->fe, how, NULL, &slots, err);
    if (status != EW_OK) return status;
    if (slots + how.width > edges->stride) edges->stride = slots + how.width; /* kernels read ahead */
  }
  return EW_OK;
}

bool exec_slots(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err) {
  fe_slicing how;
  int32_t slots, *start = NULL;
  slot_source source = source_of(b, &how);
  if (source == SLOT_NONE) return false;
  start = malloc(((size_t)run->fe->n + 1) * sizeof *start);
  bool good = start && fe_slice(run->fe, how, start, &slots, err) == EW_OK;
  if (good && source == SLOT_START) memcpy(out, start, (size_t)run->fe->n * sizeof *out);
  if (good && source == SLOT_NODE) fe_slot_node(run->fe, how, start, out);
  if (good && source == SLOT_OF_EDGE) fe_edge_slot(run->fe, how, start, out);
  free(start);
  return good;
}
