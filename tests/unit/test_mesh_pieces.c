/* Pieces of a mesh for the local memory of work-groups: every cell once, faces and rings complete, local numbers those of the mesh. */
#include "test_mesh_fixture.h"

#include "mesh/pieces.h"
#include "mesh/renumber.h"

static const int32_t *start_of(const mesh_pieces *p, int32_t piece) {
  return p->start + (size_t)piece * MESH_PIECE_WIDTH;
}

/* What a piece calls its cell or ring cell number `local`. */
static cell_id cell_of(const mesh_pieces *p, int32_t piece, int32_t local) {
  const int32_t *s = start_of(p, piece), *next = start_of(p, piece + 1);
  const int32_t own = next[MESH_PIECE_CELL] - s[MESH_PIECE_CELL];
  assert_in_range(local, 0, own + next[MESH_PIECE_RING] - s[MESH_PIECE_RING] - 1);
  return local < own ? s[MESH_PIECE_CELL] + local : p->ring[s[MESH_PIECE_RING] + local - own];
}

static void assert_ring(const mesh_pieces *p, int32_t piece) {
  const int32_t *s = start_of(p, piece), *next = start_of(p, piece + 1);
  for (int32_t i = s[MESH_PIECE_RING]; i < next[MESH_PIECE_RING]; i++) {
    const bool own = p->ring[i] >= s[MESH_PIECE_CELL] && p->ring[i] < next[MESH_PIECE_CELL];
    assert_false(own);
    assert_true(i == s[MESH_PIECE_RING] || p->ring[i] > p->ring[i - 1]);
  }
}

static void assert_faces(const mesh *m, const mesh_pieces *p, int32_t piece) {
  const int32_t *s = start_of(p, piece), *next = start_of(p, piece + 1);
  for (int32_t i = s[MESH_PIECE_FACE]; i < next[MESH_PIECE_FACE]; i++) {
    const face_id f = p->face[i];
    const bool inner = i - s[MESH_PIECE_FACE] < s[MESH_PIECE_INNER];
    assert_int_equal(inner, f < m->n_interior);
    if (!inner) continue;
    assert_int_equal(cell_of(p, piece, p->ends[i] & 65535), m->face_left[f]);
    assert_int_equal(cell_of(p, piece, p->ends[i] >> 16), m->face_right[f]);
  }
}

static void assert_sides(const mesh *m, const mesh_pieces *p, int32_t piece) {
  const int32_t *s = start_of(p, piece), *next = start_of(p, piece + 1);
  for (cell_id c = s[MESH_PIECE_CELL]; c < next[MESH_PIECE_CELL]; c++)
    for (int32_t i = m->sides.start[c]; i < m->sides.start[c + 1]; i++) {
      const int32_t side = p->side[i], local = side >= 0 ? side : ~side;
      assert_in_range(local, 0, next[MESH_PIECE_FACE] - s[MESH_PIECE_FACE] - 1);
      assert_int_equal(p->face[s[MESH_PIECE_FACE] + local], m->sides.face[i]);
      assert_int_equal(side >= 0, m->face_left[m->sides.face[i]] == c);
    }
}

static mesh_pieces *assert_pieces(const mesh *m, mesh_piece_limits most) {
  ew_error err;
  mesh_pieces *p = NULL;
  assert_fine(mesh_pieces_create(m, most, &p, &err), &err);
  assert_int_equal(start_of(p, 0)[MESH_PIECE_CELL], 0);
  assert_int_equal(start_of(p, p->n)[MESH_PIECE_CELL], m->n_cells);
  for (int32_t piece = 0; piece < p->n; piece++) {
    const int32_t *s = start_of(p, piece), *next = start_of(p, piece + 1);
    assert_in_range(next[MESH_PIECE_CELL] - s[MESH_PIECE_CELL], 1, most.cells);
    assert_in_range(next[MESH_PIECE_RING] - s[MESH_PIECE_RING], 0, most.ring);
    assert_in_range(next[MESH_PIECE_FACE] - s[MESH_PIECE_FACE], 1, most.faces);
    assert_ring(p, piece);
    assert_faces(m, p, piece);
    assert_sides(m, p, piece);
  }
  return p;
}

static void every_order_falls_into_pieces(void **state) {
  (void)state;
  ew_error err;
  for (int order = 0; order < 4; order++)
    for (int kind = 0; kind < 3; kind++) {
      mesh *m = kind == 2
                    ? make_box((mesh_box_options){.x1 = 1, .y1 = 1, .z1 = 1, .nx = 4, .ny = 3, .nz = 5})
                    : make_rectangle((mesh_rectangle_options){.nx = 13,
                                                              .ny = 11,
                                                              .x1 = 1,
                                                              .y1 = 1,
                                                              .periodic_x = true,
                                                              .kind = kind ? MESH_BLOCKS : MESH_SIMPLICES});
      assert_fine(mesh_renumber(m, (mesh_cell_order)order, MESH_FACES_SORTED, 1, &err), &err);
      static const mesh_piece_limits most[] = {
          {16, 32, 64}, {64, 40, 130}, {128, 128, 400}, {1024, 1024, 4000}};
      for (int i = 0; i < 4; i++) {
        mesh_pieces *p = assert_pieces(m, most[i]);
        mesh_pieces_destroy(&p);
        assert_null(p);
      }
      mesh_destroy(&m);
    }
}

static void compact_pieces_are_full(void **state) {
  (void)state;
  ew_error err;
  mesh *m = make_rectangle(
      (mesh_rectangle_options){.nx = 64, .ny = 64, .x1 = 1, .y1 = 1, .diagonal = MESH_DIAGONAL_ALTERNATING});
  assert_fine(mesh_renumber(m, MESH_CELLS_HILBERT, MESH_FACES_SORTED, 1, &err), &err);
  mesh_pieces *p = assert_pieces(m, (mesh_piece_limits){128, 64, 240});
  assert_int_equal(p->n, m->n_cells / 128);
  assert_in_range(start_of(p, p->n)[MESH_PIECE_FACE], 3 * m->n_cells / 2, 1.7 * m->n_cells); /* 1.63 */
  mesh_pieces_destroy(&p);
  mesh_destroy(&m);
}

static void too_small_for_a_cell(void **state) {
  (void)state;
  ew_error err;
  mesh_pieces *p = NULL;
  mesh *m = make_rectangle((mesh_rectangle_options){.nx = 4, .ny = 4, .x1 = 1, .y1 = 1, .kind = MESH_BLOCKS});
  assert_int_equal(mesh_pieces_create(m, (mesh_piece_limits){16, 2, 64}, &p, &err), EW_INPUT);
  assert_contains(err.text, "a patch has room for 64 and 2");
  assert_null(p);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_order_falls_into_pieces),
      cmocka_unit_test(compact_pieces_are_full),
      cmocka_unit_test(too_small_for_a_cell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
