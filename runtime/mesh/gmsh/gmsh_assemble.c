/* From the lists of a Gmsh file to a mesh. */
#include "mesh/gmsh/gmsh_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* How far z may vary in a 2D mesh, as a part of the mesh's extent. */
#define FLAT 1e-8

typedef struct gmsh_build {
  gmsh_file *file;
  mesh *mesh;
  int64_t *cell_tag;
  node_id *node_number; /* [nodes.n] the mesh's number of a node, -1 if no cell uses it */
  int32_t *group;       /* distinct tags in use, ascending */
  size_t n_groups;
  mesh_mark *mark;
  size_t n_marks;
} gmsh_build;

static int compare_ints(const void *pa, const void *pb) {
  int32_t a = *(const int32_t *)pa, b = *(const int32_t *)pb;
  return (a > b) - (a < b);
}

/* The distinct groups of all elements of one dimension, the first `per_element` (1 or 2) of each, without 0
 * (none). */
static ew_status collect_groups(gmsh_build *b, const gmsh_elements *e, int per_element, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = 0;
  free(b->group);
  b->n_groups = 0;
  EW_CHECK(EW_NEW(b->group, 2 * e->n));
  for (size_t i = 0; i < e->n; i++) {
    int32_t of_element[2] = {e->element[i].group, e->element[i].second_group};
    for (int k = 0; k < per_element; k++) /* elements come in runs of one group */
      if (of_element[k] && (n < 2 || (b->group[n - 1] != of_element[k] && b->group[n - 2] != of_element[k])))
        b->group[n++] = of_element[k];
  }
  qsort(b->group, n, sizeof *b->group, compare_ints);
  for (size_t i = 0; i < n; i++)
    if (!i || b->group[i] != b->group[i - 1]) b->group[b->n_groups++] = b->group[i];
cleanup:
  return status;
}

static int32_t group_index(const gmsh_build *b, int32_t tag) {
  const int32_t *found = bsearch(&tag, b->group, b->n_groups, sizeof tag, compare_ints);
  return found ? (int32_t)(found - b->group) : -1;
}

/* The group's name, or PREFIX_TAG. */
static char *group_name(const gmsh_build *b, int dim, int32_t tag, const char *prefix, ew_error *err) {
  for (size_t i = 0; i < b->file->n_groups; i++)
    if (b->file->group[i].dim == dim && b->file->group[i].tag == tag)
      return ew_copy_text(b->file->group[i].name, err);
  char text[64];
  snprintf(text, sizeof text, "%s_%d", prefix, tag);
  return ew_copy_text(text, err);
}

/* Which of the groups' values a cell is to have would depend on the file's order. Format 2.2 writes such cells twice, and repeated cells are
 * refused anyway. */
static ew_status check_one_group(const gmsh_build *b, const gmsh_element *e, ew_error *err) {
  char *one = NULL, *two = NULL;
  if (!e->second_group || e->second_group == e->group) return EW_OK;
  one = group_name(b, b->mesh->dim, e->group, "region", err);
  two = group_name(b, b->mesh->dim, e->second_group, "region", err);
  if (one && two) {
    ew_fail(
        err, EW_INPUT,
        "%s %lld lies in two physical groups, \"%s\" and \"%s\": put each cell in one; what holds for all "
        "cells needs no group",
        gmsh_type_of(e->type)->name, (long long)e->tag, one, two);
    gmsh_context(&b->file->cursor, e->where);
  }
  free(one);
  free(two);
  return one && two ? EW_INPUT : EW_FAIL;
}

static ew_status make_regions(gmsh_build *b, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = b->mesh;
  EW_CHECK(collect_groups(b, &b->file->elements[m->dim], 1, err));
  EW_CHECK(EW_NEW(m->region, b->n_groups));
  for (size_t i = 0; i < b->n_groups; i++) {
    char *name = group_name(b, m->dim, b->group[i], "region", err);
    if (!name) return EW_FAIL;
    m->region[m->n_regions++] = (mesh_region){name, b->group[i]};
  }
cleanup:
  return status;
}

/* Patches by ascending tag; groups of one name share a patch. patch_of [n_groups] receives the patch of each.
 */
