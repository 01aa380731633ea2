/* Boundaries of a 3D mesh as pictures see them: their faces seen along a direction without perspective, the farthest first, so
 * that nearer ones are drawn over them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "run/leave.h"
#include "output/sheet.h"

typedef struct view {
  double to[3], right[3], up[3]; /* the viewer; orthonormal */
} view;

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void cross(const double a[3], const double b[3], double out[3]) {
  for (int d = 0; d < 3; d++) out[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

static bool normalise(double v[3]) {
  double length = sqrt(dot(v, v));
  for (int d = 0; d < 3; d++) v[d] /= length;
  return isfinite(length) && length > 0;
}

/* z points up, seen from above or below y does. */
static ew_status look(const double from[3], view *v, ew_error *err) {
  double z[3] = {0, 0, 1}, y[3] = {0, 1, 0};
  for (int d = 0; d < 3; d++) v->to[d] = from[d];
  if (!normalise(v->to))
    return ew_fail(err, EW_INPUT, "a picture's view {%g, %g, %g} is no direction", from[0], from[1], from[2]);
  cross(z, v->to, v->right);
  if (dot(v->right, v->right) < 1e-12) cross(y, v->to, v->right);
  normalise(v->right);
  cross(v->to, v->right, v->up);
  return EW_OK;
}

typedef struct seen_face {
  face_id face;
  double depth;
} seen_face;

static int farthest_first(const void *a, const void *b) {
  const seen_face *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  return (x->face > y->face) - (x->face < y->face);
}

static double depth_of(const mesh *m, face_id f, const view *v) {
  double sum = 0;
  for (int32_t k = m->face_start[f]; k < m->face_start[f + 1]; k++)
    sum += dot(m->node_x + 3 * (size_t)m->face_node[k], v->to);
  return sum / (m->face_start[f + 1] - m->face_start[f]);
}

static void place(const mesh *m, const view *v, const seen_face *seen, exec_sheet *s) {
  node_id n = 0;
  for (cell_id c = 0; c < s->m->n_cells; c++) {
    face_id f = seen[c].face;
    int corners = m->face_start[f + 1] - m->face_start[f];
    for (int k = 0; k < corners; k++, n++) {
      const double *x = m->node_x + 3 * (size_t)m->face_node[m->face_start[f] + k];
      s->m->node_x[2 * (size_t)n] = dot(x, v->right);
      s->m->node_x[2 * (size_t)n + 1] = dot(x, v->up);
      s->m->cell_node[n] = n;
    }
    s->m->cell_type[c] = corners == 3 ? MESH_TRIANGLE : MESH_QUAD;
    s->m->cell_start[c + 1] = n;
    s->cell[c] = m->face_left[f];
  }
  s->m->n_nodes = n;
}

static ew_status allocate(exec_sheet *s, int64_t n, ew_error *err) {
  ew_status status = EW_OK;
  s->m = calloc(1, sizeof *s->m);
  if (!s->m) EXEC_LEAVE(err, EW_FAIL, "out of memory for a picture of %lld faces", (long long)n);
  s->m->dim = 2;
  s->m->n_cells = (cell_id)n;
  EW_CHECK(EW_NEW(s->cell, n));
  EW_CHECK(EW_NEW(s->m->node_x, 8 * n));
  EW_CHECK(EW_NEW(s->m->cell_type, n));
  EW_CHECK(EW_NEW(s->m->cell_start, n + 1));
  EW_CHECK(EW_NEW(s->m->cell_node, 4 * n));
cleanup:
  return status;
}

ew_status exec_surface_create(const mesh *m, const char *const *name, int n_names, const double from[3],
                              exec_sheet *out, ew_error *err) {
  ew_status status = EW_OK;
  seen_face *seen = NULL;
  view v;
  int64_t n = 0;
  *out = (exec_sheet){NULL, NULL};
  EW_CHECK(look(from, &v, err));
  EW_CHECK(EW_NEW(seen, m->n_faces));
  for (int i = 0; i < n_names; i++) {
    int p = mesh_find_patch(m, name[i]);
    for (face_id k = 0; p >= 0 && k < m->patch[p].count; k++) {
      face_id f = m->patch[p].first + k;
      seen[n++] = (seen_face){f, depth_of(m, f, &v)};
    }
  }
  qsort(seen, (size_t)n, sizeof *seen, farthest_first);
  EW_CHECK(allocate(out, n, err));
  place(m, &v, seen, out);
cleanup:
  free(seen);
  if (status != EW_OK) exec_sheet_clear(out);
  return status;
}

/* "x", "-y", or the direction itself where it is none of the axes. */
static void name_direction(const double d[3], bool units, char text[48]) {
  const char *unit = units ? " [m]" : "";
  for (int a = 0; a < 3; a++) {
    if (fabs(fabs(d[a]) - 1) > 1e-9) continue;
    snprintf(text, 48, "%s%c%s", d[a] < 0 ? "-" : "", "xyz"[a], unit);
    return;
  }
  double shown[3]; /* without -0 */
  for (int a = 0; a < 3; a++) shown[a] = fabs(d[a]) < 5e-3 ? 0 : d[a];
  snprintf(text, 48, "along (%.2g, %.2g, %.2g)%s", shown[0], shown[1], shown[2], unit);
}

void exec_surface_axes(const double from[3], bool units, char right[48], char up[48]) {
  view v;
  right[0] = up[0] = '\0';
  if (look(from, &v, NULL) != EW_OK) return;
  name_direction(v.right, units, right);
  name_direction(v.up, units, up);
}
