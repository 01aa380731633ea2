#include "mesh/axis.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static ew_status check_axis(const mesh_axis *a, ew_error *err) {
  if (a->n < 1)
    return ew_fail(err, EW_INPUT, "n%s = %d: a mesh needs at least one block along %s", a->name, a->n,
                   a->name);
  if (a->n > INT32_MAX / MESH_MAX_CELL_NODES) /* before anything of that length is made */
    return ew_fail(err, EW_INPUT, "n%s = %d: a mesh has at most %d cells", a->name, a->n,
                   INT32_MAX / MESH_MAX_CELL_NODES);
  if (a->given) return EW_OK;
  if (!isfinite(a->from) || !isfinite(a->to) || !(a->from < a->to))
    return ew_fail(err, EW_INPUT, "%s runs from %g to %g; expected finite, increasing bounds", a->name,
                   a->from, a->to);
  return EW_OK;
}

ew_status mesh_axis_create(mesh_axis *a, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(check_axis(a, err));
  EW_CHECK(EW_NEW(a->x, (size_t)a->n + 1));
  for (int32_t i = 0; i <= a->n; i++) {
    double t = (double)i / a->n;
    a->x[i] = a->given ? a->given[i] : i == a->n ? a->to : a->from + t * (a->to - a->from);
    if (!isfinite(a->x[i]) || (i && !(a->x[i] > a->x[i - 1])))
      return ew_fail(err, EW_INPUT, "%ss[%d] = %g: coordinates must be finite and increase%s", a->name, i,
                     a->x[i], a->given ? "" : " (the blocks are too small for double precision)");
  }
cleanup:
  return status;
}

double mesh_axis_reach(const mesh_axis *a, int32_t i, double jitter) {
  return jitter * fmin(a->x[i] - a->x[i - 1], a->x[i + 1] - a->x[i]);
}

ew_status mesh_check_jitter(double jitter, ew_error *err) {
  if (jitter >= 0 && jitter <= 0.45) return EW_OK;
  return ew_fail(err, EW_INPUT, "jitter = %g: expected a part of the spacing from 0 to 0.45", jitter);
}

static ew_status name_patches(mesh *m, const char *const *names, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(m->patch, 2 * m->dim));
  for (; m->n_patches < 2 * m->dim; m->n_patches++) {
    char *name = ew_copy_text(names[m->n_patches], err);
    if (!name) return EW_FAIL;
    m->patch[m->n_patches].name = name;
  }
cleanup:
  return status;
}

/* All cells are of one group. */
static ew_status name_region(mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(EW_NEW(m->region, 1));
  char *name = ew_copy_text("all", err);
  if (!name) return EW_FAIL;
  m->region[m->n_regions++].name = name;
cleanup:
  return status;
}

/* Making a mesh was seen to take 72 bytes for each node of a triangle, 85 of a tetrahedron. Systems that promise more memory than there is end
 * programs that use it, and not always the right one. */
ew_status mesh_check_memory(int cell_type, int64_t n_cells, uint64_t machine, ew_error *err) {
  const double need = 64.0 * mesh_shape_of(cell_type)->n_nodes * (double)n_cells;
  if (machine == 0 || need <= (double)machine) return EW_OK;
  return ew_fail(
      err, EW_FAIL,
      "%lld cells take at least %.1f GiB of memory, and this machine has %.1f\nhint: a coarser mesh",
      (long long)n_cells, need / 0x1p30, (double)machine / 0x1p30);
}

ew_status mesh_grid_allocate(mesh *m, int cell_type, int64_t n_nodes, int64_t n_cells,
                             const char *const *patch_names, ew_error *err) {
  ew_status status = EW_OK;
  const mesh_shape *shape = mesh_shape_of(cell_type);
  if (n_cells > INT32_MAX / MESH_MAX_CELL_NODES || n_nodes > INT32_MAX - 2)
    return ew_fail(err, EW_INPUT, "%lld cells are too many: at most %d", (long long)n_cells,
                   INT32_MAX / MESH_MAX_CELL_NODES);
  EW_CHECK(mesh_check_memory(cell_type, n_cells, ew_machine_memory(), err));
  m->dim = shape->dim;
  m->n_nodes = (node_id)n_nodes;
  m->n_cells = (cell_id)n_cells;
  EW_CHECK(name_patches(m, patch_names, err));
  EW_CHECK(name_region(m, err));
  EW_CHECK(EW_NEW(m->node_x, n_nodes * m->dim));
  EW_CHECK(EW_NEW(m->cell_type, n_cells));
  EW_CHECK(EW_NEW(m->cell_region, n_cells));
  EW_CHECK(EW_NEW(m->cell_start, n_cells + 1));
  EW_CHECK(EW_NEW(m->cell_node, n_cells * shape->n_nodes));
  memset(m->cell_type, cell_type, (size_t)n_cells);
  for (cell_id c = 0; c <= m->n_cells; c++) m->cell_start[c] = c * shape->n_nodes;
cleanup:
  return status;
}