static ew_status make_patches(gmsh_build *b, int32_t *patch_of, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = b->mesh;
  EW_CHECK(EW_NEW(m->patch, b->n_groups));
  for (size_t i = 0; i < b->n_groups; i++) {
    char *name = group_name(b, m->dim - 1, b->group[i], "boundary", err);
    if (!name) return EW_FAIL;
    patch_of[i] = mesh_find_patch(m, name);
    if (patch_of[i] >= 0) {
      free(name);
      continue;
    }
    patch_of[i] = m->n_patches;
    m->patch[m->n_patches++] = (mesh_patch){.name = name};
  }
cleanup:
  return status;
}

static void add_mark(gmsh_build *b, const node_id *node, int n, int32_t patch) {
  mesh_mark *mark = &b->mark[b->n_marks];
  *mark = (mesh_mark){{-1, -1, -1, -1}, patch};
  for (int i = 0; i < n; i++)
    if ((mark->node[i] = b->node_number[node[i]]) < 0) return; /* not a side of any cell */
  b->n_marks++;
}

static ew_status make_marks(gmsh_build *b, ew_error *err) {
  ew_status status = EW_OK;
  const gmsh_elements *e = &b->file->elements[b->mesh->dim - 1];
  int32_t *patch_of = NULL;
  EW_CHECK(collect_groups(b, e, 2, err));
  EW_CHECK(EW_NEW(patch_of, b->n_groups));
  EW_CHECK(make_patches(b, patch_of, err));
  EW_CHECK(EW_NEW(b->mark, 2 * e->n));
  const node_id *node = e->node;
  for (size_t i = 0; i < e->n; i++) {
    int32_t group[2] = {e->element[i].group, e->element[i].second_group};
    int n = gmsh_type_of(e->element[i].type)->n_nodes;
    for (int k = 0; k < 2; k++)
      if (group[k]) add_mark(b, node, n, patch_of[group_index(b, group[k])]);
    node += n;
  }
cleanup:
  free(patch_of);
  return status;
}

/* A 2D mesh has to lie in a plane z = constant. */
static ew_status check_flat(const gmsh_build *b) {
  const gmsh_nodes *nodes = &b->file->nodes;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
  for (size_t i = 0; i < nodes->n; i++)
    for (int d = 0; d < 3 && b->node_number[i] >= 0; d++) {
      low[d] = fmin(low[d], nodes->x[3 * i + (size_t)d]);
      high[d] = fmax(high[d], nodes->x[3 * i + (size_t)d]);
    }
  for (int d = 0; d < 2; d++) extent = fmax(extent, high[d] - low[d]);
  if (high[2] - low[2] <= FLAT * extent) return EW_OK;
  return ew_fail(
      b->file->cursor.err, EW_INPUT,
      "%.300s: a surface mesh with z from %g to %g; expected a flat one in (x, y) with constant z, or cells "
      "of volume (was the 3D mesh generated? gmsh -3; is the volume in a physical group?)",
      b->file->cursor.name, low[2], high[2]);
}

/* Keeps the nodes cells use, in the file's order. */
static ew_status make_nodes(gmsh_build *b, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = b->mesh;
  const gmsh_nodes *nodes = &b->file->nodes;
  const gmsh_elements *cells = &b->file->elements[m->dim];
  EW_CHECK(EW_NEW(b->node_number, nodes->n));
  for (size_t i = 0; i < nodes->n; i++) b->node_number[i] = -1;
  for (size_t i = 0; i < cells->n_nodes; i++) b->node_number[cells->node[i]] = 0;
  for (size_t i = 0; i < nodes->n; i++)
    if (b->node_number[i] == 0) b->node_number[i] = m->n_nodes++;
  m->file.n_unused = (node_id)nodes->n - m->n_nodes;
  if (m->dim == 2) EW_CHECK(check_flat(b));
  EW_CHECK(EW_NEW(m->node_x, (size_t)m->n_nodes * (size_t)m->dim));
  double *x = m->node_x;
  for (size_t i = 0; i < nodes->n; i++)
    for (int d = 0; d < m->dim && b->node_number[i] >= 0; d++) *x++ = nodes->x[3 * i + (size_t)d];
cleanup:
  return status;
}

