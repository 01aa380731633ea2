/* Fields of an edgewise_run: what there is, where it lies, copies of it. */
#include <stdlib.h>
#include <string.h>

#include "api/internal.h"

/* ---- what there is -------------------------------------------------------------------------------------------------------------- */

static bool can_be_seen(const dslc_field *f) { return f->buffer >= 0; }

/* Field `number` of those that can be seen; NULL: there are not so many. */
static const dslc_field *field_at(const edgewise_run *run, int number) {
  const dslc_model *m = &exec_get_program(api_exec(run))->model;
  for (int i = 0; i < m->n_fields; i++)
    if (can_be_seen(&m->field[i]) && number-- == 0) return &m->field[i];
  return NULL;
}

int edgewise_field_count(const edgewise_run *run) {
  int n = 0;
  while (run && run->life && field_at(run, n)) n++;
  return n;
}

static edgewise_location location_of(dslc_place place) {
  switch (place) {
  case DSLC_CELLS: return EDGEWISE_CELLS;
  case DSLC_FACES: return EDGEWISE_FACES;
  case DSLC_NODES: return EDGEWISE_NODES;
  case DSLC_XFACES: return EDGEWISE_XFACES;
  case DSLC_YFACES: return EDGEWISE_YFACES;
  case DSLC_ZFACES: return EDGEWISE_ZFACES;
  case DSLC_XEDGES: return EDGEWISE_XEDGES;
  case DSLC_YEDGES: return EDGEWISE_YEDGES;
  case DSLC_ZEDGES: return EDGEWISE_ZEDGES;
  case DSLC_CORNERS: return EDGEWISE_CORNERS;
  default: return EDGEWISE_NOWHERE;
  }
}

static edgewise_role role_of(dslc_field_kind kind) {
  return kind == DSLC_STATE ? EDGEWISE_STATE : kind == DSLC_GIVEN ? EDGEWISE_GIVEN : EDGEWISE_QUANTITY;
}

edgewise_status edgewise_field_at(edgewise_run *run, int number, edgewise_field *field) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, field, "edgewise_field_at: field"));
  EW_CHECK(api_check_size(run, field, offsetof(edgewise_field, count) + sizeof field->count,
                          "edgewise_field_at: field.size is not set to sizeof(edgewise_field)"));
  const dslc_field *f = number >= 0 ? field_at(run, number) : NULL;
  if (!f) EXEC_LEAVE(&run->err, EW_USAGE, "there is no field number %d", number);
  const edgewise_field out = {.name = f->name,
                              .unit = f->unit ? f->unit : "",
                              .comment = f->comment ? f->comment : "",
                              .role = role_of(f->kind),
                              .location = location_of(f->place),
                              .components = f->components,
                              .count = exec_view_count(api_exec(run), f)};
  api_fill(field, &out, sizeof out);
cleanup:
  return api_leave(run, status);
}

/* ---- where it lies ---------------------------------------------------------------------------------------------------------------- */

static api_view **find_view(edgewise_run *run, const char *field) {
  api_view **at = &run->views;
  while (*at && strcmp((*at)->view.field->name, field) != 0) at = &(*at)->next;
  return at;
}

static int64_t count_of(const exec_view *v) {
  int64_t n = 1;
  for (int a = 0; a < v->n_axes; a++) n *= v->shape[a];
  return n;
}

/* A failed run may be looked at. */
static ew_status open_view(edgewise_run *run, const char *field, bool write, exec_view *view) {
  ew_status status = api_check(run);
  if (status != EW_OK) return status;
  if (write && exec_life_failed(run->life))
    return ew_fail(&run->err, EW_USAGE, "the run has failed: '%s' can be looked at, not changed", field);
  if (*find_view(run, field))
    return ew_fail(&run->err, EW_USAGE, "'%s' is mapped already: unmap it first", field);
  return exec_view_open(api_exec(run), field, write, view, &run->err);
}

edgewise_status edgewise_map(edgewise_run *run, const char *field, edgewise_access access,
                             edgewise_view *view) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  api_view *v = NULL;
  EW_CHECK(api_check_given(run, field, "edgewise_map: field"));
  EW_CHECK(api_check_given(run, view, "edgewise_map: view"));
  EW_CHECK(api_check_size(run, view, offsetof(edgewise_view, stride) + sizeof view->stride,
                          "edgewise_map: view.size is not set to sizeof(edgewise_view)"));
  v = calloc(1, sizeof *v);
  if (!v) EXEC_LEAVE(&run->err, EW_FAIL, "out of memory");
  EW_CHECK(open_view(run, field, access == EDGEWISE_READ_WRITE, &v->view));
  edgewise_view out = {.data = v->view.data,
                       .type = v->view.element == DSLC_F32 ? EDGEWISE_FLOAT : EDGEWISE_DOUBLE,
                       .writable = v->view.write,
                       .copied = !v->view.in_place,
                       .components = v->view.field->components,
                       .component_stride = v->view.component_stride,
                       .count = count_of(&v->view),
                       .n_axes = v->view.n_axes};
  memcpy(out.shape, v->view.shape, sizeof out.shape);
  memcpy(out.stride, v->view.stride, sizeof out.stride);
  api_fill(view, &out, sizeof out);
  v->next = run->views;
  run->views = v;
