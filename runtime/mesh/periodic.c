/* Partners of periodic faces: both patches are sorted along a direction in general position, so that the face
 * at a given place is found in a narrow window. */
#include "mesh/mesh.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "mesh/build.h"
#include "mesh/vector.h"

#define TOLERANCE 1e-6 /* of a face's size */

/* No lattice of face centres that people draw has many points at one place along it. */
static const double direction[3] = {0.754877666246693, 0.569840290998053, 0.324717957244746};

typedef struct placed_face {
  double key;
  face_id face;
} placed_face;

static const double *centre_of(const mesh *m, face_id f) {
  return m->face_centre + (size_t)m->dim * (size_t)f;
}

static int compare_placed(const void *pa, const void *pb) {
  const placed_face *a = pa, *b = pb;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->face > b->face) - (a->face < b->face);
}

static void middle_of(const mesh *m, const mesh_patch *p, double *middle) {
  const double *origin = centre_of(m, p->first);
  double sum[3] = {0, 0, 0}, d[3] = {0, 0, 0};
  for (face_id i = 0; i < p->count; i++) {
    vec_sub(m->dim, centre_of(m, p->first + i), origin, d);
    vec_add_scaled(m->dim, sum, 1, d);
  }
  for (int k = 0; k < m->dim; k++) middle[k] = origin[k] + sum[k] / p->count;
}

static double face_size(const mesh *m, face_id f) {
  return m->dim == 2 ? m->face_area[f] : sqrt(m->face_area[f]);
}

