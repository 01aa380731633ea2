#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"

/* ---- names --------------------------------------------------------------------------------------------------------- */

int exec_find_field(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->model.n_fields; i++)
    if (strcmp(p->model.field[i].name, name) == 0) return i;
  return -1;
}

int exec_find_global(const dslc_program *p, const char *name) {
  for (int i = 0; i < p->model.n_globals; i++)
    if (strcmp(p->model.global[i].name, name) == 0) return i;
  return -1;
}

static bool is_iterations(const dslc_program *p, const char *name) {
  return strcmp(name, "iterations") == 0 && exec_find_global(p, name) < 0;
}

static int axis_number(char letter) {
  static const char axis[] = "xyz";
  const char *at = letter ? strchr(axis, letter) : NULL;
  return at ? (int)(at - axis) : -1;
}

int exec_component_number(const char *suffix, int components, int dims) {
  int side = components == 4 ? 2 : components == 9 ? 3 : 0; /* of a tensor */
  int number = -1;
  if (components == 1 && dims != 1) return -1; /* a scalar; on a line vectors have one, too */
  if (strlen(suffix) == 2 && side > 0) {
    int row = axis_number(suffix[0]), column = axis_number(suffix[1]);
    number = row >= 0 && column >= 0 && row < side && column < side ? row * side + column : -1;
  } else if (strlen(suffix) == 1) {
    number = suffix[0] >= '1' && suffix[0] <= '9' ? suffix[0] - '1' : side > 0 ? -1 : axis_number(suffix[0]);
  }
  return number < components ? number : -1;
}

bool exec_find_component(const dslc_program *p, const char *text, exec_component *out) {
  *out = (exec_component){exec_find_field(p, text), -1};
  const char *dot = strrchr(text, '.');
  if (out->field >= 0 || !dot) return out->field >= 0;
  for (int i = 0; i < p->model.n_fields && out->field < 0; i++)
    if (strlen(p->model.field[i].name) == (size_t)(dot - text) &&
        strncmp(p->model.field[i].name, text, (size_t)(dot - text)) == 0)
      out->field = i;
  if (out->field < 0) return false;
  out->component = exec_component_number(dot + 1, p->model.field[out->field].components, p->space.dims);
  return out->component >= 0;
}

/* ---- whole fields ------------------------------------------------------------------------------------------------------ */

ew_status exec_show(exec_run *run, int section, ew_error *err) {
  return section >= 0 ? exec_section_alone(run, section, err) : EW_OK;
}

/* NULL with the error set if there are no values of that name. */
static const dslc_field *find_stored(const exec_run *run, const char *name, ew_error *err) {
  int i = exec_find_field(run->program, name);
  const dslc_field *f = i >= 0 ? &run->program->model.field[i] : NULL;
  if (!f) ew_fail(err, EW_INPUT, "scheme '%s' has no field '%s'", run->program->identity.scheme, name);
  else if (f->buffer < 0)
    ew_fail(err, EW_INPUT, "'%s' was not built to be shown: name it among the case's output fields", name);
  return f && f->buffer >= 0 ? f : NULL;
}

bool exec_can_show(const dslc_program *p, dslc_place place) {
  if (p->space.on_grid) return place != DSLC_NOWHERE;
  return place == DSLC_CELLS || place == DSLC_NODES;
}

dslc_place exec_field_place(const exec_run *run, const char *field) {
  int i = exec_find_field(run->program, field);
  return i >= 0 ? run->program->model.field[i].place : DSLC_NOWHERE;
}

int exec_components(const exec_run *run, const char *field) {
  int i = exec_find_field(run->program, field);
  return i >= 0 && run->program->model.field[i].buffer >= 0 ? run->program->model.field[i].components : 0;
}

/* Entities a field has for the outside: cells without ghosts, all nodes of the mesh, the points of a grid. */
static int32_t entities(const exec_run *run, const dslc_field *f) {
  if (run->g) return (int32_t)exec_grid_count(run->g, f->place);
  return f->place == DSLC_NODES ? run->m->n_nodes : run->points.place[f->place].owned;
}