cleanup:
  if (status != EW_OK) free(v);
  return api_leave(run, status);
}

static ew_status unmap(edgewise_run *run, api_view **at) {
  api_view *v = *at;
  *at = v->next;
  ew_status status = exec_view_close(api_exec(run), &v->view, &run->err);
  free(v);
  return status;
}

edgewise_status edgewise_unmap(edgewise_run *run, const char *field) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, field, "edgewise_unmap: field"));
  api_view **at = find_view(run, field);
  if (!*at) EXEC_LEAVE(&run->err, EW_USAGE, "'%s' is not mapped", field);
  EW_CHECK(unmap(run, at));
cleanup:
  return api_leave(run, status);
}

ew_status api_check_unmapped(edgewise_run *run) {
  if (!run->views) return EW_OK;
  return ew_fail(&run->err, EW_USAGE, "'%s' is mapped: unmap it before the run goes on",
                 run->views->view.field->name);
}

void api_unmap_all(edgewise_run *run) {
  while (run->views) unmap(run, &run->views);
}

/* ---- copies ------------------------------------------------------------------------------------------------------------------------ */

static void copy_number(const exec_view *v, char *at, double *value, bool write) {
  float single;
  if (v->element == DSLC_F64)
    memcpy(write ? (void *)at : (void *)value, write ? (void *)value : (void *)at, sizeof *value);
  else if (write) single = (float)*value, memcpy(at, &single, sizeof single);
  else memcpy(&single, at, sizeof single), *value = (double)single;
}

/* Between a view and numbers one behind the other. */
static void copy_all(const exec_view *v, double *values, bool write) {
  int64_t shape[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
  for (int a = 0; a < v->n_axes; a++) shape[a] = v->shape[a], stride[a] = v->stride[a];
  for (int64_t i = 0; i < shape[0]; i++)
    for (int64_t j = 0; j < shape[1]; j++)
      for (int64_t k = 0; k < shape[2]; k++)
        for (int d = 0; d < v->field->components; d++)
          copy_number(
              v, (char *)v->data + i * stride[0] + j * stride[1] + k * stride[2] + d * v->component_stride,
              values++, write);
}

static edgewise_status copy(edgewise_run *run, const char *field, double *values, int64_t n, bool write) {
  ew_status status = EW_OK;
  exec_view view = {0};
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check_given(run, field, write ? "edgewise_write: field" : "edgewise_read: field"));
  EW_CHECK(api_check_given(run, values, write ? "edgewise_write: values" : "edgewise_read: values"));
  EW_CHECK(open_view(run, field, write, &view));
  int64_t wanted = count_of(&view) * view.field->components;
  if (n == wanted) copy_all(&view, values, write);
  else
    status = ew_fail(&run->err, EW_USAGE, "'%s' has %lld numbers, found room for %lld", field,
                     (long long)wanted, (long long)n);
  ew_status closed = exec_view_close(api_exec(run), &view, status == EW_OK ? &run->err : NULL);
  if (status == EW_OK) status = closed;
cleanup:
  return api_leave(run, status);
}

edgewise_status edgewise_read(edgewise_run *run, const char *field, double *values, int64_t n) {
  return copy(run, field, values, n, false);
}

edgewise_status edgewise_write(edgewise_run *run, const char *field, const double *values, int64_t n) {
  return copy(run, field, (double *)values, n, true); /* only read */
}

edgewise_status edgewise_global(edgewise_run *run, const char *name, double *value) {
  ew_status status = EW_OK;
  if (!run) return EDGEWISE_USAGE;
  api_enter(run);
  EW_CHECK(api_check(run));
  EW_CHECK(api_check_given(run, name, "edgewise_global: name"));
  EW_CHECK(api_check_given(run, value, "edgewise_global: value"));
  EW_CHECK(api_check_unmapped(run)); /* it may have to be computed */
  EW_CHECK(exec_global(api_exec(run), name, value, &run->err));
cleanup:
  return api_leave(run, status);
}
