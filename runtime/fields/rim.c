/* The cells at boundaries, in the order of their faces, and behind them the cells across their faces: what boundary rules look at. */
#include <stdlib.h>

#include "run/internal.h"

static void take(exec_rim *rim, uint8_t *taken, cell_id c) {
  if (taken[c]) return;
  taken[c] = 1;
  rim->cell[rim->wide++] = c;
}

static void find(const mesh *m, exec_rim *rim, uint8_t *taken) {
  for (face_id f = m->n_interior; f < m->n_faces; f++) take(rim, taken, m->face_left[f]);
  rim->n = rim->wide;
  for (int32_t i = 0; i < rim->n; i++) taken[rim->cell[i]] = 2;
  for (face_id f = 0; f < m->n_interior; f++) {
    const cell_id left = m->face_left[f], right = m->face_right[f];
    if (taken[left] == 2) take(rim, taken, right);
    if (taken[right] == 2) take(rim, taken, left);
  }
}

ew_status exec_rim_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = run->m;
  exec_rim *rim = &run->points.rim;
  uint8_t *taken = calloc((size_t)m->n_cells + 1, 1);
  rim->cell = calloc((size_t)m->n_cells + 1, sizeof *rim->cell);
  if (!taken || !rim->cell) EXEC_LEAVE(err, EW_FAIL, "out of memory for the cells at boundaries");
  find(m, rim, taken);
cleanup:
  free(taken);
  return status;
}
