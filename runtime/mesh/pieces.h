/* Consecutive cells of a mesh in pieces small enough for the local memory of a work-group, with the cells around each and its faces. (The
 * schedule's word for a piece is patch, which here is a part of the boundary.) */
#ifndef EW_MESH_PIECES_H
#define EW_MESH_PIECES_H

#include "mesh/mesh.h"

/* The most that a piece may have. Cells and ring together must stay below 32768. */
typedef struct mesh_piece_limits {
  int32_t cells, ring, faces;
} mesh_piece_limits;

enum { MESH_PIECE_CELL, MESH_PIECE_RING, MESH_PIECE_FACE, MESH_PIECE_INNER, MESH_PIECE_WIDTH };

typedef struct mesh_pieces {
  int32_t n;
  int32_t *
      start; /* [(n + 1)*MESH_PIECE_WIDTH] first cell, first entry of ring, first entry of face and ends, faces between two cells */
  cell_id
      *ring; /* [start of piece n] cells of other pieces that share a face with the piece's own, ascending */
  face_id
      *face; /* faces of the piece's cells: those between two cells, ascending, then those at boundaries */
  int32_t *
      ends; /* parallel: 65536*right + left, as the piece numbers its cells and then its ring; 0 at boundaries */
  int32_t *
      side; /* parallel to mesh.cell_face: the number of the face in the piece, ~ of it where the cell lies right of it */
} mesh_pieces;

/* Pieces as large as the limits let them be, in the order of the cells. EW_INPUT: a single cell has more neighbours or faces than a piece
 * may have. */
ew_status mesh_pieces_create(const mesh *m, mesh_piece_limits most, mesh_pieces **out, ew_error *err);
void mesh_pieces_destroy(mesh_pieces **p);

#endif
