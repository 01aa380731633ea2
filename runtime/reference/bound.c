/* For messages about a run on any device: what its steps are bounded by. The interpreter is asked, with the states as they are. */
#include <stdlib.h>

#include "fields/on_grid.h"
#include "reference/reference.h"

enum { MOST_CELLS = 1000000 }; /* beyond, the interpreter takes too long */

static ew_status copy_states(exec_run *from, exec_run *to, ew_error *err) {
  ew_status status = EW_OK;
  double *values = NULL;
  for (int i = 0; i < to->program->model.n_fields; i++) {
    const dslc_field *f = &to->program->model.field[i];
    if (f->kind != DSLC_STATE || f->buffer < 0) continue;
    size_t n = (size_t)exec_count(from, f->name) * (size_t)f->components;
    double *room = realloc(values, (n + 1) * sizeof *values);
    if (!room) EXEC_LEAVE(err, EW_FAIL, "out of memory for '%s'", f->name);
    values = room;
    EW_CHECK(exec_read(from, f->name, values, err));
    EW_CHECK(exec_write(to, f->name, values, err));
  }
cleanup:
  free(values);
  return status;
}

/* "in cell 12 of the mesh as read, at (1, 2)"; on a grid, at nodes and faces the point alone. */
static void describe_place(exec_run *run, const dslc_ref_bound *bound, char *text, size_t size) {
  const double *at = NULL;
  double point[3];
  const dslc_place place = bound->place;
  const int32_t entity = bound->entity;
  size_t used = 0;
  const mesh *m = run->m;
  *text = '\0';
  if (place == DSLC_NOWHERE || entity < 0) return;
  if (run->g) exec_grid_point(run->g, place, bound->point, point), at = point;
  else if (m && place == DSLC_CELLS) at = m->cell_centre + (size_t)entity * (size_t)m->dim;
  else if (m && place == DSLC_FACES) at = m->face_centre + (size_t)entity * (size_t)m->dim;
  else if (m && place == DSLC_NODES) at = m->node_x + (size_t)run->nodes.fe->node[entity] * (size_t)m->dim;
  if (m && place == DSLC_CELLS)
    used = (size_t)snprintf(text, size, " in cell %d of the mesh as read,", m->cell_origin[entity]);
  for (int d = 0; at && d < run->dim; d++)
    used += (size_t)snprintf(text + used, size - used, "%s%.6g", d ? ", " : " at (", at[d]);
  if (at) snprintf(text + used, size - used, ")");
}

static ew_status ask(exec_run *run, exec_run *interpreted, char *text, size_t size, ew_error *err) {
  dslc_ref_bound bound;
  char place[200];
  ew_status status = copy_states(run, interpreted, err);
  if (status != EW_OK) return status;
  EW_CHECK(exec_reference_bound(interpreted, exec_time(run), &bound, err));
  if (bound.line == 0) return EW_OK;
  describe_place(interpreted, &bound, place, sizeof place);
  snprintf(text, size, "\n  the next dt comes from %.200s (%.400s:%d)%s", bound.text, bound.file, bound.line,
           place);
cleanup:
  return status;
}

void exec_describe_bound(exec_run *run, char *text, size_t size) {
  ew_status status = EW_OK;
  ew_error ignored = {0}; /* the message that this is a part of counts */
  dev_context *device = NULL;
  dslc_program *program = NULL;
  exec_run *interpreted = NULL;
  *text = '\0';
  if (exec_domain_cells(&run->domain) > MOST_CELLS || !exec_advances(run->program)) return;
  EW_CHECK(dev_context_create("reference", &device, &ignored));
  EW_CHECK(exec_program(run->c, &run->domain, device, NULL, &program, &ignored));
  EW_CHECK(exec_create(device, program, &run->domain, run->c, &interpreted, &ignored));
  EW_CHECK(ask(run, interpreted, text, size, &ignored));
cleanup:
  (void)status;
  exec_destroy(&interpreted);
  dslc_program_destroy(&program);
  dev_context_destroy(&device);
}
