#include "mesh/check.h"

#include <math.h>
#include <string.h>

#include "mesh/build.h"
#include "mesh/vector.h"

#define REQUIRE(condition, ...)                                                                              \
  do {                                                                                                       \
    if (!(condition)) return ew_fail(err, EW_INTERNAL, "mesh invariant: " __VA_ARGS__);                      \
  } while (0)

static ew_status check_counts(const mesh *m, ew_error *err) {
  REQUIRE(m->dim == 2 || m->dim == 3, "dim is %d", m->dim);
  REQUIRE(m->n_ghosts == m->n_faces - m->n_interior, "%d ghosts for %d boundary faces", m->n_ghosts,
          m->n_faces - m->n_interior);
  face_id first = m->n_interior;
  for (int p = 0; p < m->n_patches; p++) {
    REQUIRE(m->patch[p].first == first && m->patch[p].count > 0, "patch \"%s\" leaves a gap",
            m->patch[p].name);
    REQUIRE(mesh_find_patch(m, m->patch[p].name) == p, "patch \"%s\" exists twice", m->patch[p].name);
    first += m->patch[p].count;
  }
  REQUIRE(first == m->n_faces, "patches cover faces up to %d of %d", first, m->n_faces);
  return EW_OK;
}

static ew_status check_cell_nodes(const mesh *m, cell_id c, ew_error *err) {
  const mesh_shape *shape = mesh_cell_shape(m, c);
  REQUIRE(m->cell_start[c + 1] - m->cell_start[c] == shape->n_nodes, "cell %d has the wrong number of nodes",
          c);
  REQUIRE(m->sides.start[c + 1] - m->sides.start[c] == shape->n_sides, "cell %d: number of sides", c);
  REQUIRE(shape->dim == m->dim, "cell %d has another dimension", c);
  REQUIRE(m->cell_origin[c] >= 0 && m->cell_origin[c] < m->n_cells, "cell %d: origin out of range", c);
  for (int32_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
    REQUIRE(m->cell_node[i] >= 0 && m->cell_node[i] < m->n_nodes, "cell %d: node out of range", c);
  return EW_OK;
}

static ew_status check_face_cells(const mesh *m, face_id f, ew_error *err) {
  cell_id left = m->face_left[f], right = m->face_right[f];
  REQUIRE(left >= 0 && left < m->n_cells, "face %d: left cell %d out of range", f, left);
  if (f < m->n_interior)
    REQUIRE(right >= 0 && right < m->n_cells && left < right, "face %d: right cell %d", f, right);
  else REQUIRE(right == m->n_cells + f - m->n_interior, "face %d: ghost %d out of order", f, right);
  return EW_OK;
}

/* A side of a cell and its face: the same nodes, in the same turning sense seen from the left cell. */
static ew_status check_side(const mesh *m, cell_id c, int side, ew_error *err) {
  int32_t s = m->sides.start[c] + side;
  face_id f = m->sides.face[s];
  REQUIRE(f >= 0 && f < m->n_faces, "cell %d: face out of range", c);
  bool left = m->face_left[f] == c;
  REQUIRE(left || m->face_right[f] == c, "face %d of cell %d does not name it", f, c);
  REQUIRE(m->sides.across[s] == (left ? m->face_right[f] : m->face_left[f]), "cell %d: across of side %d", c,
          side);
  node_id of_side[MESH_MAX_SIDE_NODES] = {0}, key[2][MESH_MAX_SIDE_NODES];
  const node_id *of_face = m->face_node + m->face_start[f];
  int n = mesh_side_nodes(m, c, side, of_side);
  REQUIRE(n == m->face_start[f + 1] - m->face_start[f], "face %d: number of nodes", f);
  mesh_side_key(of_side, n, key[0]);
  mesh_side_key(of_face, n, key[1]);
  REQUIRE(!memcmp(key[0], key[1], sizeof key[0]), "face %d has not the nodes of side %d of cell %d", f, side,
          c);
  int k = 0;
  while (of_face[k] != of_side[0]) k++;
  bool turns = n == 2 ? k == (left ? 0 : 1) : of_face[(k + (left ? 1 : n - 1)) % n] == of_side[1];
  REQUIRE(turns, "face %d turns the wrong way for cell %d", f, c);
  return EW_OK;
}

/* The area vectors of a closed surface sum to zero. */
static ew_status check_closed(const mesh *m, cell_id c, ew_error *err) {
  double sum[3] = {0, 0, 0}, surface = 0;
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    face_id f = m->sides.face[s];
    double outward = m->face_left[f] == c ? m->face_area[f] : -m->face_area[f];
    vec_add_scaled(m->dim, sum, outward, m->face_normal + (size_t)m->dim * (size_t)f);
    surface += m->face_area[f];
  }
  double gap = vec_norm(m->dim, sum) / surface;
  REQUIRE(gap < 1e-10, "cell %d is open: its area vectors sum to %g of its surface", c, gap);
  return EW_OK;
}