static ew_status make_cells(gmsh_build *b, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = b->mesh;
  const gmsh_elements *e = &b->file->elements[m->dim];
  if (e->n > INT32_MAX / MESH_MAX_CELL_NODES)
    return ew_fail(err, EW_INPUT, "%.300s: %zu cells are too many: at most %d", b->file->cursor.name, e->n,
                   INT32_MAX / MESH_MAX_CELL_NODES);
  m->n_cells = (cell_id)e->n;
  EW_CHECK(EW_NEW(m->cell_type, e->n));
  EW_CHECK(EW_NEW(m->cell_region, e->n));
  EW_CHECK(EW_NEW(m->cell_start, e->n + 1));
  EW_CHECK(EW_NEW(m->cell_node, e->n_nodes));
  EW_CHECK(EW_NEW(b->cell_tag, e->n));
  for (size_t i = 0; i < e->n; i++) {
    const gmsh_type *type = gmsh_type_of(e->element[i].type);
    EW_CHECK(check_one_group(b, &e->element[i], err));
    m->cell_type[i] = (uint8_t)type->cell_type;
    m->cell_region[i] = e->element[i].group;
    m->cell_start[i + 1] = m->cell_start[i] + type->n_nodes;
    b->cell_tag[i] = e->element[i].tag;
  }
  for (size_t i = 0; i < e->n_nodes; i++) m->cell_node[i] = b->node_number[e->node[i]];
cleanup:
  return status;
}

static ew_status find_dimension(gmsh_build *b) {
  const gmsh_elements *e = b->file->elements;
  b->mesh->dim = e[3].n ? 3 : 2;
  if (e[3].n || e[2].n) return EW_OK;
  return ew_fail(
      b->file->cursor.err, EW_INPUT,
      "%.300s: no cells, only %zu lines; was the mesh generated (gmsh -2 or -3), and are its surfaces or "
      "volumes in a physical group? Gmsh saves nothing else once there are groups",
      b->file->cursor.name, e[1].n);
}

static bool is_region(const mesh *m, int32_t tag) {
  for (int r = 0; r < m->n_regions; r++)
    if (m->region[r].tag == tag) return true;
  return false;
}

/* NULL for what is a patch or a region. Element lists hold no points. */
static const char *why_left_out(const gmsh_build *b, const gmsh_group *g) {
  const int below = b->mesh->dim - g->dim;
  if (below == 0) return is_region(b->mesh, g->tag) ? NULL : "a group without elements";
  if (below != 1) return g->dim == 0 ? "a group of points" : "a group of lines, not of faces";
  if (mesh_find_patch(b->mesh, g->name) >= 0) return NULL;
  return group_index(b, g->tag) < 0 ? "a group without elements" : "a group inside of the mesh";
}

/* Names that a case might take for boundaries. `group` still has the tags of what could be one. */
static ew_status list_left_out(gmsh_build *b, ew_error *err) {
  ew_status status = EW_OK;
  mesh *m = b->mesh;
  EW_CHECK(EW_NEW(m->file.left_out, b->file->n_groups));
  for (size_t i = 0; i < b->file->n_groups; i++) {
    const char *why = why_left_out(b, &b->file->group[i]);
    if (!why) continue;
    char *name = ew_copy_text(b->file->group[i].name, err);
    if (!name) return EW_FAIL;
    m->file.left_out[m->file.n_left_out++] = (mesh_left_out){name, why};
  }
cleanup:
  return status;
}

static ew_status build(gmsh_build *b, ew_error *err) {
  ew_status status = EW_OK;
  mesh_draft draft = {.mesh = b->mesh, .cell_tag = b->cell_tag, .mark = b->mark, .n_marks = b->n_marks};
  status = mesh_build(&draft, err);
  if (status != EW_OK && draft.culprit >= 0)
    gmsh_context(&b->file->cursor, b->file->elements[b->mesh->dim].element[draft.culprit].where);
  else if (status != EW_OK) ew_context(err, "%.300s", b->file->cursor.name);
  return status;
}

ew_status gmsh_assemble(gmsh_file *f, mesh **out) {
  ew_status status = EW_OK;
  ew_error *err = f->cursor.err;
  gmsh_build b = {.file = f};
  EW_CHECK(EW_NEW(b.mesh, 1));
  EW_CHECK(find_dimension(&b));
  EW_CHECK(make_nodes(&b, err));
  EW_CHECK(make_cells(&b, err));
  EW_CHECK(make_regions(&b, err));
  EW_CHECK(make_marks(&b, err));
  EW_CHECK(build(&b, err));
  EW_CHECK(list_left_out(&b, err));
  EW_CHECK(gmsh_place_data(f, b.node_number, b.mesh));
  *out = b.mesh;
  b.mesh = NULL;
cleanup:
  free(b.cell_tag);
  free(b.node_number);
  free(b.group);
  free(b.mark);
  mesh_destroy(&b.mesh);
  return status;
}
