#include <stdlib.h>
#include <string.h>

#include "fields/on_grid.h"
#include "fields/on_nodes.h"
#include "fields/parts.h"
#include "case/products.h"

const case_value *exec_find_value(const case_value *v, int n, const char *name) {
  for (int i = 0; i < n; i++)
    if (strcmp(v[i].name, name) == 0) return &v[i];
  return NULL;
}

/* ---- parameters ------------------------------------------------------------------------------------------------- */

/* The first whose value, of the case or of its default, is outside of its bounds; NULL: none. */
static const dslc_parameter *out_of_bounds(const exec_run *run, double *value) {
  for (int i = 0; i < run->program->model.n_parameters; i++) {
    const dslc_parameter *p = &run->program->model.parameter[i];
    *value = run->parameter[i][0];
    if (p->bounds && !dslc_within(p->bounds, *value)) return p;
  }
  return NULL;
}

/* Is the parameter `name` one of the tokens `$name`, of vectors `$name.1`, of a default's formula? */
static bool formula_reads(const char *formula, const char *name) {
  const size_t n = strlen(name);
  for (const char *at = formula ? strchr(formula, '$') : NULL; at; at = strchr(at + 1, '$'))
    if (strncmp(at + 1, name, n) == 0 && strchr(" ;.", at[1 + n]))
      return true; /* strchr finds the end, too */
  return false;
}

/* ": it derives from a = 2, b = 40" into `text`, of what the default of `p` reads; nothing where that is nothing. */
static const char *derived_from(const exec_run *run, const dslc_parameter *p, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < run->program->model.n_parameters && used < size; i++) {
    const dslc_parameter *q = &run->program->model.parameter[i];
    if (q->components != 1 || !formula_reads(p->formula, q->name)) continue;
    const int n = snprintf(text + used, size - used, "%s%s = %.6g", used ? ", " : ", which follows from ",
                           q->name, run->parameter[i][0]);
    used += n > 0 ? (size_t)n : 0;
  }
  return text;
}

ew_status exec_parameters_fill(exec_run *run, ew_error *err) {
  const dslc_program *p = run->program;
  const ew_case *c = run->c;
  ew_status status = EW_OK;
  bool *set = calloc((size_t)p->model.n_parameters + 1, sizeof *set);
  run->parameter = calloc((size_t)p->model.n_parameters + 1, sizeof *run->parameter);
  if (!set || !run->parameter) EXEC_LEAVE(err, EW_FAIL, "out of memory for parameters");
  for (int i = 0; i < p->model.n_parameters; i++) {
    const case_value *v =
        exec_find_value(c->values.parameter, c->values.n_parameters, p->model.parameter[i].name);
    if (!v) continue;
    memcpy(run->parameter[i], v->number, sizeof v->number);
    set[i] = true;
  }
  int missing = p->model.n_parameters ? dslc_parameter_defaults(p, run->parameter, set) : -1;
  if (missing >= 0)
    EXEC_LEAVE(err, EW_INPUT, "parameter '%s' of scheme '%s' has no value", p->model.parameter[missing].name,
               p->identity.scheme);
  double value;
  const dslc_parameter *outside = out_of_bounds(run, &value);
  if (outside) {
    const bool said = exec_find_value(c->values.parameter, c->values.n_parameters, outside->name);
    char from[512] = "";
    EXEC_LEAVE(err, EW_INPUT, "parameter '%s' is %.6g%s%s: scheme '%s' needs %s %s", outside->name, value,
               said ? "" : " by its default", said ? "" : derived_from(run, outside, from, sizeof from),
               p->identity.scheme, outside->name, outside->bounds);
  }
cleanup:
  free(set);
  return status;
}

/* ---- states and givens -------------------------------------------------------------------------------------------- */

void exec_mesh_point(const exec_run *run, dslc_place place, int32_t i, double *x) {
  const mesh *m = run->m;
  const size_t dim = (size_t)m->dim;
  const double *from = NULL;
  switch (place) {
  case DSLC_NODES: from = m->node_x + (size_t)run->nodes.fe->node[i] * dim; break;
  case DSLC_CELLS:
    from = m->cell_centre + (size_t)(run->points.inside ? run->points.inside[i] : i) * dim;
    break;
  case DSLC_FACES: from = m->face_centre + (size_t)mesh_seam_face(m, i) * dim; break;
  case DSLC_EDGES: fe_edge_middle(run->nodes.fe, i, x); return;
  default: memset(x, 0, dim * sizeof *x); return;
  }
  memcpy(x, from, dim * sizeof *x);
}

