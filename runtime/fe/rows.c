/* From the faces of a boundary rule to the nodes at which it acts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fe/internal.h"
#include "mesh/vector.h"

/* A face at one of its nodes. */
typedef struct touch {
  int32_t dof, order; /* of the face in the list of faces */
  node_id node;
  const fe_face *face;
  int32_t group;
  double facing[3]; /* the face's normal without its rounding */
} touch;

typedef struct draft_row {
  int32_t layer, dof, entry;
  node_id node;
  double area, normal[3];
} draft_row;

typedef struct row_builder {
  const fe_space *s;
  int32_t n_touches;
  touch *
      touch; /* by dof, then in the order of entries, those of one entry by their normals: not as the mesh is numbered */
  int32_t n_rows, n_layers;
  draft_row *row; /* no more rows than touches */
} row_builder;

/* ---- touches ------------------------------------------------------------------------------------------------------------------- */

static const double *normal_of(const row_builder *b, const touch *t) {
  return b->s->m->face_normal + (size_t)b->s->m->dim * (size_t)t->face->face;
}

static int compare_touches(const void *pa, const void *pb) {
  const touch *a = pa, *b = pb;
  if (a->dof != b->dof) return a->dof < b->dof ? -1 : 1;
  for (int d = 0; a->face->entry == b->face->entry && d < 3; d++)
    if (a->facing[d] != b->facing[d]) return a->facing[d] < b->facing[d] ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

static ew_status builder_create(const fe_space *s, const fe_face *face, int32_t n, row_builder *b,
                                ew_error *err) {
  ew_status status = EW_OK;
  const mesh *m = s->m;
  *b = (row_builder){.s = s};
  EW_CHECK(EW_NEW(b->touch, (size_t)n * (size_t)m->dim));
  EW_CHECK(EW_NEW(b->row, (size_t)n * (size_t)m->dim));
  for (int32_t i = 0; i < n; i++)
    for (int32_t k = m->face_start[face[i].face]; k < m->face_start[face[i].face + 1]; k++) {
      node_id node = m->face_node[k];
      touch *t = &b->touch[b->n_touches++];
      *t = (touch){.dof = s->dof[node], .order = i, .node = node, .face = &face[i]};
      for (int d = 0; d < m->dim; d++) t->facing[d] = nearbyint(1e9 * normal_of(b, t)[d]);
    }
  qsort(b->touch, (size_t)b->n_touches, sizeof *b->touch, compare_touches);
cleanup:
  return status;
}

static void builder_clear(row_builder *b) {
  free(b->touch);
  free(b->row);
}

/* The touches of the dof of touch `first` end here. */
static int32_t end_of(const row_builder *b, int32_t first) {
  int32_t i = first;
  while (i < b->n_touches && b->touch[i].dof == b->touch[first].dof) i++;
  return i;
}

/* ---- rows from touches -------------------------------------------------------------------------------------------------------------- */

/* One row for the touches of one group in [first, end): areas added, normals averaged by area. The sides of a plate without
 * thickness cancel: then the first face's normal stands. */
static draft_row gather(const row_builder *b, int32_t first, int32_t end, int32_t group) {
  int dim = b->s->m->dim;
  draft_row row = {.dof = b->touch[first].dof, .node = -1};
  for (int32_t i = first; i < end; i++) {
    const touch *t = &b->touch[i];
    double share = b->s->m->face_area[t->face->face] / dim;
    if (t->group != group) continue;
    if (row.node < 0) row.node = t->node, row.entry = t->face->entry;
    else if (t->face->entry == row.entry && fe_lies_lower(b->s->m, t->node, row.node)) row.node = t->node;
    row.area += share;
    vec_add_scaled(dim, row.normal, share, normal_of(b, t));
    if (vec_norm(dim, row.normal) < 1e-6 * row.area)
      memcpy(row.normal, normal_of(b, t), (size_t)dim * sizeof(double));
  }
  double length = vec_norm(dim, row.normal);
  for (int d = 0; d < dim; d++) row.normal[d] /= length;
  return row;
}

static void emit(row_builder *b, draft_row row, int32_t layer) {
  row.layer = layer;
  if (layer >= b->n_layers) b->n_layers = layer + 1;
  b->row[b->n_rows++] = row;
}

/* Groups of touches in [first, end): faces of one entry (or, with `mixed`, of all) that lead to each other by steps of at most the
 * angle. Returns how many groups there are. */
static int32_t group_touches(row_builder *b, int32_t first, int32_t end, double angle, bool mixed) {
  int dim = b->s->m->dim;
  int32_t groups = 0;
  double least = cos(angle) - 1e-9; /* exactly the angle is within it */
  for (int32_t i = first; i < end; i++) b->touch[i].group = -1;
  for (int32_t seed = first; seed < end; seed++) {
    if (b->touch[seed].group >= 0) continue;
    b->touch[seed].group = groups;
    for (bool grown = true; grown;) {
      grown = false;
      for (int32_t i = first; i < end; i++)
        for (int32_t k = first; b->touch[i].group < 0 && k < end; k++)
          if (b->touch[k].group == groups && (mixed || b->touch[k].face->entry == b->touch[i].face->entry) &&
              vec_dot(dim, normal_of(b, &b->touch[i]), normal_of(b, &b->touch[k])) >= least)
            b->touch[i].group = groups, grown = true;
    }
    groups++;
  }
  return groups;
}

/* ---- the result ------------------------------------------------------------------------------------------------------------------------ */

static ew_status rows_allocate(const row_builder *b, fe_rows *rows, ew_error *err) {
  ew_status status = EW_OK;
  rows->n = b->n_rows;
  rows->n_layers = b->n_layers;
  EW_CHECK(EW_NEW(rows->layer, (size_t)b->n_layers + 1));
  EW_CHECK(EW_NEW(rows->dof, b->n_rows));
  EW_CHECK(EW_NEW(rows->node, b->n_rows));
  EW_CHECK(EW_NEW(rows->entry, b->n_rows));
  EW_CHECK(EW_NEW(rows->area, b->n_rows));
  EW_CHECK(EW_NEW(rows->normal, (size_t)b->n_rows * (size_t)b->s->m->dim));
cleanup:
  return status;
}

/* Rows were made dof by dof; sorted by layers they keep that order. */
static void place_rows(const row_builder *b, fe_rows *rows) {
  size_t dim = (size_t)b->s->m->dim;
  int32_t at = 0;
  for (int32_t layer = 0; layer < b->n_layers; layer++) {
    for (int32_t i = 0; i < b->n_rows; i++) {
      const draft_row *row = &b->row[i];
      if (row->layer != layer) continue;
      rows->dof[at] = row->dof;
      rows->node[at] = row->node;
      rows->entry[at] = row->entry;
      rows->area[at] = row->area;
      memcpy(rows->normal + dim * (size_t)at++, row->normal, dim * sizeof(double));
    }
    rows->layer[layer + 1] = at;
  }
}

static ew_status finish(row_builder *b, fe_rows **out, ew_error *err) {
  ew_status status = EW_OK;
  fe_rows *rows = NULL;
  EW_CHECK(EW_NEW(rows, 1));
  EW_CHECK(rows_allocate(b, rows, err));
  place_rows(b, rows);
cleanup:
  if (status != EW_OK) fe_rows_destroy(&rows);
  *out = rows;
  return status;
}

void fe_rows_destroy(fe_rows **rows) {
  if (!rows || !*rows) return;
  free((*rows)->layer);
  free((*rows)->dof);
  free((*rows)->node);
  free((*rows)->entry);
  free((*rows)->area);
  free((*rows)->normal);
  free(*rows);
  *rows = NULL;
}

/* ---- values ------------------------------------------------------------------------------------------------------------------------------- */

/* Faces come in the order of the entries, so the first touch is of the first entry; its faces make the row. */
static void value_row(row_builder *b, int32_t first, int32_t end) {
  for (int32_t i = first; i < end; i++)
    b->touch[i].group = b->touch[i].face->entry == b->touch[first].face->entry ? 0 : 1;
  emit(b, gather(b, first, end, 0), 0);
}

ew_status fe_value_rows(const fe_space *s, const fe_face *face, int32_t n, fe_rows **out, ew_error *err) {
  ew_status status = EW_OK;
  row_builder b = {0};
  *out = NULL;
  EW_CHECK(builder_create(s, face, n, &b, err));
  for (int32_t first = 0, end; first < b.n_touches; first = end) {
    end = end_of(&b, first);
    value_row(&b, first, end);
  }
  EW_CHECK(finish(&b, out, err));
cleanup:
  builder_clear(&b);
  return status;
}

ew_status fe_rows_select(const fe_space *s, const fe_rows *from, const bool *keep, fe_rows **out,
                         ew_error *err) {
  ew_status status = EW_OK;
  size_t dim = (size_t)s->m->dim;
  row_builder b = {.s = s};
  *out = NULL;
  EW_CHECK(EW_NEW(b.row, from->n));
  for (int32_t layer = 0; layer < from->n_layers; layer++)
    for (int32_t i = from->layer[layer]; i < from->layer[layer + 1]; i++) {
      draft_row row = {
          .dof = from->dof[i], .node = from->node[i], .entry = from->entry[i], .area = from->area[i]};
      memcpy(row.normal, from->normal + dim * (size_t)i, dim * sizeof(double));
      if (keep[from->entry[i]]) emit(&b, row, layer);
    }
  EW_CHECK(finish(&b, out, err));
cleanup:
  builder_clear(&b);
  return status;
}

/* ---- projections ---------------------------------------------------------------------------------------------------------------------------- */

ew_status fe_normals_create(const fe_space *s, const bool *taken, double angle, fe_normals *out,
                            ew_error *err) {
  ew_status status = EW_OK;
  *out = (fe_normals){.taken = taken, .angle = angle};
  size_t dim = (size_t)s->m->dim;
  EW_CHECK(EW_NEW(out->normal, (size_t)s->n * dim * dim));
  EW_CHECK(EW_NEW(out->count, s->n));
cleanup:
  return status;
}

void fe_normals_clear(fe_normals *normals) {
  free(normals->normal);
  free(normals->count);
  *normals = (fe_normals){0};
}

/* Takes from the row's normal what the dof's other normals span. Nothing new if the rest is short: false. */
static bool add_normal(int dim, fe_normals *normals, draft_row *row) {
  double *known = normals->normal + (size_t)row->dof * (size_t)(dim * dim);
  uint8_t *count = &normals->count[row->dof];
  if (*count >= dim) return false;
  for (int i = 0; i < *count; i++)
    vec_add_scaled(dim, row->normal, -vec_dot(dim, row->normal, known + i * dim), known + i * dim);
  double rest = vec_norm(dim, row->normal);
  if (*count > 0 && rest < sin(normals->angle) - 1e-9) return false;
  for (int d = 0; d < dim; d++) row->normal[d] /= rest;
  /* once more: the rest of a short vector is not quite orthogonal */
  for (int i = 0; i < *count; i++)
    vec_add_scaled(dim, row->normal, -vec_dot(dim, row->normal, known + i * dim), known + i * dim);
  memcpy(known + *count * dim, row->normal, (size_t)dim * sizeof(double));
  ++*count;
  return true;
}

ew_status fe_projection_rows(const fe_space *s, const fe_face *face, int32_t n, fe_normals *normals,
                             fe_rows **out, ew_error *err) {
  ew_status status = EW_OK;
  row_builder b = {0};
  *out = NULL;
  EW_CHECK(builder_create(s, face, n, &b, err));
  for (int32_t first = 0, end; first < b.n_touches; first = end) {
    int32_t layer = 0;
    end = end_of(&b, first);
    if (normals->taken[b.touch[first].dof]) continue;
    int32_t groups = group_touches(&b, first, end, normals->angle, true);
    for (int32_t g = 0; g < groups; g++) {
      draft_row row = gather(&b, first, end, g);
      if (add_normal(s->m->dim, normals, &row)) emit(&b, row, layer++);
    }
  }
  EW_CHECK(finish(&b, out, err));
cleanup:
  builder_clear(&b);
  return status;
}

/* ---- additions -------------------------------------------------------------------------------------------------------------------------------- */

ew_status fe_addition_rows(const fe_space *s, const fe_face *face, int32_t n, double angle, fe_rows **out,
                           ew_error *err) {
  ew_status status = EW_OK;
  row_builder b = {0};
  *out = NULL;
  EW_CHECK(builder_create(s, face, n, &b, err));
  for (int32_t first = 0, end; first < b.n_touches; first = end) {
    end = end_of(&b, first);
    int32_t groups = group_touches(&b, first, end, angle, false);
    for (int32_t g = 0; g < groups; g++) emit(&b, gather(&b, first, end, g), g);
  }
  EW_CHECK(finish(&b, out, err));
cleanup:
  builder_clear(&b);
  return status;
}