int32_t exec_count(const exec_run *run, const char *field) {
  int i = exec_find_field(run->program, field);
  return i >= 0 ? entities(run, &run->program->model.field[i]) : 0;
}

/* The field's columns of its buffer's values [n * width]. */
static void take_columns(const dslc_field *f, int width, int32_t n, const double *values, double *out) {
  for (int32_t i = 0; i < n; i++)
    memcpy(out + (size_t)i * (size_t)f->components, values + (size_t)i * (size_t)width + f->first,
           (size_t)f->components * sizeof *out);
}

static ew_status read_field(exec_run *run, const dslc_field *f, double *out, ew_error *err) {
  ew_status status = EW_OK;
  double *values = NULL;
  int width = run->program->execution.buffer[f->buffer].width;
  int32_t n = run->points.place[f->place].owned;
  EW_CHECK(exec_timed_now(run, f->buffer, err));
  bool same_order = !run->g && f->place != DSLC_NODES;
  if (width == f->components && same_order) return exec_get(run, f->buffer, out, n, err);
  values = malloc(((size_t)n * (size_t)width + 1) * sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory to read '%s'", f->name);
  EW_CHECK(exec_get(run, f->buffer, values, n, err));
  if (run->g) exec_grid_gather(run, f, width, values, out);
  else if (f->place == DSLC_NODES) exec_nodes_expand(run, f, width, values, out);
  else take_columns(f, width, n, values, out);
cleanup:
  free(values);
  return status;
}

ew_status exec_read(exec_run *run, const char *field, double *out, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_field *f = find_stored(run, field, err);
  if (!f) return EW_INPUT;
  EW_CHECK(exec_show(run, f->kind == DSLC_QUANTITY ? f->show : -1, err));
  EW_CHECK(read_field(run, f, out, err));
cleanup:
  return status;
}

ew_status exec_read_cells(exec_run *run, const char *field, double *out, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_field *f = find_stored(run, field, err);
  double *points = NULL;
  if (!f) return EW_INPUT;
  if (f->place == DSLC_CELLS) return exec_read(run, field, out, err);
  if (!run->g) EXEC_LEAVE(err, EW_INPUT, "'%s' does not lie on cells", f->name);
  points = malloc(((size_t)entities(run, f) * (size_t)f->components + 1) * sizeof *points);
  if (!points) EXEC_LEAVE(err, EW_FAIL, "out of memory to read '%s'", field);
  EW_CHECK(exec_read(run, field, points, err));
  exec_grid_to_cells(run->g, f->place, f->components, points, out);
cleanup:
  free(points);
  return status;
}

bool exec_seam_turns(const mesh *m, const dslc_field *f, face_id a, face_id b) {
  const double *na = m->face_normal + (size_t)m->dim * (size_t)a,
               *nb = m->face_normal + (size_t)m->dim * (size_t)b;
  double along = 0;
  for (int d = 0; d < m->dim; d++) along += na[d] * nb[d];
  return f->flux && along < 0;
}

/* Where entity i of a mesh takes its values from among those that are given: `turned` with their sign changed. */
static int32_t source_of(const exec_run *run, const dslc_field *f, int32_t i, bool *turned) {
  int32_t from = i;
  if (f->place == DSLC_CELLS) from = run->points.inside[i];
  if (f->place == DSLC_NODES) from = run->nodes.fe->node[i];
  if (f->place == DSLC_FACES) from = mesh_seam_face(run->m, i);
  *turned = f->place == DSLC_FACES && from != i && exec_seam_turns(run->m, f, i, from);
  return from;
}

/* Ghosts start with the values of the cells inside, as at the beginning of a run, and so do the two entries of a face of a periodic
 * side. */
ew_status exec_write(exec_run *run, const char *field, const double *data, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_field *f = find_stored(run, field, err);
  double *values = NULL;
  if (!f) return EW_INPUT;
  if (f->kind != DSLC_STATE) EXEC_LEAVE(err, EW_INPUT, "'%s' is no state: it cannot be written", field);
  size_t width = (size_t)run->program->execution.buffer[f->buffer].width, n = (size_t)f->components;
  int32_t all = run->points.place[f->place].all;
  values = malloc(((size_t)all * width + 1) * sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory to write '%s'", field);
  EW_CHECK(exec_get(run, f->buffer, values, all, err));
  if (run->g) exec_grid_scatter(run, f, (int)width, data, values);
  for (int32_t i = 0; run->m && i < all; i++) {
    bool turned;
    const size_t from = (size_t)source_of(run, f, i, &turned);
    double *to = values + (size_t)i * width + f->first;
    memcpy(to, data + from * n, n * sizeof *data);
    for (size_t d = 0; turned && d < n; d++) to[d] = -to[d];
  }
  EW_CHECK(exec_put(run, f->buffer, values, all, err));
cleanup:
  free(values);
  return status;
}

bool exec_advances(const dslc_program *p) {
  for (int i = 0; i < p->model.n_globals; i++)
    if (p->model.global[i].scalar == DSLC_SCALAR_DT) return true;
  return false;
}

bool exec_has_global(const dslc_program *p, const char *name) {
  return exec_find_global(p, name) >= 0 || exec_is_solve_figure(p, name) || is_iterations(p, name);
}

bool exec_global_is_left_out(const dslc_program *p, const char *name) {
  const int i = exec_find_global(p, name);
  const dslc_global *g = i >= 0 ? &p->model.global[i] : NULL;
  return g && g->show < 0 && g->scalar >= DSLC_SCALAR_GLOBALS;
}

ew_status exec_global(exec_run *run, const char *name, double *out, ew_error *err) {
  ew_status status = EW_OK;
  int i = exec_find_global(run->program, name);
  if (exec_solve_figure(run, name, out)) return EW_OK;
  if (is_iterations(run->program, name)) {
    *out = exec_passes(run);
    return EW_OK;
  }
  if (i < 0)
    return ew_fail(err, EW_INPUT, "scheme '%s' has no global '%s'", run->program->identity.scheme, name);
  if (exec_global_is_left_out(run->program, name))
    return ew_fail(err, EW_INPUT, "'%s' is not computed in this run: add it to output.history", name);
  const dslc_global *g = &run->program->model.global[i];
  EW_CHECK(exec_show(run, g->show, err));
  EW_CHECK(dev_buffer_read(run->buffer[run->seen.scalars], (uint64_t)g->scalar * sizeof(double),
                           sizeof(double), out, err));
cleanup:
  return status;
}

/* ---- components and single entities --------------------------------------------------------------------------------------- */

static double pick(const double *value, int n, int component) {
  if (component >= 0) return value[component];
  if (n == 1) return value[0];
  double sum = 0;
  for (int d = 0; d < n; d++) sum += value[d] * value[d];
  return sqrt(sum);
}

int32_t exec_component_count(const exec_run *run, exec_component which) {
  dslc_place place = run->program->model.field[which.field].place;
  return run->m && place == DSLC_NODES ? run->m->n_nodes : run->points.n_cells;
}

ew_status exec_read_component(exec_run *run, exec_component which, double *out, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_field *f = &run->program->model.field[which.field];
  int32_t n = exec_component_count(run, which);
  double *values = calloc((size_t)n * (size_t)f->components + 1, sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory to read '%s'", f->name);
  bool at_nodes = run->m && f->place == DSLC_NODES;
  EW_CHECK(at_nodes ? exec_read(run, f->name, values, err) : exec_read_cells(run, f->name, values, err));
  for (int32_t i = 0; i < n; i++)
    out[i] = pick(values + (size_t)i * (size_t)f->components, f->components, which.component);
cleanup:
  free(values);
  return status;
}

/* One component at one entry of the field's buffer. */
static ew_status read_entry(exec_run *run, const dslc_field *f, int32_t entry, int d, double *out,
                            ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->execution.buffer[f->buffer];
  size_t size = exec_element_size(b->element);
  unsigned char bytes[8] = {0};
  float single;
  EW_CHECK(dev_buffer_read(run->buffer[f->buffer], exec_element(run, b, entry, f->first + d) * size, size,
                           bytes, err));
  if (b->element == DSLC_F64) memcpy(out, bytes, sizeof *out);
  else memcpy(&single, bytes, sizeof single), *out = (double)single;
cleanup:
  return status;
}

int exec_entries_at(const exec_run *run, const dslc_field *f, const exec_spot *where, int32_t entry[8],
                    double weight[8]) {
  int n = 1;
  entry[0] = where->cell;
  if (run->g) n = exec_grid_around(run, f->place, where->cell, entry);
  for (int i = 0; i < n; i++) weight[i] = 1.0 / n;
  if (run->g || f->place != DSLC_NODES) return n;
  n = run->dim + 1;
  for (int i = 0; i < n; i++) {
    entry[i] = run->nodes.fe->dof[run->m->cell_node[run->m->cell_start[where->cell] + i]];
    weight[i] = where->weight[i];
  }
  return n;
}

ew_status exec_read_at(exec_run *run, int field, const exec_spot *where, double *out, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_field *f = &run->program->model.field[field];
  double weight[8];
  int32_t entry[8];
  EW_CHECK(exec_timed_now(run, f->buffer, err));
  int n = exec_entries_at(run, f, where, entry, weight);
  for (int d = 0; d < f->components; d++) {
    double value;
    out[d] = 0;
    for (int i = 0; i < n; i++) {
      EW_CHECK(read_entry(run, f, entry[i], d, &value, err));
      out[d] += weight[i] * value;
    }
  }
cleanup:
  return status;
}

/* ---- the cells themselves ------------------------------------------------------------------------------------------------- */

static ew_status make_cells(exec_run *run, ew_error *err) {
  size_t n = (size_t)run->points.n_cells, dim = (size_t)run->dim;
  run->outside.cell_volume = malloc(n * sizeof(double));
  run->outside.cell_centre = malloc(n * dim * sizeof(double));
  if (!run->outside.cell_volume || !run->outside.cell_centre)
    return ew_fail(err, EW_FAIL, "out of memory for the centres of %zu cells", n);
  for (size_t c = 0; c < n; c++) {
    run->outside.cell_volume[c] = run->g->solid[c] ? 0 : grid_cell_volume(run->g, (int64_t)c);
    grid_cell_centre(run->g, (int64_t)c, run->outside.cell_centre + c * dim);
  }
  return EW_OK;
}

ew_status exec_cells(exec_run *run, const double **volume, const double **centre, ew_error *err) {
  ew_status status = run->g && !run->outside.cell_centre ? make_cells(run, err) : EW_OK;
  *volume = run->g ? run->outside.cell_volume : run->m->cell_volume;
  *centre = run->g ? run->outside.cell_centre : run->m->cell_centre;
  return status;
}

static ew_status make_node_volumes(exec_run *run, ew_error *err) {
  const mesh *m = run->m;
  const fe_space *fe = run->nodes.fe;
  run->outside.node_volume = calloc((size_t)m->n_nodes + 1, sizeof *run->outside.node_volume);
  run->outside.node_part = fe ? malloc(((size_t)m->n_nodes + 1) * sizeof *run->outside.node_part) : NULL;
  if (!run->outside.node_volume || (fe && !run->outside.node_part))
    return ew_fail(err, EW_FAIL, "out of memory for the volumes of %d nodes", m->n_nodes);
  for (cell_id c = 0; c < m->n_cells; c++) {
    int32_t first = m->cell_start[c], end = m->cell_start[c + 1];
    for (int32_t k = first; k < end; k++)
      run->outside.node_volume[m->cell_node[k]] += m->cell_volume[c] / (end - first);
  }
  for (node_id k = 0; fe && k < m->n_nodes; k++) run->outside.node_part[k] = fe->node[fe->dof[k]] == k;
  return EW_OK;
}

ew_status exec_nodes(exec_run *run, node_id *n, const double **volume, const double **place,
                     const double **part, ew_error *err) {
  ew_status status = run->m && !run->outside.node_volume ? make_node_volumes(run, err) : EW_OK;
  *n = run->m ? run->m->n_nodes : 0;
  *volume = run->outside.node_volume;
  *part = run->outside.node_part;
  *place = run->m ? run->m->node_x : NULL;
  return status;
}
