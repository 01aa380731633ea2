/* Greedy colouring of faces in their order: a face takes the lowest colour that none of its cells has met. Ghosts
 * belong to one face each and cannot collide. The result depends on the mesh only. */
#include <stdlib.h>
#include <string.h>

#include "run/internal.h"

enum { MOST_COLOURS = 64 }; /* one bit each; a face meets fewer than twice the faces of a cell */

static int lowest_free(uint64_t used) {
  int colour = 0;
  while (colour < MOST_COLOURS && (used >> colour & 1)) colour++;
  return colour;
}

static ew_status choose(const mesh *m, uint64_t *met, uint8_t *colour, int *n_colours, ew_error *err) {
  for (face_id f = 0; f < m->n_faces; f++) {
    cell_id left = m->face_left[f], right = m->face_right[f];
    bool ghost = right >= m->n_cells;
    int c = lowest_free(met[left] | (ghost ? 0 : met[right]));
    if (c == MOST_COLOURS)
      return ew_fail(err, EW_INPUT, "cell %d has too many faces to colour them with %d colours", left,
                     MOST_COLOURS);
    colour[f] = (uint8_t)c;
    met[left] |= (uint64_t)1 << c;
    if (!ghost) met[right] |= (uint64_t)1 << c;
    if (c >= *n_colours) *n_colours = c + 1;
  }
  return EW_OK;
}

/* Counting sort: the faces of one colour keep their order. */
static void sort_faces(const uint8_t *colour, face_id n_faces, int n_colours, int32_t *start, int32_t *face) {
  int32_t next[MOST_COLOURS + 1] = {0};
  for (face_id f = 0; f < n_faces; f++) next[colour[f] + 1]++;
  for (int c = 0; c < n_colours; c++) next[c + 1] += next[c];
  memcpy(start, next, ((size_t)n_colours + 1) * sizeof *start);
  for (face_id f = 0; f < n_faces; f++) face[next[colour[f]]++] = f;
}

ew_status exec_colours_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = run->m;
  uint64_t *met = calloc((size_t)m->n_cells + 1, sizeof *met);
  uint8_t *colour = malloc((size_t)m->n_faces + 1);
  run->points.colours.face = malloc(((size_t)m->n_faces + 1) * sizeof *run->points.colours.face);
  run->points.colours.start = malloc((MOST_COLOURS + 1) * sizeof *run->points.colours.start);
  if (!met || !colour || !run->points.colours.face || !run->points.colours.start)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for the colours of %d faces", m->n_faces);
  EW_CHECK(choose(m, met, colour, &run->points.colours.n, err));
  sort_faces(colour, m->n_faces, run->points.colours.n, run->points.colours.start, run->points.colours.face);
cleanup:
  free(met);
  free(colour);
  return status;
}
