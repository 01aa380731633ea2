/* Integrals over the mesh with a given under the integral, one number a cell. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fields/on_nodes.h"
#include "fields/parts.h"
#include "run/identity.h"
#include "run/internal.h"

static const dslc_field *find_weight(const exec_run *run, const char *name) {
  for (int i = 0; i < run->program->model.n_fields; i++) {
    const dslc_field *f = &run->program->model.field[i];
    if (f->kind == DSLC_GIVEN && f->place == DSLC_CELLS && strcmp(f->name, name) == 0) return f;
  }
  return NULL;
}

/* What the case says at the cells' centres. */
static ew_status sample_weight(exec_run *run, const dslc_field *f, double *out, ew_error *err) {
  ew_status status = EW_OK;
  exec_sampler *s = NULL;
  const mesh *m = run->m;
  const case_value *v = exec_find_value(run->c->values.given, run->c->values.n_givens, f->name);
  if (!v)
    return ew_fail(err, EW_INPUT, "given '%s' of scheme '%s' has no value", f->name,
                   run->program->identity.scheme);
  EW_CHECK(exec_sampler_create(run->c, v, 1, &s, err));
  for (cell_id c = 0; c < m->n_cells; c++) {
    exec_sampler_at(s, m, MESH_IN_CELLS, c);
    EW_CHECK(exec_sample(s, m->dim, m->cell_centre + (size_t)c * (size_t)m->dim, 0, &out[c], err));
  }
  EW_CHECK(exec_identity_field(run, f, s, err));
cleanup:
  exec_sampler_destroy(&s);
  return status;
}

ew_status exec_weighted_integral(exec_run *run, const dslc_source *source, double *out, ew_error *err) {
  ew_status status = EW_OK;
  char part[EXEC_PART_NAME];
  double *weight = NULL;
  fe_form form;
  const dslc_field *f = find_weight(run, source->weight);
  const dslc_source plain = {.kind = DSLC_SOURCE_INTEGRAL, .form = source->form};
  if (!f) return ew_fail(err, EW_INTERNAL, "no field '%s' weighs an integral", source->weight);
  EW_CHECK(EW_NEW(weight, run->m->n_cells));
  if (exec_part_of_mesh(f, part))
    EW_CHECK(exec_part_fill(&(exec_part){run->m, run->nodes.fe, f, part}, 1, weight, err));
  else EW_CHECK(sample_weight(run, f, weight, err));
  if (source->form == DSLC_FORM_N) fe_integrate_nodes(run->nodes.fe, weight, out);
  else if (exec_edge_form(&plain, &form)) EW_CHECK(fe_integrate_edges(run->nodes.fe, form, weight, out, err));
cleanup:
  free(weight);
  return status;
}
