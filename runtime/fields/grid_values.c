/* Values on a grid: geometry, topology, fields, arguments. */
#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"

enum { RULES_IN_WALL = 64 };

/* ---- geometry along lines ------------------------------------------------------------------------------------------------ */

/* Cell i of an axis continued beyond its ends, periodically or as in a mirror; `sign` and `shift` say how coordinates go. */
typedef struct mirrored {
  int32_t cell;
  double sign, shift;
} mirrored;

static mirrored image_of(const grid_axis *a, int32_t i) {
  double low = a->face[0], high = a->face[a->n], length = high - low;
  int32_t n = a->n, turn = (i >= 0 ? i : i - n + 1) / n, within = i - turn * n;
  if (a->periodic) return (mirrored){within, 1, turn * length};
  if (turn % 2 == 0) return (mirrored){within, 1, turn * length};
  return (mirrored){n - 1 - within, -1, low + high + turn * length};
}

static double line_value(const grid_axis *a, int32_t i, dslc_source_kind kind) {
  mirrored m = image_of(a, i);
  if (kind == DSLC_SOURCE_WIDTH) return grid_width(a, m.cell);
  if (kind == DSLC_SOURCE_OWN_MIDDLE && a->periodic) return grid_middle(a, m.cell);
  return m.sign * grid_middle(a, m.cell) + m.shift;
}

static ew_status fill_line(exec_run *run, int buffer, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  int d = (int)b->place - DSLC_XLINE, halo = run->on_grid->layout.halo;
  const dslc_source_kind kind = b->source.kind;
  const bool known =
      kind == DSLC_SOURCE_WIDTH || kind == DSLC_SOURCE_MIDDLE || kind == DSLC_SOURCE_OWN_MIDDLE;
  if (d < 0 || d >= run->dim || !known)
    return ew_fail(err, EW_INTERNAL, "the grid has no geometry '%s' for buffer '%s'",
                   dslc_source_text(b->source.kind), b->name);
  int32_t n = run->points.place[b->place].all;
  double *values = malloc(((size_t)n + 1) * sizeof *values);
  if (!values) return ew_fail(err, EW_FAIL, "out of memory for '%s'", b->name);
  for (int32_t i = 0; i < n; i++) values[i] = line_value(&run->g->axis[d], i - halo, kind);
  ew_status status = exec_put(run, buffer, values, n, err);
  free(values);
  return status;
}

/* ---- topology ------------------------------------------------------------------------------------------------------------------ */

static void fill_near(const exec_run *run, const uint8_t *near, uint8_t *out) {
  const grid *g = run->g;
  const exec_grid *on = run->on_grid;
  for (int32_t k = 0; k < g->axis[2].n; k++)
    for (int32_t j = 0; j < g->axis[1].n; j++)
      memcpy(out + grid_entry(&on->layout, 0, j, k), near + grid_cell(g, 0, j, k), (size_t)g->axis[0].n);
  for (int32_t i = 0; i < on->n_pairs; i++) out[on->host_pair[2 * i]] = out[on->host_pair[2 * i + 1]];
}

static ew_status put_near(exec_run *run, int buffer, ew_error *err) {
  uint8_t *near = malloc((size_t)run->g->n_cells), *out = calloc(1, dev_buffer_bytes(run->buffer[buffer]));
  ew_status status = EW_OK;
  if (!near || !out) EXEC_LEAVE(err, EW_FAIL, "out of memory for distances in the grid");
  grid_near(run->g, near);
  fill_near(run, near, out);
  EW_CHECK(dev_buffer_write(run->buffer[buffer], 0, (uint64_t)run->on_grid->layout.size, out, err));
cleanup:
  free(near);
  free(out);
  return status;
}

static ew_status put_walls(exec_run *run, int buffer, int axis, ew_error *err) {
  const exec_grid *on = run->on_grid;
  ew_status status = EW_OK;
  size_t size = (size_t)on->layout.size;
  int32_t *out = malloc(size * sizeof *out);
  if (!out) EXEC_LEAVE(err, EW_FAIL, "out of memory for the walls of the grid");
  for (size_t i = 0; i < size; i++) out[i] = -1;
  for (int64_t w = 0; w < run->g->n_walls; w++) {
    const grid_wall *wall = &run->g->wall[w];
    if (wall->axis == axis)
      out[grid_entry(&on->layout, wall->at[0], wall->at[1], wall->at[2])] =
          RULES_IN_WALL * on->row[w] + on->rule[w];
  }
  for (int32_t i = 0; i < on->n_pairs; i++) out[on->host_pair[2 * i]] = out[on->host_pair[2 * i + 1]];
  EW_CHECK(dev_buffer_write(run->buffer[buffer], 0, size * sizeof *out, out, err));
cleanup:
  free(out);
  return status;
}