/* First entry with a key of at least `key`. */
static face_id lower_bound(const placed_face *placed, face_id n, double key) {
  face_id low = 0, high = n;
  while (low < high) {
    face_id middle = low + (high - low) / 2;
    if (placed[middle].key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* The entry at `place` with about the area of face f, or -1. */
static face_id find_at(const mesh *m, const placed_face *placed, face_id n, const double *place, face_id f) {
  double tolerance = TOLERANCE * face_size(m, f), key = vec_dot(m->dim, place, direction), best = tolerance;
  double slack = 2 * tolerance + 1e-14 * fabs(key);
  face_id found = -1;
  for (face_id i = lower_bound(placed, n, key - slack); i < n && placed[i].key <= key + slack; i++) {
    double distance = vec_distance(m->dim, centre_of(m, placed[i].face), place);
    if (distance > best || fabs(m->face_area[placed[i].face] / m->face_area[f] - 1) > 1e-5) continue;
    best = distance;
    found = placed[i].face;
  }
  return found;
}

static ew_status no_partner(const mesh *m, const mesh_patch *a, const mesh_patch *b, face_id f,
                            const double *place, ew_error *err) {
  char here[96], there[96];
  return ew_fail(
      err, EW_INPUT,
      "periodic patches \"%s\" and \"%s\": the face at %s has no partner at %s; both sides need the same "
      "faces, one moved onto the other",
      a->name, b->name, mesh_point_text(m->dim, centre_of(m, f), here),
      mesh_point_text(m->dim, place, there));
}

/* partner [a->count]: the face of b that face i of a falls on when moved by `shift`. */
static ew_status find_partners(const mesh *m, const mesh_patch *a, const mesh_patch *b, const double *shift,
                               face_id *partner, ew_error *err) {
  ew_status status = EW_OK;
  placed_face *placed = NULL;
  bool *taken = NULL;
  EW_CHECK(EW_NEW(placed, b->count));
  EW_CHECK(EW_NEW(taken, b->count));
  for (face_id i = 0; i < b->count; i++)
    placed[i] = (placed_face){vec_dot(m->dim, centre_of(m, b->first + i), direction), b->first + i};
  qsort(placed, (size_t)b->count, sizeof *placed, compare_placed);
  for (face_id i = 0; i < a->count; i++) {
    double place[3] = {0, 0, 0};
    vec_add_scaled(m->dim, place, 1, centre_of(m, a->first + i));
    vec_add_scaled(m->dim, place, 1, shift);
    partner[i] = find_at(m, placed, b->count, place, a->first + i);
    if (partner[i] < 0 || taken[partner[i] - b->first])
      EW_CHECK(no_partner(m, a, b, a->first + i, place, err));
    taken[partner[i] - b->first] = true;
  }
cleanup:
  free(placed);
  free(taken);
  return status;
}

/* The ghost behind face f continues the mesh with the cell inside `partner`, moved by sign * shift. */
static void continue_with(mesh *m, face_id f, face_id partner, const double *shift, double sign) {
  size_t dim = (size_t)m->dim;
  cell_id ghost = m->face_right[f], source = m->face_left[partner];
  m->ghost_source[ghost - m->n_cells] = source;
  m->cell_volume[ghost] = m->cell_volume[source];
  for (size_t d = 0; d < dim; d++)
    m->cell_centre[dim * (size_t)ghost + d] = m->cell_centre[dim * (size_t)source + d] + sign * shift[d];
}

static ew_status find_periodic(const mesh *m, const char *name, int *index, ew_error *err) {
  *index = mesh_find_patch(m, name);
  if (*index < 0) return ew_fail(err, EW_INPUT, "periodic boundary: the mesh has no patch \"%s\"", name);
  if (m->patch[*index].periodic) return ew_fail(err, EW_INPUT, "patch \"%s\" is periodic already", name);
  return EW_OK;
}

ew_status mesh_make_periodic(mesh *m, const char *patch, const char *partner, ew_error *err) {
  ew_status status = EW_OK;
  face_id *match = NULL;
  int ia, ib;
  EW_CHECK(find_periodic(m, patch, &ia, err));
  EW_CHECK(find_periodic(m, partner, &ib, err));
  mesh_patch *a = &m->patch[ia], *b = &m->patch[ib];
  if (a == b) return ew_fail(err, EW_INPUT, "patch \"%s\" cannot be its own periodic partner", patch);
  if (a->count != b->count)
    return ew_fail(err, EW_INPUT,
                   "periodic patches \"%s\" and \"%s\" have %d and %d faces; they need the same", patch,
                   partner, a->count, b->count);
  double from[3] = {0}, to[3] = {0}, shift[3] = {0};
  middle_of(m, a, from);
  middle_of(m, b, to);
  vec_sub(m->dim, to, from, shift);
  EW_CHECK(EW_NEW(match, a->count));
  EW_CHECK(find_partners(m, a, b, shift, match, err));
  for (face_id i = 0; i < a->count; i++) {
    continue_with(m, a->first + i, match[i], shift, -1);
    continue_with(m, match[i], a->first + i, shift, 1);
  }
  a->periodic = b->periodic = true;
cleanup:
  free(match);
  return status;
}

/* ---- faces that are there twice --------------------------------------------------------------------------------------------- */

/* From where the cell across a face of a periodic side is to where it is seen; false: the face is of no such side. */
static bool shift_behind(const mesh *m, face_id f, double shift[3]) {
  const cell_id source = f < m->n_interior ? -1 : m->ghost_source[f - m->n_interior];
  const size_t dim = (size_t)m->dim;
  if (source < 0) return false;
  vec_sub(m->dim, m->cell_centre + dim * (size_t)m->face_right[f], m->cell_centre + dim * (size_t)source,
          shift);
  return true;
}

/* Is the first coordinate that differs the lower one on this side? */
static bool is_lower(const mesh *m, const double shift[3]) {
  const double length = sqrt(vec_dot(m->dim, shift, shift));
  for (int d = 0; d < m->dim; d++)
    if (fabs(shift[d]) > 1e-9 * length) return shift[d] < 0;
  return true;
}

face_id mesh_seam_face(const mesh *m, face_id f) {
  double shift[3], place[3];
  if (!shift_behind(m, f, shift) || is_lower(m, shift)) return f;
  vec_sub(m->dim, centre_of(m, f), shift, place);
  const cell_id source = m->ghost_source[f - m->n_interior];
  for (int32_t k = m->sides.start[source]; k < m->sides.start[source + 1]; k++)
    if (vec_distance(m->dim, centre_of(m, m->sides.face[k]), place) < 10 * TOLERANCE * face_size(m, f))
      return m->sides.face[k];
  return f;
}
