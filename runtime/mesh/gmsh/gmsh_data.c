/* Sections $NodeData and $ElementData: read here as lists of numbers by tag, put in the order of the mesh when that is known. */
#include "mesh/gmsh/gmsh_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"

/* ---- reading ---------------------------------------------------------------------------------------------------------------- */

/* Texts and reals in front of the integers; the first text is the name, the reals are not used (the first is a time). */
static ew_status read_tags(gmsh_cursor *c, char *name, size_t size) {
  ew_status status = EW_OK;
  int64_t n;
  double ignored;
  char text[256];
  EW_CHECK(gmsh_text_int(c, "the number of texts of the data", &n));
  EW_CHECK(gmsh_check_count(c, "the number of texts of the data", n, 3));
  if (n < 1) return gmsh_fail(c, "the data has no name: its first text is one");
  EW_CHECK(gmsh_text_quoted(c, "the name of the data", name, size));
  for (int64_t i = 1; i < n; i++) EW_CHECK(gmsh_text_quoted(c, "a text of the data", text, sizeof text));
  EW_CHECK(gmsh_text_int(c, "the number of reals of the data", &n));
  EW_CHECK(gmsh_check_count(c, "the number of reals of the data", n, 2));
  for (int64_t i = 0; i < n; i++) EW_CHECK(gmsh_text_real(c, "a real of the data", &ignored));
cleanup:
  return status;
}

/* The integers: step, components, how many values, and perhaps a partition. */
static ew_status read_counts(gmsh_cursor *c, gmsh_data *d, int64_t *n_values) {
  ew_status status = EW_OK;
  int64_t n, step, components, ignored;
  EW_CHECK(gmsh_text_int(c, "the number of integers of the data", &n));
  EW_CHECK(gmsh_check_count(c, "the number of integers of the data", n, 2));
  if (n < 3)
    return gmsh_fail(
        c, "the data has %lld integers; expected 3 or more: the step, the components, the number of values",
        (long long)n);
  EW_CHECK(gmsh_text_int(c, "the step of the data", &step));
  EW_CHECK(gmsh_text_int(c, "the number of components", &components));
  EW_CHECK(gmsh_text_int(c, "the number of values", n_values));
  for (int64_t i = 3; i < n; i++) EW_CHECK(gmsh_text_int(c, "an integer of the data", &ignored));
  if (components != 1 && components != 3 && components != 9)
    return gmsh_fail(c, "the data has %lld components; expected 1, 3 (a vector) or 9 (a tensor)",
                     (long long)components);
  if (step < INT_MIN || step > INT_MAX)
    return gmsh_fail(c, "the step of the data is %lld; expected a small number", (long long)step);
  d->step = (int)step;
  d->components = (int)components;
  if (c->binary) gmsh_skip_line(c);
  EW_CHECK(gmsh_check_count(c, "the number of values", *n_values,
                            c->binary ? 4 + 8 * (size_t)components : 2 + 2 * (size_t)components));
cleanup:
  return status;
}

static ew_status read_values(gmsh_cursor *c, gmsh_data *d, int64_t n) {
  ew_status status = EW_OK;
  ew_error *err = c->err;
  EW_CHECK(EW_NEW(d->tag, n));
  EW_CHECK(EW_NEW(d->value, n * d->components));
  double *to = d->value;
  for (int64_t i = 0; i < n; i++) {
    EW_CHECK(gmsh_int(c, d->at_nodes ? "the number of a node" : "the number of an element", &d->tag[i]));
    for (int k = 0; k < d->components; k++) EW_CHECK(gmsh_real(c, "a value", to++));
    d->n++;
  }
cleanup:
  return status;
}

static ew_status read_data(gmsh_file *f, const char *section, bool at_nodes) {
  ew_status status = EW_OK;
  gmsh_cursor *c = &f->cursor;
  ew_error *err = c->err;
  char name[256];
  int64_t n_values;
  EW_CHECK(ew_reserve((void **)&f->data, &f->capacity_data, f->n_data + 1, sizeof *f->data, err));
  gmsh_data *d = &f->data[f->n_data++];
  *d = (gmsh_data){.at_nodes = at_nodes, .where = gmsh_where(c)};
  EW_CHECK(read_tags(c, name, sizeof name));
  d->name = ew_copy_text(name, err);
  if (!d->name) return EW_FAIL;
  EW_CHECK(read_counts(c, d, &n_values));
  EW_CHECK(read_values(c, d, n_values));
  EW_CHECK(gmsh_end_section(c, section));
cleanup:
  return status;
}

ew_status gmsh_read_node_data(gmsh_file *f) { return read_data(f, "NodeData", true); }
ew_status gmsh_read_element_data(gmsh_file *f) { return read_data(f, "ElementData", false); }

void gmsh_data_free(gmsh_data *d) {
  free(d->name);
  free(d->tag);
  free(d->value);
}

/* ---- in the order of the mesh ------------------------------------------------------------------------------------------------ */

typedef struct tagged {
  int64_t tag;
  int32_t index;
} tagged;

