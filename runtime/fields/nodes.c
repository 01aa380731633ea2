#include <stdlib.h>
#include <string.h>

#include "fields/on_nodes.h"

static bool is_nodal_place(dslc_place p) { return p == DSLC_NODES || p == DSLC_EDGES; }

bool exec_uses_nodes(const dslc_program *p) {
  if (p->model.n_holds > 0 || p->execution.n_solves > 0) return true;
  for (int b = 0; b < p->execution.n_buffers; b++)
    if (is_nodal_place(p->execution.buffer[b].place)) return true;
  for (int k = 0; k < p->execution.n_kernels; k++)
    if (is_nodal_place(p->execution.kernel[k].place)) return true;
  return false;
}

bool exec_is_nodal(const dslc_buffer *b) { return b->hold > 0 || is_nodal_place(b->place); }

ew_status exec_nodes_create(exec_run *run, ew_error *err) {
  ew_status status = EW_OK;
  if (!exec_uses_nodes(run->program)) return EW_OK;
  EW_CHECK(fe_create(run->m, run->c->mesh.nodes, run->c->mesh.seed, &run->nodes.fe, err));
  run->points.place[DSLC_NODES] = exec_place_of(run->nodes.fe->n, run->nodes.fe->n);
  run->points.place[DSLC_EDGES] = exec_place_of(fe_edges(run->nodes.fe), fe_edges(run->nodes.fe));
  EW_CHECK(exec_slots_make_room(run, err));
  exec_hash_order(run->nodes.fe->dof, run->m->n_nodes, run->mesh_hash);
  EW_CHECK(exec_holds_create(run, err));
cleanup:
  return status;
}

void exec_nodes_destroy(exec_run *run) {
  exec_holds_destroy(run);
  fe_destroy(&run->nodes.fe);
}

/* ---- geometry ---------------------------------------------------------------------------------------------------------------- */

static ew_status no_geometry(const dslc_buffer *b, ew_error *err) {
  return ew_fail(err, EW_INTERNAL, "the mesh has no geometry '%s' for buffer '%s'",
                 dslc_source_text(b->source.kind), b->name);
}

static ew_status put_rows(exec_run *run, int buffer, ew_error *err) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  const fe_rows *rows = run->nodes.hold[b->hold - 1];
  if (b->source.kind == DSLC_SOURCE_AREA) return exec_put(run, buffer, rows->area, rows->n, err);
  if (b->source.kind == DSLC_SOURCE_NORMAL) return exec_put(run, buffer, rows->normal, rows->n, err);
  return no_geometry(b, err);
}

bool exec_node_values(const exec_run *run, const dslc_source *source, double *out) {
  const mesh *m = run->m;
  size_t dim = (size_t)m->dim;
  if (source->kind == DSLC_SOURCE_INTEGRAL && source->form == DSLC_FORM_N)
    return fe_integrate_nodes(run->nodes.fe, NULL, out), true;
  for (int32_t i = 0; source->kind == DSLC_SOURCE_CENTRE && i < run->nodes.fe->n; i++)
    memcpy(out + dim * (size_t)i, m->node_x + dim * (size_t)run->nodes.fe->node[i], dim * sizeof *out);
  return source->kind == DSLC_SOURCE_CENTRE;
}

void exec_edge_nodes(const exec_run *run, int32_t i, node_id *node) {
  const fe_space *s = run->nodes.fe;
  node[0] = s->node[fe_first_node(s, i)], node[1] = s->node[s->next[i]];
}

bool exec_edge_form(const dslc_source *source, fe_form *form) {
  static const fe_form forms[DSLC_FORM_COUNT] = {[DSLC_FORM_N_DN] = FE_N_DN,
                                                 [DSLC_FORM_DN_N] = FE_DN_N,
                                                 [DSLC_FORM_N_N] = FE_N_N,
                                                 [DSLC_FORM_DOT_DN_DN] = FE_DOT_DN_DN,
                                                 [DSLC_FORM_OUTER_DN_DN] = FE_OUTER_DN_DN};
  *form = source->kind == DSLC_SOURCE_VECTOR ? FE_VECTOR : forms[source->form];
  return source->kind == DSLC_SOURCE_VECTOR ||
         ((source->kind == DSLC_SOURCE_INTEGRAL || source->kind == DSLC_SOURCE_WEIGHTED) &&
          source->form != DSLC_FORM_N);
}

