#include "mesh/generate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/axis.h"

static const char *const patch_names[] = {"left", "right", "bottom", "top", "back", "front"};

typedef struct box {
  const mesh_box_options *options;
  mesh_axis axis[3];
  mesh *mesh;
  mesh_mark *mark;
  size_t n_marks;
} box;

static node_id node_number(const box *b, const int32_t i[3]) {
  return (i[2] * (b->axis[1].n + 1) + i[1]) * (b->axis[0].n + 1) + i[0];
}

/* The corners of a block; bit d of the index says which end along axis d. */
static void block_corners(const box *b, int32_t i, int32_t j, int32_t k, node_id corner[8]) {
  for (int n = 0; n < 8; n++)
    corner[n] = node_number(b, (int32_t[3]){i + (n & 1), j + (n >> 1 & 1), k + (n >> 2 & 1)});
}

static void place_nodes(box *b) {
  double *x = b->mesh->node_x;
  for (int32_t k = 0; k <= b->axis[2].n; k++)
    for (int32_t j = 0; j <= b->axis[1].n; j++)
      for (int32_t i = 0; i <= b->axis[0].n; i++) {
        *x++ = b->axis[0].x[i];
        *x++ = b->axis[1].x[j];
        *x++ = b->axis[2].x[k];
      }
}

/* Kuhn's six tetrahedra: from corner 0 to corner 7 along the axes in every order (Kuhn 1960). All are of
 * positive volume; opposite sides of the block carry the same diagonal, so blocks fit together and to their
 * periodic images. */
static const int8_t kuhn[6][4] = {{0, 1, 3, 7}, {0, 5, 1, 7}, {0, 3, 2, 7},
                                  {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 6, 4, 7}};

static const int8_t hex[8] = {0, 1, 3, 2, 4, 5, 7, 6};

static void write_cells(box *b) {
  node_id *out = b->mesh->cell_node, corner[8];
  for (int32_t k = 0; k < b->axis[2].n; k++)
    for (int32_t j = 0; j < b->axis[1].n; j++)
      for (int32_t i = 0; i < b->axis[0].n; i++) {
        block_corners(b, i, j, k, corner);
        if (b->options->kind == MESH_BLOCKS)
          for (int n = 0; n < 8; n++) *out++ = corner[hex[n]];
        else
          for (int n = 0; n < 24; n++) *out++ = corner[kuhn[n / 4][n % 4]];
      }
}

static void mark(box *b, node_id p, node_id q, node_id r, node_id s, int patch) {
  b->mark[b->n_marks++] = (mesh_mark){{p, q, r, s}, patch};
}

/* Marks one rectangle of the surface; the diagonal from its lowest to its highest corner cuts it for
 * tetrahedra. */
static void mark_rectangle(box *b, const node_id corner[4], int patch) {
  if (b->options->kind == MESH_BLOCKS) {
    mark(b, corner[0], corner[1], corner[3], corner[2], patch);
    return;
  }
  mark(b, corner[0], corner[1], corner[3], -1, patch);
  mark(b, corner[0], corner[2], corner[3], -1, patch);
}

static void mark_side(box *b, int axis, bool high) {
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  int32_t i[3];
  node_id corner[4];
  for (int32_t p = 0; p < b->axis[u].n; p++)
    for (int32_t q = 0; q < b->axis[v].n; q++) {
      for (int n = 0; n < 4; n++) {
        i[axis] = high ? b->axis[axis].n : 0;
        i[u] = p + (n & 1);
        i[v] = q + (n >> 1);
        corner[n] = node_number(b, i);
      }
      mark_rectangle(b, corner, 2 * axis + high);
    }
}

static ew_status mark_boundary(box *b, ew_error *err) {
  ew_status status = EW_OK;
  size_t nx = (size_t)b->axis[0].n, ny = (size_t)b->axis[1].n, nz = (size_t)b->axis[2].n;
  EW_CHECK(EW_NEW(b->mark, 4 * (nx * ny + ny * nz + nz * nx)));
  for (int axis = 0; axis < 3; axis++) {
    mark_side(b, axis, false);
    mark_side(b, axis, true);
  }
cleanup:
  return status;
}