/* Which cell, or node of the mesh, a tag is; -1: an element that is no cell, or a node that no cell uses. */
typedef struct finder {
  const gmsh_file *file;
  const node_id *node_number;
  tagged *cell; /* [n_cells], by tag; NULL: not needed yet */
  size_t n_cells;
} finder;

static int compare_tagged(const void *pa, const void *pb) {
  const tagged *a = pa, *b = pb;
  return (a->tag > b->tag) - (a->tag < b->tag);
}

static ew_status sort_cells(finder *to, const mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  const gmsh_element *element = to->file->elements[m->dim].element;
  to->n_cells = (size_t)m->n_cells;
  EW_CHECK(EW_NEW(to->cell, to->n_cells));
  for (size_t i = 0; i < to->n_cells; i++) to->cell[i] = (tagged){element[i].tag, (int32_t)i};
  qsort(to->cell, to->n_cells, sizeof *to->cell, compare_tagged);
cleanup:
  return status;
}

static ew_status find(const finder *in, const gmsh_data *d, int64_t tag, int32_t *index) {
  *index = -1;
  if (d->at_nodes) {
    const node_id node = gmsh_find_node(&in->file->nodes, tag);
    if (node >= 0) return *index = in->node_number[node], EW_OK;
    ew_fail(in->file->cursor.err, EW_INPUT,
            "the data \"%s\" has a value for node %lld, which $Nodes does not list", d->name, (long long)tag);
    gmsh_context(&in->file->cursor, d->where);
    return EW_INPUT;
  }
  const tagged wanted = {tag, 0};
  const tagged *found = bsearch(&wanted, in->cell, in->n_cells, sizeof wanted, compare_tagged);
  if (found) *index = found->index;
  return EW_OK;
}

static ew_status twice(const gmsh_file *f, const gmsh_data *d, int64_t tag) {
  ew_fail(f->cursor.err, EW_INPUT, "the data \"%s\" has two values for %s %lld in step %d", d->name,
          d->at_nodes ? "node" : "element", (long long)tag, d->step);
  gmsh_context(&f->cursor, d->where);
  return EW_INPUT;
}

static ew_status scatter(const finder *in, const gmsh_data *d, mesh_data *to) {
  ew_status status = EW_OK;
  const size_t n = (size_t)d->components;
  for (size_t i = 0; i < d->n; i++) {
    int32_t at;
    EW_CHECK(find(in, d, d->tag[i], &at));
    if (at < 0) {
      to->n_elsewhere++;
      continue;
    }
    double *value = to->value + (size_t)at * n;
    if (!isnan(*value)) return twice(in->file, d, d->tag[i]);
    memcpy(value, d->value + i * n, n * sizeof *value);
    to->n_missing--;
  }
cleanup:
  return status;
}

static void take_tags(const finder *in, const mesh *m, mesh_data *d) {
  const gmsh_nodes *nodes = &in->file->nodes;
  for (size_t i = 0; d->at_nodes && i < nodes->n; i++)
    if (in->node_number[i] >= 0) d->tag[in->node_number[i]] = nodes->tag[i];
  for (cell_id c = 0; !d->at_nodes && c < m->n_cells; c++)
    d->tag[c] = in->file->elements[m->dim].element[c].tag;
}

/* The list of this name and step: files of partitions have a section for each. */
static ew_status add_data(const finder *in, mesh *m, const gmsh_data *from, mesh_data **out) {
  ew_status status = EW_OK;
  ew_error *err = in->file->cursor.err;
  *out = NULL;
  for (int i = 0; i < m->file.n_data; i++)
    if (m->file.data[i].step == from->step && m->file.data[i].at_nodes == from->at_nodes &&
        m->file.data[i].components == from->components && strcmp(m->file.data[i].name, from->name) == 0)
      return *out = &m->file.data[i], EW_OK;
  mesh_data *d = *out = &m->file.data[m->file.n_data++];
  const int32_t n = from->at_nodes ? m->n_nodes : m->n_cells;
  *d = (mesh_data){
      .at_nodes = from->at_nodes, .step = from->step, .components = from->components, .n_missing = n};
  d->name = ew_copy_text(from->name, err);
  if (!d->name) return EW_FAIL;
  EW_CHECK(EW_NEW(d->tag, n));
  EW_CHECK(EW_NEW(d->value, (size_t)n * (size_t)d->components));
  for (size_t i = 0; i < (size_t)n * (size_t)d->components; i++) d->value[i] = NAN;
  take_tags(in, m, d);
cleanup:
  return status;
}

ew_status gmsh_place_data(const gmsh_file *f, const node_id *node_number, mesh *m) {
  ew_status status = EW_OK;
  ew_error *err = f->cursor.err;
  finder in = {.file = f, .node_number = node_number};
  EW_CHECK(EW_NEW(m->file.data, f->n_data));
  for (size_t i = 0; i < f->n_data; i++) {
    mesh_data *to;
    if (!f->data[i].at_nodes && !in.cell) EW_CHECK(sort_cells(&in, m, err));
    EW_CHECK(add_data(&in, m, &f->data[i], &to));
    EW_CHECK(scatter(&in, &f->data[i], to));
  }
cleanup:
  free(in.cell);
  return status;
}