static ew_status edge_values(exec_run *run, const dslc_buffer *b, double *out, ew_error *err) {
  fe_form form;
  if (!exec_edge_form(&b->source, &form)) return no_geometry(b, err);
  if (fe_form_width(form, run->m->dim) != b->width)
    return ew_fail(err, EW_INTERNAL, "buffer '%s' has %d components, '%s' has %d", b->name, b->width,
                   dslc_source_text(b->source.kind), fe_form_width(form, run->m->dim));
  if (b->source.kind == DSLC_SOURCE_WEIGHTED) return exec_weighted_integral(run, &b->source, out, err);
  return fe_integrate_edges(run->nodes.fe, form, NULL, out, err);
}

static ew_status entity_values(exec_run *run, const dslc_buffer *b, double *out, ew_error *err) {
  if (b->place == DSLC_EDGES) return edge_values(run, b, out, err);
  if (b->source.kind == DSLC_SOURCE_WEIGHTED) return exec_weighted_integral(run, &b->source, out, err);
  return exec_node_values(run, &b->source, out) ? EW_OK : no_geometry(b, err);
}

ew_status exec_node_geometry(exec_run *run, int buffer, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  int32_t n = run->points.place[b->place].owned;
  if (b->hold) return put_rows(run, buffer, err);
  double *values = malloc(((size_t)n * (size_t)b->width + 1) * sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for '%s'", b->name);
  EW_CHECK(entity_values(run, b, values, err));
  EW_CHECK(exec_put(run, buffer, values, n, err));
cleanup:
  free(values);
  return status;
}

/* ---- topology ------------------------------------------------------------------------------------------------------------------- */

size_t exec_node_elements(const exec_run *run, const dslc_buffer *b) {
  if (b->hold) return (size_t)run->nodes.hold[b->hold - 1]->n;
  if (b->source.kind == DSLC_SOURCE_NODE_START) return (size_t)run->nodes.fe->n + 1;
  if (exec_is_in_slots(b)) return (size_t)run->points.place[DSLC_EDGES].stride;
  return (size_t)run->points.place[b->place].owned;
}

bool exec_node_topology(const exec_run *run, const dslc_buffer *b, int32_t *out, ew_error *err) {
  const fe_space *s = run->nodes.fe;
  switch (b->source.kind) {
  case DSLC_SOURCE_ROW_NODE:
    if (!b->hold) return false;
    memcpy(out, run->nodes.hold[b->hold - 1]->dof, (size_t)run->nodes.hold[b->hold - 1]->n * sizeof *out);
    return true;
  case DSLC_SOURCE_NODE_START: memcpy(out, s->start, ((size_t)s->n + 1) * sizeof *out); return true;
  case DSLC_SOURCE_EDGE_NODE: memcpy(out, s->next, (size_t)fe_edges(s) * sizeof *out); return true;
  case DSLC_SOURCE_EDGE_FROM: fe_edge_from(s, out); return true;
  case DSLC_SOURCE_EDGE_TWIN: fe_edge_twin(s, out); return true;
  case DSLC_SOURCE_EDGE_PAIR: return fe_edge_pair(s, out, err) == EW_OK;
  case DSLC_SOURCE_CONSTRAINED: exec_held(run, b->source.field, out); return true;
  case DSLC_SOURCE_ON_RULE: exec_on_rule(run, b->source.rule, out); return true;
  default: return exec_slots(run, b, out, err);
  }
}

/* ---- values in the mesh's order ------------------------------------------------------------------------------------------------- */

void exec_nodes_expand(const exec_run *run, const dslc_field *f, int width, const double *values,
                       double *out) {
  size_t n = (size_t)f->components;
  for (node_id k = 0; k < run->m->n_nodes; k++)
    memcpy(out + (size_t)k * n, values + (size_t)run->nodes.fe->dof[k] * (size_t)width + f->first,
           n * sizeof *out);
}
