#include "mesh/generate.h"

#include <stdlib.h>

#include "base/memory.h"
#include "mesh/axis.h"

enum { LEFT, RIGHT, BOTTOM, TOP };

static const char *const patch_names[] = {"left", "right", "bottom", "top"};

typedef struct rectangle {
  const mesh_rectangle_options *options;
  mesh_axis x, y;
  mesh *mesh;
  mesh_mark *mark;
  size_t n_marks;
} rectangle;

static node_id node_number(const rectangle *r, int32_t i, int32_t j) { return j * (r->x.n + 1) + i; }

static void place_nodes(rectangle *r) {
  double *x = r->mesh->node_x;
  for (int32_t j = 0; j <= r->y.n; j++)
    for (int32_t i = 0; i <= r->x.n; i++) {
      *x++ = r->x.x[i];
      *x++ = r->y.x[j];
    }
}

static void write_block(const rectangle *r, int32_t i, int32_t j, node_id *out) {
  node_id a = node_number(r, i, j), b = a + 1, d = node_number(r, i, j + 1), c = d + 1;
  if (r->options->kind == MESH_BLOCKS) {
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
    return;
  }
  bool left_diagonal = r->options->diagonal == MESH_DIAGONAL_ALTERNATING && ((i + j) & 1);
  out[0] = a, out[1] = b, out[2] = left_diagonal ? d : c;
  out[3] = left_diagonal ? b : a, out[4] = c, out[5] = d;
}

static void write_cells(rectangle *r) {
  int n = r->options->kind == MESH_BLOCKS ? 4 : 6;
  node_id *out = r->mesh->cell_node;
  for (int32_t j = 0; j < r->y.n; j++)
    for (int32_t i = 0; i < r->x.n; i++, out += n) write_block(r, i, j, out);
}

static void mark(rectangle *r, node_id a, node_id b, int patch) {
  r->mark[r->n_marks++] = (mesh_mark){{a, b, -1, -1}, patch};
}

static ew_status mark_boundary(rectangle *r, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(r->mark, 2 * ((size_t)r->x.n + (size_t)r->y.n)));
  for (int32_t i = 0; i < r->x.n; i++) {
    mark(r, node_number(r, i, 0), node_number(r, i + 1, 0), BOTTOM);
    mark(r, node_number(r, i, r->y.n), node_number(r, i + 1, r->y.n), TOP);
  }
  for (int32_t j = 0; j < r->y.n; j++) {
    mark(r, node_number(r, 0, j), node_number(r, 0, j + 1), LEFT);
    mark(r, node_number(r, r->x.n, j), node_number(r, r->x.n, j + 1), RIGHT);
  }
cleanup:
  return status;
}

static ew_status jitter_nodes(rectangle *r, ew_error *err) {
  ew_status status = EW_OK;
  mesh_movable *movable = NULL;
  size_t n = 0;
  double jitter = r->options->jitter;
  if (jitter == 0) return EW_OK;
  EW_CHECK(EW_NEW(movable, r->mesh->n_nodes));
  for (int32_t j = 1; j < r->y.n; j++)
    for (int32_t i = 1; i < r->x.n; i++)
      movable[n++] = (mesh_movable){
          node_number(r, i, j), {mesh_axis_reach(&r->x, i, jitter), mesh_axis_reach(&r->y, j, jitter), 0}};
  EW_CHECK(mesh_jitter(r->mesh, movable, n, r->options->seed, err));
cleanup:
  free(movable);
  return status;
}

static ew_status check_options(const rectangle *r, ew_error *err) {
  const mesh_rectangle_options *o = r->options;
  if (o->kind != MESH_SIMPLICES && o->kind != MESH_BLOCKS)
    return ew_fail(err, EW_INPUT, "unknown kind of cells");
  if (o->diagonal != MESH_DIAGONAL_RIGHT && o->diagonal != MESH_DIAGONAL_ALTERNATING)
    return ew_fail(err, EW_INPUT, "unknown pattern of diagonals");
  return mesh_check_jitter(o->jitter, err);
}

static ew_status fill_rectangle(rectangle *r, ew_error *err) {
  ew_status status = EW_OK;
  bool blocks = r->options->kind == MESH_BLOCKS;
  EW_CHECK(check_options(r, err));
  EW_CHECK(mesh_axis_create(&r->x, err));
  EW_CHECK(mesh_axis_create(&r->y, err));
  int64_t n_nodes = ((int64_t)r->x.n + 1) * ((int64_t)r->y.n + 1), n_blocks = (int64_t)r->x.n * r->y.n;
  EW_CHECK(mesh_grid_allocate(r->mesh, blocks ? MESH_QUAD : MESH_TRIANGLE, n_nodes,
                              blocks ? n_blocks : 2 * n_blocks, patch_names, err));
  place_nodes(r);
  write_cells(r);
  EW_CHECK(jitter_nodes(r, err));
  EW_CHECK(mark_boundary(r, err));
cleanup:
  return status;
}

ew_status mesh_rectangle(const mesh_rectangle_options *options, mesh **out, ew_error *err) {
  ew_status status = EW_OK;
  const mesh_rectangle_options *o = options;
  rectangle r = {.options = o,
                 .x = {"x", o->nx, o->x0, o->x1, o->xs, o->periodic_x, NULL},
                 .y = {"y", o->ny, o->y0, o->y1, o->ys, o->periodic_y, NULL}};
  *out = NULL;
  EW_CHECK(EW_NEW(r.mesh, 1));
  EW_CHECK(fill_rectangle(&r, err));
  mesh_draft draft = {.mesh = r.mesh, .mark = r.mark, .n_marks = r.n_marks};
  EW_CHECK(mesh_build(&draft, err));
  if (o->periodic_x) EW_CHECK(mesh_make_periodic(r.mesh, "left", "right", err));
  if (o->periodic_y) EW_CHECK(mesh_make_periodic(r.mesh, "bottom", "top", err));
  *out = r.mesh;
  r.mesh = NULL;
cleanup:
  if (status != EW_OK) ew_context(err, "rectangle");
  free(r.x.x);
  free(r.y.x);
  free(r.mark);
  mesh_destroy(&r.mesh);
  return status;
}
