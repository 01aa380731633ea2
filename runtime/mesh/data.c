#include "mesh/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- finding ----------------------------------------------------------------------------------------------------------------- */

static void append(char *text, size_t size, const char *item) {
  size_t used = strlen(text);
  snprintf(text + used, size - used, "%s%s", used ? ", " : "", item);
}

static ew_status unknown(const mesh *m, const mesh_data_name *wanted, ew_error *err) {
  char names[300] = "", name[80];
  for (int i = 0; i < m->file.n_data; i++) {
    bool seen = false;
    for (int k = 0; k < i; k++) seen = seen || strcmp(m->file.data[k].name, m->file.data[i].name) == 0;
    snprintf(name, sizeof name, "\"%.70s\"", m->file.data[i].name);
    if (!seen) append(names, sizeof names, name);
  }
  if (!*names)
    return ew_fail(
        err, EW_INPUT,
        "the mesh has no data \"%s\", nor any other: it comes from $NodeData and $ElementData of a mesh file",
        wanted->name);
  return ew_fail(err, EW_INPUT, "the mesh has no data \"%s\"; there is %s", wanted->name, names);
}

static ew_status no_such_step(const mesh *m, const mesh_data_name *wanted, ew_error *err) {
  char steps[200] = "", step[32];
  for (int i = 0; i < m->file.n_data; i++) {
    if (strcmp(m->file.data[i].name, wanted->name) != 0) continue;
    snprintf(step, sizeof step, "%d", m->file.data[i].step);
    append(steps, sizeof steps, step);
  }
  if (wanted->has_step)
    return ew_fail(err, EW_INPUT, "the mesh's data \"%s\" has no step %d; there is %s", wanted->name,
                   wanted->step, steps);
  return ew_fail(
      err, EW_INPUT,
      "the mesh has data \"%s\" of several steps: %s; mesh_data { \"%s\", step = ... } takes one of them",
      wanted->name, steps, wanted->name);
}

ew_status mesh_data_find(const mesh *m, const mesh_data_name *wanted, const mesh_data **out, ew_error *err) {
  int n_named = 0, n_meant = 0;
  *out = NULL;
  for (int i = 0; i < m->file.n_data; i++) {
    if (strcmp(m->file.data[i].name, wanted->name) != 0) continue;
    n_named++;
    if (wanted->has_step && m->file.data[i].step != wanted->step) continue;
    n_meant++;
    if (!*out) *out = &m->file.data[i];
    else if ((*out)->step == m->file.data[i].step)
      return ew_fail(err, EW_INPUT, "the mesh file has data \"%s\" twice%s; give one of them another name",
                     wanted->name,
                     (*out)->at_nodes != m->file.data[i].at_nodes ? ", at nodes and for elements"
                                                                  : ", with different numbers of components");
  }
  if (n_meant == 1) return EW_OK;
  return n_named ? no_such_step(m, wanted, err) : unknown(m, wanted, err);
}

/* ---- taking ------------------------------------------------------------------------------------------------------------------- */

int mesh_data_components(const mesh *m, const mesh_data *d) {
  return d->components == 1 ? 1 : d->components == 3 ? m->dim : m->dim * m->dim;
}

/* Vectors and tensors of files have three dimensions. */
static ew_status keep(const mesh *m, const mesh_data *d, int32_t at, double *out, ew_error *err) {
  const double *from = d->value + (size_t)at * (size_t)d->components;
  const int rows = d->components == 9 ? 3 : 1, columns = d->components == 1 ? 1 : 3;
  const int kept_rows = rows == 1 ? 1 : m->dim, kept_columns = columns == 1 ? 1 : m->dim;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      const double value = from[i * columns + j];
      if (i < kept_rows && j < kept_columns) out[i * kept_columns + j] += value;
      else if (value != 0)
        return ew_fail(err, EW_INPUT,
                       "the mesh's data \"%s\" of %s %lld is %g along z, but the mesh is plane", d->name,
                       d->at_nodes ? "node" : "element", (long long)d->tag[at], value);
    }
  return EW_OK;
}

/* The nodes of a face or cell, or the entity itself. */
static const node_id *corners(const mesh *m, const mesh_entity *e, int *n) {
  const int32_t *start = e->place == MESH_AT_FACES ? m->face_start : m->cell_start;
  *n = 1;
  if (e->place == MESH_AT_NODES) return &e->at;
  *n = start[e->at + 1] - start[e->at];
  return (e->place == MESH_AT_FACES ? m->face_node : m->cell_node) + start[e->at];
}

ew_status mesh_data_take(const mesh *m, const mesh_data *d, mesh_entity entity, double *out, int32_t *missing,
                         ew_error *err) {
  ew_status status = EW_OK;
  const int components = mesh_data_components(m, d);
  int n = 1;
  *missing = -1;
  if (entity.place == MESH_AT_EDGES)
    return ew_fail(err, EW_INPUT,
                   "the mesh's data \"%s\" lies at nodes or in elements; a field at edges cannot take it",
                   d->name);
  if (!d->at_nodes && entity.place != MESH_IN_CELLS)
    return ew_fail(
        err, EW_INPUT,
        "the mesh's data \"%s\" is given for elements; only a field in cells can take it, not one at %s",
        d->name, entity.place == MESH_AT_NODES ? "nodes" : "faces");
  const int32_t *from = d->at_nodes ? corners(m, &entity, &n) : &entity.at;
  for (int k = 0; k < n && *missing < 0; k++)
    if (isnan(d->value[(size_t)from[k] * (size_t)d->components])) *missing = from[k];
  if (*missing >= 0) return EW_OK;
  memset(out, 0, (size_t)components * sizeof *out);
  for (int k = 0; k < n; k++) EW_CHECK(keep(m, d, from[k], out, err));
  for (int k = 0; k < components; k++) out[k] /= n;
cleanup:
  return status;
}