/* The outward normal's component across the axis at the faces of a rule, 0 at all others. */
static ew_status put_marks(exec_run *run, int buffer, ew_error *err) {
  const exec_grid *on = run->on_grid;
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  const int rule = b->source.rule;
  ew_status status = EW_OK;
  size_t size = (size_t)on->layout.size;
  int32_t *out = calloc(size, sizeof *out);
  if (!out)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for the faces of rule '%s'", run->program->model.rule[rule].name);
  for (int64_t w = 0; w < run->g->n_walls; w++) {
    const grid_wall *wall = &run->g->wall[w];
    if (wall->axis == (int)b->place - DSLC_XFACES && on->rule[w] == rule)
      out[grid_entry(&on->layout, wall->at[0], wall->at[1], wall->at[2])] = wall->gas_above ? -1 : 1;
  }
  for (int32_t i = 0; i < on->n_pairs; i++) out[on->host_pair[2 * i]] = out[on->host_pair[2 * i + 1]];
  EW_CHECK(dev_buffer_write(run->buffer[buffer], 0, size * sizeof *out, out, err));
cleanup:
  free(out);
  return status;
}

static ew_status fill_topology(exec_run *run, int buffer, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  switch (b->source.kind) {
  case DSLC_SOURCE_WALL_DISTANCE: return put_near(run, buffer, err);
  case DSLC_SOURCE_WALL_POINT: return exec_grid_put_band(run, buffer, err);
  case DSLC_SOURCE_WALL_NUMBER: return exec_grid_put_numbers(run, buffer, err);
  case DSLC_SOURCE_WALL: return put_walls(run, buffer, (int)b->place - DSLC_XFACES, err);
  case DSLC_SOURCE_ON_RULE: return put_marks(run, buffer, err);
  default:
    return ew_fail(err, EW_INTERNAL, "the grid has no topology '%s' for buffer '%s'",
                   dslc_source_text(b->source.kind), b->name);
  }
}

size_t exec_grid_elements(const exec_run *run, const dslc_buffer *b) {
  return (size_t)run->points.place[b->place].stride *
         (size_t)(b->kind == DSLC_BUFFER_TOPOLOGY ? 1 : b->width);
}

ew_status exec_grid_geometry(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  exec_grid *on = run->on_grid;
  uint64_t bytes = 2 * (uint64_t)on->n_pairs * sizeof(int32_t);
  for (int b = 0; b < p->execution.n_buffers; b++) {
    if (p->execution.buffer[b].kind == DSLC_BUFFER_GEOMETRY) EW_CHECK(fill_line(run, b, err));
    if (p->execution.buffer[b].kind == DSLC_BUFFER_TOPOLOGY) EW_CHECK(fill_topology(run, b, err));
  }
  if (on->n_pairs == 0) return EW_OK;
  EW_CHECK(dev_buffer_create(run->device, "copies", bytes, &on->pair, err));
  EW_CHECK(dev_buffer_write(on->pair, 0, bytes, on->host_pair, err));
cleanup:
  return status;
}

/* ---- fields ----------------------------------------------------------------------------------------------------------------------- */

/* The point inside that stands for one of the padding. */
static int32_t inside(const grid *g, dslc_place place, int d, int32_t i) {
  int32_t n = d < g->dim ? exec_grid_extent(g, place, d) : 1;
  if (d < g->dim && g->axis[d].periodic) return ((i % n) + n) % n;
  return i < 0 ? 0 : i < n ? i : n - 1;
}

typedef struct source {
  const exec_run *run;
  const dslc_field *f;
  size_t width; /* of the buffer */
  double *entries;
} source;

static double *at_entry(const source *s, int32_t i, int32_t j, int32_t k) {
  if (s->f->place == DSLC_NOWHERE) return s->entries + s->f->first;
  return s->entries + (size_t)grid_entry(&s->run->on_grid->layout, i, j, k) * s->width + s->f->first;
}