void exec_sampler_on_mesh(exec_sampler *s, const exec_run *run, dslc_place place, int32_t i) {
  if (place == DSLC_NODES) exec_sampler_at(s, run->m, MESH_AT_NODES, run->nodes.fe->node[i]);
  if (place == DSLC_FACES) exec_sampler_at(s, run->m, MESH_AT_FACES, mesh_seam_face(run->m, i));
  if (place == DSLC_EDGES) exec_sampler_at(s, run->m, MESH_AT_EDGES, i);
  if (place == DSLC_CELLS)
    exec_sampler_at(s, run->m, MESH_IN_CELLS, run->points.inside ? run->points.inside[i] : i);
}

ew_status exec_sample_point(const exec_run *run, exec_sampler *s, const exec_field_point *p, double *out,
                            ew_error *err) {
  double vector[DSLC_MOST_COMPONENTS], x[3];
  const int dim = run->m->dim;
  exec_sampler_on_mesh(s, run, p->f->place, p->i);
  exec_mesh_point(run, p->f->place, p->i, x);
  ew_status status = exec_sample(s, dim, x, p->t, p->f->flux ? vector : out, err);
  if (status != EW_OK || !p->f->flux) return status;
  const double *normal = run->m->face_normal + (size_t)p->i * (size_t)dim;
  *out = 0;
  for (int d = 0; d < dim; d++) *out += vector[d] * normal[d];
  return EW_OK;
}

/* Of a given's values at another time the buffer says itself whose they are. */
bool exec_lies_in(const exec_run *run, const dslc_field *f, int buffer) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  if (f->kind == DSLC_QUANTITY) return false;
  return f->buffer == buffer ||
         (b->source.kind == DSLC_SOURCE_GIVEN && &run->program->model.field[b->source.field] == f);
}

/* Writes the field's components into `values` [n * width] of its buffer. Ghosts follow their cells in number, so
 * each point is asked once. */
static ew_status fill_field(exec_run *run, const dslc_field *f, const case_value *v, double t, double *values,
                            ew_error *err) {
  ew_status status = EW_OK;
  exec_sampler *s = NULL;
  size_t width = (size_t)run->program->execution.buffer[f->buffer].width;
  EW_CHECK(exec_sampler_create(run->c, v, exec_case_components(f, run->dim), &s, err));
  exec_sampler_bound_field(s, run->program->identity.scheme, f);
  if (run->g) EW_CHECK(exec_grid_fill(run, f, s, t, values, err));
  for (int32_t i = 0; run->m && i < run->points.place[f->place].owned; i++)
    EW_CHECK(
        exec_sample_point(run, s, &(exec_field_point){f, i, t}, values + (size_t)i * width + f->first, err));
  EW_CHECK(exec_identity_field(run, f, s, err));
  for (int32_t i = run->points.place[f->place].owned; run->m && i < run->points.place[f->place].all; i++)
    memcpy(values + (size_t)i * width + f->first, values + (size_t)run->points.inside[i] * width + f->first,
           (size_t)f->components * sizeof *values);
cleanup:
  exec_sampler_destroy(&s);
  return status;
}

static const case_value *value_of_field(const exec_run *run, const dslc_field *f) {
  const ew_case *c = run->c;
  if (f->kind == DSLC_STATE) return exec_find_value(c->values.initial, c->values.n_initial, f->name);
  return exec_find_value(c->values.given, c->values.n_givens, f->name);
}

static ew_status fill_part(const exec_run *run, const dslc_field *f, const char *name, size_t width,
                           double *values, ew_error *err) {
  const ew_status status =
      exec_part_fill(&(exec_part){run->m, run->nodes.fe, f, name}, width, values + f->first, err);
  for (int32_t i = run->points.place[f->place].owned; i < run->points.place[f->place].all; i++)
    values[(size_t)i * width + f->first] = values[(size_t)run->points.inside[i] * width + f->first];
  return status;
}

static ew_status fill_section(const exec_run *run, const dslc_field *f, const case_section *s, size_t width,
                              double *values, ew_error *err) {
  char where[512];
  if (case_section_fill(s, run->m, width, values + f->first) > 0) return EW_OK;
  return ew_fail(err, EW_INPUT,
                 "%ssection '%s' crosses no face of the mesh: its points are outside, or in one cell",
                 exec_where(s->at, where, sizeof where), s->name);
}