/* The divergence theorem for the position: the sum of area * normal . (place - centre) is dim * volume. It holds for
 * plane faces, so in 2D and on tetrahedra; normals that point inward break it. */
static ew_status check_divergence(const mesh *m, cell_id c, ew_error *err) {
  double sum = 0, slack = 0, d[3] = {0, 0, 0};
  if (m->dim == 3 && m->cell_type[c] != MESH_TETRA) return EW_OK;
  for (int32_t s = m->sides.start[c]; s < m->sides.start[c + 1]; s++) {
    face_id f = m->sides.face[s];
    const double *middle = m->face_centre + (size_t)m->dim * (size_t)f;
    double outward = m->face_left[f] == c ? m->face_area[f] : -m->face_area[f];
    vec_sub(m->dim, middle, m->cell_centre + (size_t)m->dim * (size_t)c, d);
    sum += outward * vec_dot(m->dim, d, m->face_normal + (size_t)m->dim * (size_t)f);
    /* Far from the origin the centres themselves are rounded. */
    slack += m->face_area[f] * (1e-9 * vec_norm(m->dim, d) + 1e-15 * vec_norm(m->dim, middle));
  }
  REQUIRE(fabs(sum - m->dim * m->cell_volume[c]) <= slack,
          "cell %d: its normals do not point outward, or its volume is wrong", c);
  return EW_OK;
}

static ew_status check_face_geometry(const mesh *m, face_id f, ew_error *err) {
  const double *normal = m->face_normal + (size_t)m->dim * (size_t)f;
  REQUIRE(m->face_area[f] > 0 && isfinite(m->face_area[f]), "face %d has area %g", f, m->face_area[f]);
  double length = vec_norm(m->dim, normal);
  REQUIRE(fabs(length - 1) < 1e-12, "face %d: its normal has length %.17g", f, length);
  for (int d = 0; d < m->dim; d++)
    REQUIRE(isfinite(m->face_centre[(size_t)m->dim * (size_t)f + (size_t)d]), "face %d: centre", f);
  return EW_OK;
}

static ew_status check_cells(const mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  for (cell_id c = 0; c < m->n_cells; c++) {
    EW_CHECK(check_cell_nodes(m, c, err));
    for (int side = 0; side < mesh_cell_shape(m, c)->n_sides; side++) EW_CHECK(check_side(m, c, side, err));
    EW_CHECK(check_closed(m, c, err));
    EW_CHECK(check_divergence(m, c, err));
  }
cleanup:
  return status;
}

static ew_status check_volumes(const mesh *m, ew_error *err) {
  for (cell_id c = 0; c < m->n_cells + m->n_ghosts; c++) {
    REQUIRE(m->cell_volume[c] > 0 && isfinite(m->cell_volume[c]), "cell %d has volume %g", c,
            m->cell_volume[c]);
    for (int d = 0; d < m->dim; d++)
      REQUIRE(isfinite(m->cell_centre[(size_t)m->dim * (size_t)c + (size_t)d]), "cell %d: centre", c);
  }
  return EW_OK;
}

static ew_status check_ghosts(const mesh *m, ew_error *err) {
  for (int p = 0; p < m->n_patches; p++)
    for (face_id f = m->patch[p].first; f < m->patch[p].first + m->patch[p].count; f++) {
      cell_id source = m->ghost_source[f - m->n_interior], ghost = m->face_right[f];
      REQUIRE(m->patch[p].periodic ? source >= 0 && source < m->n_cells : source == -1,
              "face %d: ghost source %d", f, source);
      cell_id like = source >= 0 ? source : m->face_left[f];
      REQUIRE(m->cell_volume[ghost] == m->cell_volume[like], "ghost %d: volume differs from cell %d", ghost,
              like);
    }
  return EW_OK;
}

ew_status mesh_check(const mesh *m, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(check_counts(m, err));
  for (face_id f = 0; f < m->n_faces; f++) {
    EW_CHECK(check_face_cells(m, f, err));
    EW_CHECK(check_face_geometry(m, f, err));
  }
  EW_CHECK(check_cells(m, err));
  EW_CHECK(check_volumes(m, err));
  EW_CHECK(check_ghosts(m, err));
cleanup:
  return status;
}