void exec_grid_beyond(const exec_run *run, dslc_place place, exec_copy_entry *copy, void *context) {
  const grid *g = run->g;
  const grid_layout *l = &run->on_grid->layout;
  if (place == DSLC_NOWHERE) return;
  for (int32_t k = l->low[2]; k < l->high[2]; k++)
    for (int32_t j = l->low[1]; j < l->high[1]; j++)
      for (int32_t i = l->low[0]; i < l->high[0]; i++) {
        int32_t a = inside(g, place, 0, i), b = inside(g, place, 1, j), c = inside(g, place, 2, k);
        if (a != i || b != j || c != k) copy(context, grid_entry(l, i, j, k), grid_entry(l, a, b, c));
      }
}

static void copy_values(void *context, int64_t to, int64_t from) {
  const source *s = context;
  double *first = s->entries + s->f->first;
  memcpy(first + (size_t)to * s->width, first + (size_t)from * s->width,
         (size_t)s->f->components * sizeof(double));
}

static void copy_beyond(source *s) { exec_grid_beyond(s->run, s->f->place, copy_values, s); }

ew_status exec_grid_fill(exec_run *run, const dslc_field *f, exec_sampler *sampler, double t, double *values,
                         ew_error *err) {
  source s = {run, f, (size_t)run->program->execution.buffer[f->buffer].width, values};
  int32_t n[3], at[3];
  for (int d = 0; d < 3; d++) n[d] = d < run->dim ? exec_grid_extent(run->g, f->place, d) : 1;
  for (at[2] = 0; at[2] < n[2]; at[2]++)
    for (at[1] = 0; at[1] < n[1]; at[1]++)
      for (at[0] = 0; at[0] < n[0]; at[0]++) {
        double x[3];
        exec_grid_point(run->g, f->place, at, x);
        ew_status status = exec_sample(sampler, run->dim, x, t, at_entry(&s, at[0], at[1], at[2]), err);
        if (status != EW_OK) return status;
      }
  copy_beyond(&s);
  return EW_OK;
}

void exec_grid_gather(const exec_run *run, const dslc_field *f, int width, const double *entries,
                      double *points) {
  source s = {run, f, (size_t)width, (double *)entries};
  size_t count = (size_t)f->components;
  int32_t n[3];
  for (int d = 0; d < 3; d++) n[d] = d < run->dim ? exec_grid_extent(run->g, f->place, d) : 1;
  for (int32_t k = 0; k < n[2]; k++)
    for (int32_t j = 0; j < n[1]; j++)
      for (int32_t i = 0; i < n[0]; i++, points += count)
        memcpy(points, at_entry(&s, i, j, k), count * sizeof *points);
}

void exec_grid_scatter(const exec_run *run, const dslc_field *f, int width, const double *points,
                       double *entries) {
  source s = {run, f, (size_t)width, entries};
  size_t count = (size_t)f->components;
  int32_t n[3];
  for (int d = 0; d < 3; d++) n[d] = d < run->dim ? exec_grid_extent(run->g, f->place, d) : 1;
  for (int32_t k = 0; k < n[2]; k++)
    for (int32_t j = 0; j < n[1]; j++)
      for (int32_t i = 0; i < n[0]; i++, points += count)
        memcpy(at_entry(&s, i, j, k), points, count * sizeof *points);
  copy_beyond(&s);
}

/* ---- means at cells ------------------------------------------------------------------------------------------------------------------ */

/* The numbers of the points around a cell among those of the place. */
static int around(const grid *g, dslc_place place, const int32_t at[3], int64_t point[8]) {
  int64_t pitch[3] = {1, exec_grid_extent(g, place, 0), 0};
  int n = 0;
  pitch[2] = pitch[1] * exec_grid_extent(g, place, 1);
  for (int corner = 0; corner < 8; corner++) {
    int64_t p = 0;
    bool counts = true;
    for (int d = 0; d < g->dim; d++) {
      bool upper = corner >> d & 1;
      int32_t i = at[d] + upper;
      counts &= !upper || exec_grid_on_face(place, d);
      p += pitch[d] * (g->axis[d].periodic ? i % g->axis[d].n : i);
    }
    if (counts && corner >> g->dim == 0) point[n++] = p;
  }
  return n;
}

