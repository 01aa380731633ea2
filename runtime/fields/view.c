#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"
#include "fields/view.h"

/* ---- where entities lie ---------------------------------------------------------------------------------------------------- */

static void shape_of_mesh(const exec_run *run, const dslc_buffer *b, exec_view *v) {
  int64_t size = (int64_t)exec_element_size(b->element);
  v->n_axes = 1;
  v->shape[0] = run->points.place[b->place].owned;
  v->stride[0] = size * (int64_t)(exec_element(run, b, 1, 0) - exec_element(run, b, 0, 0));
}

static void shape_of_grid(const exec_run *run, const dslc_buffer *b, exec_view *v) {
  int64_t size = (int64_t)exec_element_size(b->element);
  bool nowhere = v->field->place == DSLC_NOWHERE;
  int64_t width = b->aos ? b->width : 1;
  v->n_axes = nowhere ? 1 : run->dim;
  for (int a = 0; a < v->n_axes; a++) {
    int axis = v->n_axes - 1 - a;
    v->shape[a] = nowhere ? 1 : exec_grid_extent(run->g, v->field->place, axis);
    v->stride[a] = size * width * run->on_grid->layout.pitch[axis];
  }
}

static size_t first_entry(const exec_run *run, const dslc_field *f) {
  return run->g && f->place != DSLC_NOWHERE ? (size_t)run->on_grid->layout.origin : 0;
}

int64_t exec_view_count(const exec_run *run, const dslc_field *f) {
  if (run->g) return exec_grid_count(run->g, f->place);
  return run->points.place[f->place].owned;
}

static const dslc_field *find(const exec_run *run, const char *name, bool write, ew_error *err) {
  int i = exec_find_field(run->program, name);
  const dslc_field *f = i >= 0 ? &run->program->model.field[i] : NULL;
  if (!f) ew_fail(err, EW_INPUT, "scheme '%s' has no field '%s'", run->program->identity.scheme, name);
  else if (f->buffer < 0)
    ew_fail(err, EW_INPUT, "'%s' was not built to be shown: name it among the case's output fields", name);
  else if (write && f->kind != DSLC_STATE)
    ew_fail(err, EW_INPUT, "'%s' is no state: it can be looked at, not changed", name);
  else return f;
  return NULL;
}

ew_status exec_view_open(exec_run *run, const char *field, bool write, exec_view *out, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_field *f = find(run, field, write, err);
  void *memory = NULL;
  if (!f) return EW_INPUT;
  const dslc_buffer *b = &run->program->execution.buffer[f->buffer];
  *out = (exec_view){.field = f, .write = write, .element = b->element};
  EW_CHECK(exec_show(run, f->kind == DSLC_QUANTITY ? f->show : -1, err));
  EW_CHECK(exec_timed_now(run, f->buffer, err));
  EW_CHECK(dev_buffer_map(run->buffer[f->buffer], write, &memory, &out->in_place, err));
  out->mapped = run->buffer[f->buffer];
  if (run->g) shape_of_grid(run, b, out);
  else shape_of_mesh(run, b, out);
  size_t size = exec_element_size(b->element), first = first_entry(run, f);
  size_t at = exec_element(run, b, (int32_t)first, f->first);
  out->data = (char *)memory + at * size;
  out->component_stride = (int64_t)(size * (exec_element(run, b, (int32_t)first, f->first + 1) -
                                            at)); /* also where there is one */
cleanup:
  return status;
}

/* ---- copies beyond boundaries ------------------------------------------------------------------------------------------------ */

/* One entity of the buffer, as exec_element counts: all components of the field. */
typedef struct copier {
  const exec_run *run;
  const dslc_buffer *b;
  const dslc_field *f;
  char *memory; /* entry 0 */
} copier;

static void copy_entity(void *context, int64_t to, int64_t from) {
  const copier *c = context;
  size_t size = exec_element_size(c->b->element);
  for (int d = c->f->first; d < c->f->first + c->f->components; d++)
    memcpy(c->memory + exec_element(c->run, c->b, (int32_t)to, d) * size,
           c->memory + exec_element(c->run, c->b, (int32_t)from, d) * size, size);
}

static void turn_number(char *at, dslc_element element) {
  double value;
  float single;
  if (element == DSLC_F64) memcpy(&value, at, sizeof value), value = -value, memcpy(at, &value, sizeof value);
  else memcpy(&single, at, sizeof single), single = -single, memcpy(at, &single, sizeof single);
}

/* A face of a periodic side has an entry at either side, of which the lower one counts, as where a case fills them. */
static void copy_over_seams(copier *c) {
  const mesh *m = c->run->m;
  for (face_id f = m->n_interior; f < m->n_faces; f++) {
    const face_id from = mesh_seam_face(m, f);
    if (from == f) continue;
    copy_entity(c, f, from);
    if (!exec_seam_turns(m, c->f, f, from)) continue;
    for (int d = c->f->first; d < c->f->first + c->f->components; d++)
      turn_number(c->memory + exec_element(c->run, c->b, f, d) * exec_element_size(c->b->element),
                  c->b->element);
  }
}

static void copy_beyond(const exec_run *run, const exec_view *v) {
  const dslc_field *f = v->field;
  copier c = {run, &run->program->execution.buffer[f->buffer], f, v->data};
  size_t first = exec_element(run, c.b, (int32_t)first_entry(run, f), f->first);
  c.memory -= first * exec_element_size(c.b->element);
  if (run->g) exec_grid_beyond(run, f->place, copy_entity, &c);
  else if (f->place == DSLC_CELLS)
    for (int32_t i = run->points.place[DSLC_CELLS].owned; i < run->points.place[DSLC_CELLS].all; i++)
      copy_entity(&c, i, run->points.inside[i]);
  else if (f->place == DSLC_FACES) copy_over_seams(&c);
}

ew_status exec_view_close(exec_run *run, exec_view *v, ew_error *err) {
  dev_buffer *mapped = v->mapped;
  if (!mapped) return EW_OK;
  if (v->write) copy_beyond(run, v);
  *v = (exec_view){0};
  return dev_buffer_unmap(mapped, err);
}