/* All fields of one buffer: a packed layout holds several. */
static ew_status fill_buffer(exec_run *run, int buffer, double t, ew_error *err) {
  const dslc_program *p = run->program;
  const dslc_buffer *b = &p->execution.buffer[buffer];
  ew_status status = EW_OK;
  int32_t n = run->points.place[b->place].all;
  double *values = calloc((size_t)n * (size_t)b->width + 1, sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for the values of '%s'", b->name);
  for (int i = 0; i < p->model.n_fields; i++) {
    const dslc_field *f = &p->model.field[i],
                     here = {f->name, f->kind, f->place, f->components, .buffer = buffer};
    if (!exec_lies_in(run, f, buffer)) continue;
    const case_value *v = value_of_field(run, f);
    char part[EXEC_PART_NAME];
    if (exec_part_of_mesh(f, part)) {
      EW_CHECK(fill_part(run, f, part, (size_t)b->width, values, err));
      continue;
    }
    if (!v)
      EXEC_LEAVE(err, EW_INPUT, "%s '%s' of scheme '%s' has no value",
                 f->kind == DSLC_STATE ? "state" : "given", f->name, p->identity.scheme);
    if (v->kind == CASE_SECTION) EW_CHECK(fill_section(run, f, v->section, (size_t)b->width, values, err));
    else EW_CHECK(fill_field(run, f->buffer == buffer ? f : &here, v, t, values, err));
    if (!case_value_changes(v))
      EW_CHECK(exec_check_small(b, f->buffer == buffer ? f : &here, values, n, err));
  }
  EW_CHECK(exec_put(run, buffer, values, n, err));
cleanup:
  free(values);
  return status;
}

/* ---- arguments of rules --------------------------------------------------------------------------------------------- */

ew_status exec_argument_default(const exec_run *run, int rule, const dslc_argument *a, const char *boundary,
                                double *value, ew_error *err) {
  const char *name = run->program->model.rule[rule].name;
  if (!a->formula)
    return ew_fail(err, EW_INPUT, "argument '%s' of boundary rule '%s' has no value on \"%s\"", a->name, name,
                   boundary);
  dslc_formula(run->program, a->formula, (const double(*)[DSLC_MOST_COMPONENTS])run->parameter, a->components,
               value);
  if (dslc_within(a->bounds, *value)) return EW_OK;
  return ew_fail(err, EW_INPUT, "'%s' is %g by its default: rule '%s' on \"%s\" needs %s %s", a->name, *value,
                 name, boundary, a->name, a->bounds);
}

static ew_status sample_patch(exec_run *run, const mesh_patch *patch, const char *rule, const case_value *v,
                              const exec_asked *asked, ew_error *err) {
  const dslc_argument *a = asked->argument;
  double x[3];
  ew_status status = EW_OK;
  exec_sampler *s = NULL;
  EW_CHECK(exec_sampler_create(run->c, v, a->components, &s, err));
  exec_sampler_bound(s, rule, patch->name, a);
  for (face_id f = patch->first; f < patch->first + patch->count; f++) {
    exec_sampler_on_mesh(s, run, DSLC_FACES, f);
    exec_mesh_point(run, DSLC_FACES, f, x);
    EW_CHECK(exec_sample(s, run->m->dim, x, asked->t,
                         asked->values + (size_t)(f - patch->first) * (size_t)a->components, err));
  }
  EW_CHECK(exec_identity_argument(run, &(exec_argument_at){patch->name, a->name, 0, NULL}, s, err));
cleanup:
  exec_sampler_destroy(&s);
  return status;
}

static ew_status default_patch(exec_run *run, const mesh_patch *patch, int rule, const dslc_argument *a,
                               double *values, ew_error *err) {
  double value[DSLC_MOST_COMPONENTS] = {0};
  ew_status status = exec_argument_default(run, rule, a, patch->name, value, err);
  if (status != EW_OK) return status;
  for (face_id f = 0; f < patch->count; f++)
    memcpy(values + (size_t)f * (size_t)a->components, value, (size_t)a->components * sizeof *value);
  return EW_OK;
}

/* The faces of one rule may belong to several entries of the case with values of their own. */
static ew_status fill_entry(exec_run *run, const case_boundary *entry, int rule, const exec_asked *asked,
                            ew_error *err) {
  const dslc_argument *a = asked->argument;
  const case_value *v = exec_find_value(entry->argument, entry->n_arguments, a->name);
  ew_status status = EW_OK;
  for (int i = 0; i < entry->n_names; i++) {
    const mesh_patch *patch = &run->m->patch[mesh_find_patch(run->m, entry->name[i])];
    double *at =
        asked->values + (size_t)(patch->first - run->points.rule[rule].first) * (size_t)a->components;
    if (patch->count == 0) continue;
    EW_CHECK(v ? sample_patch(run, patch, entry->rule, v, &(exec_asked){a, asked->t, at}, err)
               : default_patch(run, patch, rule, a, at, err));
  }
cleanup:
  return status;
}

static ew_status fill_argument(exec_run *run, int buffer, double t, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  const dslc_rule *rule = &run->program->model.rule[b->rule];
  ew_status status = EW_OK;
  int32_t n = exec_argument_count(run, b);
  double *values = calloc((size_t)n * (size_t)b->width + 1, sizeof *values);
  const exec_asked asked = {&rule->argument[b->argument], t, values};
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for the values of '%s'", b->name);
  if (run->g) EW_CHECK(exec_grid_argument(run, b->rule, &asked, err));
  if (b->hold) EW_CHECK(exec_hold_argument(run, b, &asked, err));
  for (int i = 0; run->m && !b->hold && i < run->c->n_boundaries; i++)
    if (strcmp(run->c->boundary[i].rule, rule->name) == 0)
      EW_CHECK(fill_entry(run, &run->c->boundary[i], b->rule, &asked, err));
  EW_CHECK(exec_put(run, buffer, values, n, err));
cleanup:
  free(values);
  return status;
}

/* ---- all of them ------------------------------------------------------------------------------------------------------- */

ew_status exec_values_put(exec_run *run, int buffer, double t, ew_error *err) {
  bool argument = run->program->execution.buffer[buffer].kind == DSLC_BUFFER_ARGUMENT;
  return argument ? fill_argument(run, buffer, t, err) : fill_buffer(run, buffer, t, err);
}

ew_status exec_values_fill(exec_run *run, ew_error *err) {
  const dslc_program *p = run->program;
  ew_status status = EW_OK;
  run->identity.recording = true;
  run->identity.when = "";
  EW_CHECK(exec_timed_create(run, err));
  for (int b = 0; b < p->execution.n_buffers; b++) {
    dslc_buffer_kind kind = p->execution.buffer[b].kind;
    if (kind == DSLC_BUFFER_STATE || kind == DSLC_BUFFER_GIVEN || kind == DSLC_BUFFER_ARGUMENT)
      EW_CHECK(exec_values_put(run, b, 0, err));
  }
cleanup:
  run->identity.recording = false;
  return status;
}

static ew_status copy_state(exec_run *run, int from, int to, bool *known, bool *more, ew_error *err) {
  uint64_t bytes = dev_buffer_bytes(run->buffer[from]);
  if (!known[from] || known[to] || dev_buffer_bytes(run->buffer[to]) != bytes) return EW_OK;
  known[to] = *more = true;
  return dev_buffer_copy(run->buffer[to], 0, run->buffer[from], 0, bytes, err);
}

ew_status exec_values_spread(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  if (p->execution.n_sections <= DSLC_SECTION_STEP) return EW_OK;
  const dslc_section *s = &p->execution.section[DSLC_SECTION_STEP];
  bool more = true, *known = calloc((size_t)p->execution.n_buffers + 1, sizeof *known);
  if (!known) return ew_fail(err, EW_FAIL, "out of memory for %d buffers", p->execution.n_buffers);
  for (int b = 0; b < p->execution.n_buffers; b++)
    known[b] = p->execution.buffer[b].kind == DSLC_BUFFER_STATE;
  while (more) {
    more = false;
    for (int i = 0; i < s->n_ops; i++) {
      if (s->op[i].kind != DSLC_OP_SWAP) continue;
      EW_CHECK(copy_state(run, s->op[i].a, s->op[i].b, known, &more, err));
      EW_CHECK(copy_state(run, s->op[i].b, s->op[i].a, known, &more, err));
    }
  }
cleanup:
  free(known);
  return status;
}