static ew_status jitter_nodes(box *b, ew_error *err) {
  ew_status status = EW_OK;
  mesh_movable *movable = NULL;
  size_t n = 0;
  double jitter = b->options->jitter;
  if (jitter == 0) return EW_OK;
  EW_CHECK(EW_NEW(movable, b->mesh->n_nodes));
  for (int32_t k = 1; k < b->axis[2].n; k++)
    for (int32_t j = 1; j < b->axis[1].n; j++)
      for (int32_t i = 1; i < b->axis[0].n; i++)
        movable[n++] =
            (mesh_movable){node_number(b, (int32_t[3]){i, j, k}),
                           {mesh_axis_reach(&b->axis[0], i, jitter), mesh_axis_reach(&b->axis[1], j, jitter),
                            mesh_axis_reach(&b->axis[2], k, jitter)}};
  EW_CHECK(mesh_jitter(b->mesh, movable, n, b->options->seed, err));
cleanup:
  free(movable);
  return status;
}

static ew_status check_options(const box *b, ew_error *err) {
  const mesh_box_options *o = b->options;
  if (o->kind != MESH_SIMPLICES && o->kind != MESH_BLOCKS)
    return ew_fail(err, EW_INPUT, "unknown kind of cells");
  return mesh_check_jitter(o->jitter, err);
}

static ew_status fill_box(box *b, ew_error *err) {
  ew_status status = EW_OK;
  bool blocks = b->options->kind == MESH_BLOCKS;
  double n_nodes = 1, n_cells = blocks ? 1 : 6; /* products of three counts overflow 64 bits */
  EW_CHECK(check_options(b, err));
  for (int d = 0; d < 3; d++) {
    EW_CHECK(mesh_axis_create(&b->axis[d], err));
    n_nodes *= b->axis[d].n + 1.0;
    n_cells *= b->axis[d].n;
  }
  if (n_nodes > 1e15) return ew_fail(err, EW_INPUT, "%g nodes are too many", n_nodes);
  EW_CHECK(mesh_grid_allocate(b->mesh, blocks ? MESH_HEX : MESH_TETRA, (int64_t)n_nodes, (int64_t)n_cells,
                              patch_names, err));
  place_nodes(b);
  write_cells(b);
  EW_CHECK(jitter_nodes(b, err));
  EW_CHECK(mark_boundary(b, err));
cleanup:
  return status;
}

static ew_status pair_sides(box *b, ew_error *err) {
  ew_status status = EW_OK;
  for (int d = 0; d < 3; d++)
    if (b->axis[d].periodic)
      EW_CHECK(mesh_make_periodic(b->mesh, patch_names[2 * d], patch_names[2 * d + 1], err));
cleanup:
  return status;
}

ew_status mesh_box(const mesh_box_options *options, mesh **out, ew_error *err) {
  ew_status status = EW_OK;
  const mesh_box_options *o = options;
  box b = {.options = o,
           .axis = {{"x", o->nx, o->x0, o->x1, o->xs, o->periodic_x, NULL},
                    {"y", o->ny, o->y0, o->y1, o->ys, o->periodic_y, NULL},
                    {"z", o->nz, o->z0, o->z1, o->zs, o->periodic_z, NULL}}};
  *out = NULL;
  EW_CHECK(EW_NEW(b.mesh, 1));
  EW_CHECK(fill_box(&b, err));
  mesh_draft draft = {.mesh = b.mesh, .mark = b.mark, .n_marks = b.n_marks};
  EW_CHECK(mesh_build(&draft, err));
  EW_CHECK(pair_sides(&b, err));
  *out = b.mesh;
  b.mesh = NULL;
cleanup:
  if (status != EW_OK) ew_context(err, "box");
  for (int d = 0; d < 3; d++) free(b.axis[d].x);
  free(b.mark);
  mesh_destroy(&b.mesh);
  return status;
}
