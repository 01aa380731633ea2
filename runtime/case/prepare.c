/* From the mesh that a case describes to the mesh that its rules can be launched on. */
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "case/paths.h"
#include "mesh/gmsh/gmsh.h"

static ew_status read_mesh(const ew_case *c, mesh **out, ew_error *err) {
  char path[EW_PATH];
  if (c->mesh.kind == CASE_MESH_RECIPE) {
    ew_status status = exec_mesh_recipe(c, path, sizeof path, err);
    if (status != EW_OK) return status;
  } else exec_find_file(c, c->mesh.path, false, path, sizeof path);
  return mesh_read_gmsh(path, out, err);
}

static ew_status make_periodic(const ew_case *c, mesh *m, ew_error *err) {
  for (int i = 0; i < c->mesh.n_periodic; i++) {
    const case_periodic *p = &c->mesh.periodic[i];
    ew_status status = mesh_make_periodic(m, p->patch, p->partner, err);
    if (status != EW_OK && p->at.file) ew_context(err, "%s:%d", p->at.file, p->at.line);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status make_mesh(const ew_case *c, mesh **out, ew_error *err) {
  switch (c->mesh.kind) {
  case CASE_MESH_RECTANGLE: return mesh_rectangle(&c->mesh.rectangle, out, err);
  case CASE_MESH_BOX: return mesh_box(&c->mesh.box, out, err);
  case CASE_MESH_FILE:
  case CASE_MESH_RECIPE: return read_mesh(c, out, err);
  case CASE_MESH_GRID:
  case CASE_MESH_NONE: break;
  }
  return ew_fail(err, EW_INPUT, "the case says nothing about its mesh");
}

ew_status exec_mesh(const ew_case *c, mesh **out, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = *out = NULL;
  status = make_mesh(c, &m, err);
  if (!m && c->mesh.at.file) return ew_context(err, "%s:%d: mesh", c->mesh.at.file, c->mesh.at.line);
  if (!m) return status;
  EW_CHECK(make_periodic(c, m, err));
  EW_CHECK(mesh_renumber(m, c->mesh.cells, c->mesh.faces, c->mesh.seed, err));
  EW_CHECK(exec_prepare_mesh(c, m, err));
cleanup:
  if (status != EW_OK) mesh_destroy(&m);
  *out = m;
  return status;
}

/* ---- patches by rule ---------------------------------------------------------------------------------------------------- */

typedef struct order {
  const mesh *m;
  const char **name;
  int n;
} order;

/* Each name once, and only names that the mesh has: what is wrong with the others is exec_check's to say. */
static void place(order *o, const char *name) {
  int p = mesh_find_patch(o->m, name);
  for (int i = 0; i < o->n; i++)
    if (strcmp(o->name[i], name) == 0) return;
  if (p >= 0) o->name[o->n++] = o->m->patch[p].name;
}

static void place_rule(order *o, const ew_case *c, const char *rule) {
  for (int b = 0; b < c->n_boundaries; b++)
    for (int i = 0; strcmp(c->boundary[b].rule, rule) == 0 && i < c->boundary[b].n_names; i++)
      place(o, c->boundary[b].name[i]);
}

ew_status exec_prepare_mesh(const ew_case *c, mesh *m, ew_error *err) {
  order o = {.m = m};
  o.name = calloc((size_t)m->n_patches + 1, sizeof *o.name);
  if (!o.name) return ew_fail(err, EW_FAIL, "out of memory for %d patches", m->n_patches);
  for (int p = 0; p < m->n_patches; p++)
    if (m->patch[p].periodic) place(&o, m->patch[p].name);
  for (int b = 0; b < c->n_boundaries; b++) place_rule(&o, c, c->boundary[b].rule);
  ew_status status = mesh_order_patches(m, o.name, o.n, err);
  free(o.name);
  return status;
}
