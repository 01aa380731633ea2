#include "mesh/pieces.h"

#include <stdlib.h>
#include <string.h>

typedef struct builder {
  const mesh *m;
  mesh_piece_limits most;
  mesh_pieces *to;
  int32_t *cell_mark,
      *face_mark; /* 1 + the piece in whose ring a cell is, or whose face it is: the last one */
  int32_t *cell_local, *face_local;
  int32_t cells, ring, faces; /* of the piece that grows */
  int32_t rings, all_faces;   /* of all that are closed */
} builder;

static int compare(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* ---- growing ---------------------------------------------------------------------------------------------------------- */

static bool is_own(cell_id first, cell_id end, cell_id c) { return c >= first && c < end; }

/* Takes cell `c` into the piece that began with `first`, which has grown up to it. */
static void take(builder *b, cell_id first, cell_id c) {
  const mesh *m = b->m;
  const int32_t mark = b->to->n + 1;
  b->cells++;
  if (b->cell_mark[c] == mark) b->ring--;
  for (int32_t i = m->sides.start[c]; i < m->sides.start[c + 1]; i++) {
    const face_id f = m->sides.face[i];
    const cell_id d = m->sides.across[i];
    if (b->face_mark[f] != mark) b->face_mark[f] = mark, b->faces++;
    if (f >= m->n_interior || is_own(first, c + 1, d) || b->cell_mark[d] == mark) continue;
    b->cell_mark[d] = mark;
    b->ring++;
  }
}

static bool fits(const builder *b) {
  return b->cells <= b->most.cells && b->ring <= b->most.ring && b->faces <= b->most.faces;
}

/* The first cell behind the piece that begins with `first`. What a cell that no longer fits has marked is of no harm: the next piece has
 * another mark, and this one is collected from its cells. */
static cell_id grow(builder *b, cell_id first) {
  cell_id c = first;
  b->cells = b->ring = b->faces = 0;
  while (c < b->m->n_cells) {
    take(b, first, c);
    if (!fits(b)) break;
    c++;
  }
  return c;
}

/* ---- closing ------------------------------------------------------------------------------------------------------------ */

/* The faces and the ring of the cells [first, end), each once. Marks are of the second kind: -1 - the piece. */
static void collect(builder *b, cell_id first, cell_id end, int32_t *n_ring, int32_t *n_faces) {
  const mesh *m = b->m;
  const int32_t mark = -1 - b->to->n;
  *n_ring = *n_faces = 0;
  for (cell_id c = first; c < end; c++)
    for (int32_t i = m->sides.start[c]; i < m->sides.start[c + 1]; i++) {
      const face_id f = m->sides.face[i];
      const cell_id d = m->sides.across[i];
      if (b->face_mark[f] != mark) b->face_mark[f] = mark, b->to->face[b->all_faces + (*n_faces)++] = f;
      if (f >= m->n_interior || is_own(first, end, d) || b->cell_mark[d] == mark) continue;
      b->cell_mark[d] = mark;
      b->to->ring[b->rings + (*n_ring)++] = d;
    }
  qsort(b->to->ring + b->rings, (size_t)*n_ring, sizeof *b->to->ring, compare);
  qsort(b->to->face + b->all_faces, (size_t)*n_faces, sizeof *b->to->face, compare);
}

/* The numbers that the piece gives its cells, its ring and its faces; in the order of the mesh boundary faces are the last. */
static int32_t number(builder *b, cell_id first, cell_id end, int32_t n_ring, int32_t n_faces) {
  const mesh *m = b->m;
  int32_t inner = 0;
  for (cell_id c = first; c < end; c++) b->cell_local[c] = c - first;
  for (int32_t i = 0; i < n_ring; i++) b->cell_local[b->to->ring[b->rings + i]] = end - first + i;
  for (int32_t i = 0; i < n_faces; i++) {
    const face_id f = b->to->face[b->all_faces + i];
    const bool inside = f < m->n_interior;
    b->face_local[f] = i;
    b->to->ends[b->all_faces + i] =
        inside ? 65536 * b->cell_local[m->face_right[f]] + b->cell_local[m->face_left[f]] : 0;
    inner += inside;
  }
  return inner;
}

static void close_piece(builder *b, cell_id first, cell_id end) {
  const mesh *m = b->m;
  int32_t n_ring, n_faces, *start = b->to->start + (size_t)b->to->n * MESH_PIECE_WIDTH;
  collect(b, first, end, &n_ring, &n_faces);
  start[MESH_PIECE_CELL] = first;
  start[MESH_PIECE_RING] = b->rings;
  start[MESH_PIECE_FACE] = b->all_faces;
  start[MESH_PIECE_INNER] = number(b, first, end, n_ring, n_faces);
  for (cell_id c = first; c < end; c++)
    for (int32_t i = m->sides.start[c]; i < m->sides.start[c + 1]; i++) {
      const int32_t local = b->face_local[m->sides.face[i]];
      b->to->side[i] = m->face_left[m->sides.face[i]] == c ? local : ~local;
    }
  b->rings += n_ring;
  b->all_faces += n_faces;
  b->to->n++;
}

/* ---- life ----------------------------------------------------------------------------------------------------------------- */

/* Each entry of a cell's row brings at most one face and one cell of the ring. */
static bool take_memory(builder *b) {
  const mesh *m = b->m;
  const size_t entries = (size_t)m->sides.start[m->n_cells] + 1, cells = (size_t)m->n_cells + 1,
               faces = (size_t)m->n_faces + 1;
  mesh_pieces *p = b->to = calloc(1, sizeof *p);
  if (!p) return false;
  p->start = calloc((cells + 1) * MESH_PIECE_WIDTH, sizeof *p->start);
  p->ring = calloc(entries, sizeof *p->ring);
  p->face = calloc(entries, sizeof *p->face);
  p->ends = calloc(entries, sizeof *p->ends);
  p->side = calloc(entries, sizeof *p->side);
  b->cell_mark = calloc(cells, sizeof *b->cell_mark);
  b->face_mark = calloc(faces, sizeof *b->face_mark);
  b->cell_local = calloc(cells, sizeof *b->cell_local);
  b->face_local = calloc(faces, sizeof *b->face_local);
  return p->start && p->ring && p->face && p->ends && p->side && b->cell_mark && b->face_mark &&
         b->cell_local && b->face_local;
}

static ew_status cut(builder *b, ew_error *err) {
  const mesh *m = b->m;
  for (cell_id first = 0; first < m->n_cells;) {
    const cell_id end = grow(b, first);
    if (end == first)
      return ew_fail(
          err, EW_INPUT,
          "cell %d of the mesh has %d faces and %d cells around it, a patch has room for %d and %d\n"
          "  hint: a larger group, or another setting of `faces` than patch",
          m->cell_origin[first], b->faces, b->ring, b->most.faces, b->most.ring);
    close_piece(b, first, end);
    first = end;
  }
  int32_t *last = b->to->start + (size_t)b->to->n * MESH_PIECE_WIDTH;
  last[MESH_PIECE_CELL] = m->n_cells;
  last[MESH_PIECE_RING] = b->rings;
  last[MESH_PIECE_FACE] = b->all_faces;
  return EW_OK;
}

ew_status mesh_pieces_create(const mesh *m, mesh_piece_limits most, mesh_pieces **out, ew_error *err) {
  builder b = {.m = m, .most = most};
  ew_status status = take_memory(&b)
                         ? cut(&b, err)
                         : ew_fail(err, EW_FAIL, "out of memory for patches of %d cells", m->n_cells);
  free(b.cell_mark);
  free(b.face_mark);
  free(b.cell_local);
  free(b.face_local);
  if (status != EW_OK) mesh_pieces_destroy(&b.to);
  *out = b.to;
  return status;
}

void mesh_pieces_destroy(mesh_pieces **p) {
  if (!p || !*p) return;
  free((*p)->start);
  free((*p)->ring);
  free((*p)->face);
  free((*p)->ends);
  free((*p)->side);
  free(*p);
  *p = NULL;
}
