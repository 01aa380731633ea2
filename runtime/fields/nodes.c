#include <stdlib.h>
#include <string.h>

#include "fields/on_nodes.h"

static bool is_nodal_place(dslc_place p) { return p == DSLC_NODES || p == DSLC_EDGES; }

bool exec_uses_nodes(const dslc_program *p) {
  if (p->n_holds > 0 || p->n_solves > 0) return true;
  for (int b = 0; b < p->n_buffers; b++)
    if (is_nodal_place(p->buffer[b].place)) return true;
  for (int k = 0; k < p->n_kernels; k++)
    if (is_nodal_place(p->kernel[k].place)) return true;
  return false;
}

bool exec_is_nodal(const dslc_buffer *b) { return b->hold > 0 || is_nodal_place(b->place); }

ew_status exec_nodes_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  if (!exec_uses_nodes(run->program)) return EW_OK;
  EW_CHECK(fe_create(run->m, run->c->mesh.nodes, run->c->mesh.seed, &run->fe, err));
  run->place[DSLC_NODES] = exec_place_of(run->fe->n, run->fe->n);
  run->place[DSLC_EDGES] = exec_place_of(fe_edges(run->fe), fe_edges(run->fe));
  EW_CHECK(exec_slots_make_room(run, err));
  exec_hash_order(run->fe->dof, run->m->n_nodes, run->mesh_hash);
  EW_CHECK(exec_holds_create(run, err));
cleanup:
  return status;
}

void exec_nodes_destroy(exec_run *run) {
  exec_holds_destroy(run);
  fe_destroy(&run->fe);
}

/* ---- geometry ---------------------------------------------------------------------------------------------------------------- */

static ew_status no_geometry(const dslc_buffer *b, ew_error *err) {
  return ew_fail(err, EW_INTERNAL, "the mesh has no geometry '%s' for buffer '%s'", b->source, b->name);
}

static ew_status put_rows(exec_run *run, int buffer, ew_error *err) {
  const dslc_buffer *b = &run->program->buffer[buffer];
  const fe_rows *rows = run->hold[b->hold - 1];
  if (strcmp(b->source, "area") == 0) return exec_put(run, buffer, rows->area, rows->n, err);
  if (strcmp(b->source, "normal") == 0) return exec_put(run, buffer, rows->normal, rows->n, err);
  return no_geometry(b, err);
}

/* The part of "integral:FORM" behind the colon, or NULL. */
static const char *form_of(const dslc_buffer *b) {
  static const char word[] = "integral:";
  return strncmp(b->source, word, sizeof word - 1) == 0 ? b->source + sizeof word - 1 : NULL;
}

static ew_status node_values(const exec_run *run, const dslc_buffer *b, double *out, ew_error *err) {
  const char *form = form_of(b);
  const mesh *m = run->m;
  size_t dim = (size_t)m->dim;
  if (form && strcmp(form, "N") == 0) return fe_integrate_nodes(run->fe, out), EW_OK;
  if (strcmp(b->source, "centre") != 0) return no_geometry(b, err);
  for (int32_t i = 0; i < run->fe->n; i++)
    memcpy(out + dim * (size_t)i, m->node_x + dim * (size_t)run->fe->node[i], dim * sizeof *out);
  return EW_OK;
}

static ew_status edge_values(const exec_run *run, const dslc_buffer *b, double *out, ew_error *err) {
  const char *name = form_of(b);
  fe_form form;
  if (!fe_form_parse(name ? name : b->source, &form) || (form == FE_VECTOR) != !name)
    return no_geometry(b, err);
  if (fe_form_width(form, run->m->dim) != b->width)
    return ew_fail(err, EW_INTERNAL, "buffer '%s' has %d components, '%s' has %d", b->name, b->width,
                   b->source, fe_form_width(form, run->m->dim));
  return fe_integrate_edges(run->fe, form, out, err);
}

ew_status exec_node_geometry(exec_run *run, int buffer, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->buffer[buffer];
  int32_t n = run->place[b->place].owned;
  if (b->hold) return put_rows(run, buffer, err);
  double *values = malloc(((size_t)n * (size_t)b->width + 1) * sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for '%s'", b->name);
  EW_CHECK(b->place == DSLC_NODES ? node_values(run, b, values, err) : edge_values(run, b, values, err));
  EW_CHECK(exec_put(run, buffer, values, n, err));
cleanup:
  free(values);
  return status;
}

/* ---- topology ------------------------------------------------------------------------------------------------------------------- */

size_t exec_node_elements(const exec_run *run, const dslc_buffer *b) {
  if (b->hold) return (size_t)run->hold[b->hold - 1]->n;
  if (strcmp(b->source, "node_start") == 0) return (size_t)run->fe->n + 1;
  if (exec_is_in_slots(b)) return (size_t)run->place[DSLC_EDGES].stride;
  return (size_t)run->place[b->place].owned;
}

bool exec_node_topology(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err) {
  const fe_space *s = run->fe;
  const char *source = b->source;
  if (strcmp(source, "hold_node") == 0 && b->hold)
    memcpy(out, run->hold[b->hold - 1]->dof, (size_t)run->hold[b->hold - 1]->n * sizeof *out);
  else if (strcmp(source, "node_start") == 0) memcpy(out, s->start, ((size_t)s->n + 1) * sizeof *out);
  else if (strcmp(source, "edge_node") == 0) memcpy(out, s->next, (size_t)fe_edges(s) * sizeof *out);
  else if (strcmp(source, "edge_from") == 0) fe_edge_from(s, out);
  else if (strcmp(source, "edge_twin") == 0) fe_edge_twin(s, out);
  else if (strcmp(source, "edge_pair") == 0) return fe_edge_pair(s, out, err) == EW_OK;
  else if (strncmp(source, "held:", 5) == 0) exec_held(run, source + 5, out);
  else if (strncmp(source, "on:", 3) == 0) exec_on_rule(run, source + 3, out);
  else return exec_slots(run, b, out, err);
  return true;
}

/* ---- values in the mesh's order ------------------------------------------------------------------------------------------------- */

void exec_nodes_expand(const exec_run *run, const dslc_field *f, int width, const double *values,
                       double *out) {
  size_t n = (size_t)f->components;
  for (node_id k = 0; k < run->m->n_nodes; k++)
    memcpy(out + (size_t)k * n, values + (size_t)run->fe->dof[k] * (size_t)width + f->first, n * sizeof *out);
}