void exec_grid_to_cells(const grid *g, dslc_place place, int components, const double *points,
                        double *cells) {
  int32_t at[3];
  for (at[2] = 0; at[2] < g->axis[2].n; at[2]++)
    for (at[1] = 0; at[1] < g->axis[1].n; at[1]++)
      for (at[0] = 0; at[0] < g->axis[0].n; at[0]++) {
        int64_t point[8];
        int n = around(g, place, at, point);
        for (int d = 0; d < components; d++) {
          double sum = 0;
          for (int i = 0; i < n; i++) sum += points[(size_t)point[i] * (size_t)components + (size_t)d];
          *cells++ = sum / n;
        }
      }
}

/* ---- arguments of rules ----------------------------------------------------------------------------------------------------------------- */

static const case_value *given(const case_boundary *entry, const char *name) {
  for (int i = 0; i < entry->n_arguments; i++)
    if (strcmp(entry->argument[i].name, name) == 0) return &entry->argument[i];
  return NULL;
}

/* The rows that one entry of the case's list has in the rule. */
/* Of the boundary's entry of the case, into its rows of values[walls][components]. */
static ew_status fill_entry(exec_run *run, int entry, int rule, const exec_asked *asked, ew_error *err) {
  const dslc_argument *a = asked->argument;
  ew_status status = EW_OK;
  exec_sampler *s = NULL;
  const grid *g = run->g;
  const case_value *v = given(&run->c->boundary[entry], a->name);
  double value[DSLC_MOST_COMPONENTS] = {0}, x[3];
  const char *boundary = run->c->boundary[entry].name[0];
  if (!v) EW_CHECK(exec_argument_default(run, rule, a, boundary, value, err));
  if (v) EW_CHECK(exec_sampler_create(run->c, v, a->components, &s, err));
  if (v) exec_sampler_bound(s, run->program->model.rule[rule].name, boundary, a);
  for (int64_t w = 0; w < g->n_walls; w++) {
    if (run->on_grid->rule[w] != rule || run->on_grid->entry[g->wall[w].boundary] != entry) continue;
    grid_wall_centre(g, &g->wall[w], x);
    if (v) EW_CHECK(exec_sample(s, run->dim, x, asked->t, value, err));
    memcpy(asked->values + (size_t)run->on_grid->row[w] * (size_t)a->components, value,
           (size_t)a->components * sizeof *value);
  }
  if (v)
    EW_CHECK(exec_identity_argument(
        run, &(exec_argument_at){boundary, a->name, run->program->model.rule[rule].axis, NULL}, s, err));
cleanup:
  exec_sampler_destroy(&s);
  return status;
}

ew_status exec_grid_argument(exec_run *run, int rule, const exec_asked *asked, ew_error *err) {
  ew_status status = EW_OK;
  const ew_case *c = run->c;
  if (run->points.rule[rule].count == 0) return EW_OK;
  for (int e = 0; e < c->n_boundaries; e++)
    if (strcmp(c->boundary[e].rule, run->program->model.rule[rule].name) == 0)
      EW_CHECK(fill_entry(run, e, rule, asked, err));
cleanup:
  return status;
}

/* ---- periodic sides ------------------------------------------------------------------------------------------------------------------------ */

ew_status exec_grid_ghosts(exec_run *run, int buffer, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  int32_t n = run->on_grid->n_pairs;
  dev_kernel *k = b->element == DSLC_F64 ? run->builtin.copies_f64 : run->builtin.copies_f32;
  const int32_t numbers[] = {n, b->width, b->aos ? 1 : run->points.place[b->place].stride,
                             b->aos ? b->width : 1, run->nodes.skip};
  if (n == 0) return EW_OK;
  EW_CHECK(dev_kernel_set_buffer(k, 0, run->buffer[run->seen.flags], err));
  EW_CHECK(dev_kernel_set_buffer(k, 1, run->on_grid->pair, err));
  EW_CHECK(dev_kernel_set_buffer(k, 2, run->buffer[buffer], err));
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    EW_CHECK(dev_kernel_set_i32(k, 3 + i, numbers[i], err));
  EW_CHECK(dev_kernel_launch(k, (uint64_t)n, 0, err));
cleanup:
  return status;
}
