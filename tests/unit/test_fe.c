/* Linear elements: discrete identities on distorted meshes, agreement with matrices assembled element by element, the graph, periodic
 * sides, and the rows of boundary rules. */
#include "test_mesh_fixture.h"

#include <math.h>

#include "fe/fe.h"

#define PI 3.14159265358979323846

/* ---- meshes ---------------------------------------------------------------------------------------------------------------------- */

static mesh *rectangle(int32_t n, const char *periodic) {
  mesh_rectangle_options o = {
      .x1 = 1.3, .y0 = -0.2, .y1 = 0.7, .nx = n, .ny = n + 1, .jitter = 0.35, .seed = 3};
  mesh *m = NULL;
  o.periodic_x = strchr(periodic, 'x');
  o.periodic_y = strchr(periodic, 'y');
  assert_int_equal(mesh_rectangle(&o, &m, NULL), EW_OK);
  return m;
}

static mesh *box(int32_t n, const char *periodic) {
  mesh_box_options o = {
      .x1 = 1, .y1 = 1.2, .z1 = 0.8, .nx = n, .ny = n + 1, .nz = n, .jitter = 0.3, .seed = 5};
  mesh *m = NULL;
  o.periodic_x = strchr(periodic, 'x');
  o.periodic_y = strchr(periodic, 'y');
  o.periodic_z = strchr(periodic, 'z');
  assert_int_equal(mesh_box(&o, &m, NULL), EW_OK);
  return m;
}

static fe_space *space_of(const mesh *m, mesh_cell_order order) {
  fe_space *s = NULL;
  ew_error err = {0};
  if (fe_create(m, order, 7, &s, &err) != EW_OK) fail_msg("%s", err.text);
  return s;
}

static double *integral(const fe_space *s, fe_form form) {
  double *out = calloc((size_t)fe_edges(s) * (size_t)fe_form_width(form, s->m->dim) + 1, sizeof *out);
  ew_error err = {0};
  assert_non_null(out);
  if (fe_integrate_edges(s, form, NULL, out, &err) != EW_OK) fail_msg("%s", err.text);
  return out;
}

static double *lumped(const fe_space *s) {
  double *out = calloc((size_t)s->n + 1, sizeof *out);
  assert_non_null(out);
  fe_integrate_nodes(s, NULL, out);
  return out;
}

static const double *place_of(const fe_space *s, int32_t i) { return s->m->node_x + s->m->dim * s->node[i]; }

/* Every check runs on each of these. */
typedef void check_space(const fe_space *s);
static void on_all(check_space *check) {
  static const char *const none = "", *const xy = "xy";
  for (int order = MESH_CELLS_AS_IS; order <= MESH_CELLS_RANDOM; order++) {
    mesh *m[] = {rectangle(6, none), rectangle(5, xy),   box(3, none),
                 box(4, "z"),        rectangle(1, none), box(1, "")};
    for (size_t k = 0; k < sizeof m / sizeof *m; k++) {
      fe_space *s = space_of(m[k], (mesh_cell_order)order);
      check(s);
      fe_destroy(&s);
      mesh_destroy(&m[k]);
    }
  }
}

/* ---- graph ---------------------------------------------------------------------------------------------------------------------- */

static void check_graph(const fe_space *s) {
  int32_t n = fe_edges(s), *twin = calloc((size_t)n + 1, 4), *from = calloc((size_t)n + 1, 4);
  int32_t *pair = calloc((size_t)n + 1, 4), *part = calloc((size_t)s->n + 1, 4), parts;
  bool *met = calloc((size_t)n + 1, 1);
  for (int32_t i = 0; i < s->n; i++) {
    assert_int_equal(s->dof[s->node[i]], i);
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
      assert_int_not_equal(s->next[k], i);
      if (k > s->start[i]) assert_true(s->next[k] > s->next[k - 1]);
    }
  }
  fe_edge_twin(s, twin);
  fe_edge_from(s, from);
  assert_int_equal(fe_edge_pair(s, pair, NULL), EW_OK);
  for (int32_t k = 0; k < n; k++) {
    assert_int_equal(twin[twin[k]], k);
    assert_int_equal(from[twin[k]], s->next[k]);
    assert_int_equal(pair[twin[k]], pair[k]);
    assert_in_range(pair[k], 0, n / 2 - 1);
    if (twin[k] > k) assert_false(met[pair[k]]);
    met[pair[k]] = true;
  }
  assert_int_equal(fe_parts(s, part, &parts, NULL), EW_OK);
  assert_int_equal(parts, 1);
  free(twin), free(from), free(pair), free(part), free(met);
}

/* Every edge has a slot of its own, a node's lie as the kernels step, and only what fullest nodes need is left empty. */
static void check_slices(const fe_space *s) {
  for (int32_t lanes = 1; lanes <= 32; lanes *= 2) {
    const fe_slicing how = {32, lanes};
    int32_t n = fe_edges(s), slots, least = 0, *start = calloc((size_t)s->n + 1, 4),
            *slot = calloc((size_t)n + 1, 4);
    assert_int_equal(fe_slice(s, how, start, &slots, NULL), EW_OK);
    fe_edge_slot(s, how, start, slot);
    for (int32_t i = 0, most = 0; i < s->n; i++) {
      int32_t rounds = (s->start[i + 1] - s->start[i] + lanes - 1) / lanes;
      most = i % (32 / lanes) == 0 || rounds > most ? rounds : most;
      if (i + 1 == s->n || (i + 1) % (32 / lanes) == 0) least += 32 * most;
    }
    assert_int_equal(slots, least);
    int32_t *node = calloc((size_t)slots + 1, 4);
    bool *taken = calloc((size_t)slots + 1, 1);
    fe_slot_node(s, how, start, node);
    for (int32_t i = 0; i < s->n; i++)
      for (int32_t lane = 0; lane < lanes; lane++)
        for (int32_t e = s->start[i] + lane, at = start[i] + lane; e < s->start[i + 1];
             e += lanes, at += 32) {
          assert_in_range(at, 0, slots - 1);
          assert_int_equal(slot[e], at);
          assert_int_equal(node[at], s->next[e]);
          assert_false(taken[at]);
          taken[at] = true;
        }
    free(start), free(slot), free(node), free(taken);
  }
}

static void slices(void **unused) {
  (void)unused;
  on_all(check_slices);
}

static void graphs(void **unused) {
  (void)unused;
  on_all(check_graph);
}

static void counts(void **unused) {
  (void)unused;
  mesh *m = NULL;
  mesh_box_options o = {.x1 = 1, .y1 = 1, .z1 = 1, .nx = 14, .ny = 14, .nz = 14};
  assert_int_equal(mesh_box(&o, &m, NULL), EW_OK);
  fe_space *s = space_of(m, MESH_CELLS_RCM);
  assert_int_equal(s->n, 15 * 15 * 15);
  /* Kuhn's cut: edges along axes, diagonals of squares, and of cubes */
  assert_int_equal(fe_edges(s), 2 * (3 * 14 * 15 * 15 + 3 * 14 * 14 * 15 + 14 * 14 * 14));
  assert_true(fe_bandwidth(s) < 700);
  fe_destroy(&s);
  mesh_destroy(&m);
}

/* ---- identities ----------------------------------------------------------------------------------------------------------------- */

/* Sums over a row of grad*(s[J] - s[I]) for constant and linear s. */
static void check_gradient(const fe_space *s) {
  int dim = s->m->dim;
  double *g = integral(s, FE_N_DN), *v = integral(s, FE_VECTOR), *mass = lumped(s);
  const double slope[3] = {0.7, -1.3, 2.1};
  for (int32_t i = 0; i < s->n; i++) {
    double sum[3] = {0, 0, 0}, scale = pow(mass[i], (dim - 1.0) / dim);
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
      for (int d = 0; d < dim; d++)
        for (int e = 0; e < dim; e++) sum[d] += g[dim * k + d] * slope[e] * v[dim * k + e];
    for (int d = 0; d < dim; d++) assert_true(fabs(sum[d] - mass[i] * slope[d]) < 1e-12 * scale);
  }
  free(g), free(v), free(mass);
}

static void gradients(void **unused) {
  (void)unused;
  on_all(check_gradient);
}

static void check_symmetry(const fe_space *s) {
  int dim = s->m->dim;
  double *g = integral(s, FE_N_DN), *t = integral(s, FE_DN_N), *l = integral(s, FE_DOT_DN_DN);
  double *o = integral(s, FE_OUTER_DN_DN), *c = integral(s, FE_N_N), *v = integral(s, FE_VECTOR);
  int32_t *twin = calloc((size_t)fe_edges(s) + 1, 4);
  fe_edge_twin(s, twin);
  for (int32_t k = 0; k < fe_edges(s); k++) {
    double trace = 0;
    assert_true(l[k] == l[twin[k]]);
    assert_true(c[k] == c[twin[k]] && c[k] > 0);
    for (int d = 0; d < dim; d++) {
      assert_true(g[dim * k + d] == t[dim * twin[k] + d]);
      assert_true(v[dim * k + d] == -v[dim * twin[k] + d]);
      for (int e = 0; e < dim; e++)
        assert_true(o[dim * dim * k + dim * d + e] == o[dim * dim * twin[k] + dim * e + d]);
      trace += o[dim * dim * k + (dim + 1) * d];
    }
    assert_true(fabs(trace - l[k]) <= 1e-13 * (fabs(l[k]) + 1));
  }
  free(g), free(t), free(l), free(o), free(c), free(v), free(twin);
}

static void symmetry(void **unused) {
  (void)unused;
  on_all(check_symmetry);
}

/* Away from the boundary an edge's two gradients cancel, and a linear function has no Laplacian. */
static void check_inside(const fe_space *s) {
  const mesh *m = s->m;
  int dim = m->dim;
  bool *rim = calloc((size_t)s->n + 1, 1);
  for (face_id f = m->n_interior; f < m->n_faces; f++)
    for (int32_t k = m->face_start[f]; m->ghost_source[f - m->n_interior] < 0 && k < m->face_start[f + 1];
         k++)
      rim[s->dof[m->face_node[k]]] = true;
  double *g = integral(s, FE_N_DN), *t = integral(s, FE_DN_N), *l = integral(s, FE_DOT_DN_DN),
         *v = integral(s, FE_VECTOR);
  for (int32_t i = 0; i < s->n; i++) {
    double sum[3] = {0, 0, 0};
    if (rim[i]) continue;
    for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
      for (int d = 0; d < dim; d++) {
        assert_true(fabs(g[dim * k + d] + t[dim * k + d]) < 1e-12);
        sum[d] += l[k] * v[dim * k + d];
      }
    for (int d = 0; d < dim; d++) assert_true(fabs(sum[d]) < 1e-12);
  }
  free(rim), free(g), free(t), free(l), free(v);
}

static void inside(void **unused) {
  (void)unused;
  on_all(check_inside);
}

/* ---- element by element ------------------------------------------------------------------------------------------------------------ */

/* The gradients of the hats of one cell by solving for the planes through unit values: another way than the library's. */
static double plane_gradients(const mesh *m, cell_id c, double g[4][3]) {
  int dim = m->dim;
  const node_id *node = m->cell_node + m->cell_start[c];
  double a[3][3] = {{0}}, det;
  for (int r = 0; r < dim; r++)
    for (int d = 0; d < dim; d++) a[r][d] = m->node_x[dim * node[r + 1] + d] - m->node_x[dim * node[0] + d];
  if (dim == 2) a[2][2] = 1;
  det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
        a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  for (int d = 0; d < dim; d++) g[0][d] = 0;
  for (int r = 0; r < dim; r++)
    for (int d = 0; d < dim; d++) { /* column r of the inverse, by cofactors */
      int p = (r + 1) % 3, q = (r + 2) % 3, u = (d + 1) % 3, w = (d + 2) % 3;
      g[r + 1][d] = (a[p][u] * a[q][w] - a[p][w] * a[q][u]) / det;
      g[0][d] -= g[r + 1][d];
    }
  return det / (dim == 2 ? 2 : 6);
}

static void check_assembly(const fe_space *s) {
  const mesh *m = s->m;
  int dim = m->dim, n = s->n;
  size_t full = (size_t)n * (size_t)n;
  double *grad = calloc(full * (size_t)dim, 8), *stiff = calloc(full, 8), *mass = calloc(full, 8),
         *diagonal = lumped(s);
  for (cell_id c = 0; c < m->n_cells; c++) {
    double g[4][3], v = plane_gradients(m, c, g);
    const node_id *node = m->cell_node + m->cell_start[c];
    for (int a = 0; a <= dim; a++)
      for (int b = 0; b <= dim; b++) {
        size_t at = (size_t)s->dof[node[a]] * (size_t)n + (size_t)s->dof[node[b]];
        for (int d = 0; d < dim; d++) {
          grad[at * (size_t)dim + (size_t)d] += v / (dim + 1) * g[b][d];
          stiff[at] += v * g[a][d] * g[b][d];
        }
        mass[at] += v * (a == b ? 2 : 1) / ((dim + 1) * (dim + 2));
      }
  }
  double *eg = integral(s, FE_N_DN), *el = integral(s, FE_DOT_DN_DN), *em = integral(s, FE_N_N);
  for (int32_t i = 0; i < n; i++) {
    double row = 0;
    for (int32_t j = 0; j < n; j++) row += mass[(size_t)i * (size_t)n + (size_t)j];
    assert_true(fabs(row - diagonal[i]) < 1e-13 * row);
    for (int32_t j = 0; j < n; j++) {
      size_t at = (size_t)i * (size_t)n + (size_t)j;
      int32_t k = fe_find_edge(s, i, j);
      if (i == j) continue;
      if (k < 0) assert_true(mass[at] == 0);
      if (k < 0) continue;
      assert_true(fabs(stiff[at] - el[k]) < 1e-13 * (1 + fabs(el[k])));
      assert_true(fabs(mass[at] - em[k]) < 1e-13 * em[k]);
      for (int d = 0; d < dim; d++)
        assert_true(fabs(grad[at * (size_t)dim + (size_t)d] - eg[dim * k + d]) < 1e-13);
    }
  }
  free(grad), free(stiff), free(mass), free(diagonal), free(eg), free(el), free(em);
}

static void assembly(void **unused) {
  (void)unused;
  on_all(check_assembly);
}

/* ---- periodic sides ---------------------------------------------------------------------------------------------------------------- */

static void periodic_nodes_are_one(void **unused) {
  (void)unused;
  mesh *m = box(4, "xyz");
  fe_space *s = space_of(m, MESH_CELLS_RCM);
  assert_int_equal(s->n, 4 * 5 * 4);
  double *mass = lumped(s), total = 0;
  for (int32_t i = 0; i < s->n; i++) total += mass[i];
  assert_true(fabs(total - 0.96) < 1e-13);
  free(mass);
  double *v = integral(s, FE_VECTOR);
  for (int32_t k = 0; k < fe_edges(s); k++)
    for (int d = 0; d < 3; d++) assert_true(fabs(v[3 * k + d]) < 0.45); /* no way around */
  free(v);
  fe_destroy(&s);
  mesh_destroy(&m);
}

static void two_ways_to_a_neighbour(void **unused) {
  (void)unused;
  ew_error err = {0};
  mesh *m = box(2, "x");
  fe_space *s = space_of(m, MESH_CELLS_RCM);
  double *v = calloc((size_t)fe_edges(s) * 3 + 1, 8);
  assert_int_equal(fe_integrate_edges(s, FE_VECTOR, NULL, v, &err), EW_INPUT);
  assert_non_null(strstr(err.text, "too coarse across a periodic direction"));
  free(v);
  v = integral(s, FE_DOT_DN_DN); /* integrals add both ways up */
  free(v);
  fe_destroy(&s);
  mesh_destroy(&m);
}

static void only_simplices(void **unused) {
  (void)unused;
  ew_error err = {0};
  mesh *m = NULL;
  fe_space *s = NULL;
  mesh_rectangle_options o = {.x1 = 1, .y1 = 1, .nx = 2, .ny = 2, .kind = MESH_BLOCKS};
  assert_int_equal(mesh_rectangle(&o, &m, NULL), EW_OK);
  assert_int_equal(fe_create(m, MESH_CELLS_RCM, 0, &s, &err), EW_INPUT);
  assert_non_null(strstr(err.text, "need a mesh of triangles only; of "));
  assert_non_null(strstr(err.text, "as the quadrangle around ("));
  assert_null(s);
  mesh_destroy(&m);
}

/* ---- rows of rules ------------------------------------------------------------------------------------------------------------------- */

/* The faces of these patches, one entry each. */
static fe_face *faces_of(const mesh *m, const char *const *patch, int n, int32_t *count) {
  fe_face *out = calloc((size_t)m->n_faces, sizeof *out);
  *count = 0;
  for (int i = 0; i < n; i++) {
    const mesh_patch *p = &m->patch[mesh_find_patch(m, patch[i])];
    for (face_id f = p->first; f < p->first + p->count; f++) out[(*count)++] = (fe_face){f, i};
  }
  return out;
}

static void first_value_holds(void **unused) {
  (void)unused;
  static const char *const sides[] = {"top", "left"};
  mesh *m = rectangle(4, "");
  fe_space *s = space_of(m, MESH_CELLS_RCM);
  int32_t n;
  fe_rows *rows = NULL;
  fe_face *face = faces_of(m, sides, 2, &n);
  assert_int_equal(fe_value_rows(s, face, n, &rows, NULL), EW_OK);
  assert_int_equal(rows->n, 5 + 6 - 1);
  assert_int_equal(rows->n_layers, 1);
  for (int32_t i = 0; i < rows->n; i++) {
    const double *x = place_of(s, rows->dof[i]);
    bool top = fabs(x[1] - 0.7) < 1e-12;
    assert_int_equal(rows->entry[i], top ? 0 : 1);
    assert_true(fabs(rows->normal[2 * i + (top ? 1 : 0)] - (top ? 1 : -1)) < 1e-12);
  }
  fe_rows *left = NULL;
  assert_int_equal(fe_rows_select(s, rows, (const bool[]){false, true}, &left, NULL), EW_OK);
  assert_int_equal(left->n, 5);
  for (int32_t i = 0; i < left->n; i++) assert_true(fabs(place_of(s, left->dof[i])[0]) < 1e-12);
  free(face);
  fe_rows_destroy(&left);
  fe_rows_destroy(&rows);
  fe_destroy(&s);
  mesh_destroy(&m);
}

/* A box of slip: one normal on faces, two on edges, three at corners. */
static void normals_at_corners(void **unused) {
  (void)unused;
  static const char *const sides[] = {"left", "right", "bottom", "top", "back", "front"};
  mesh *m = box(2, "");
  fe_space *s = space_of(m, MESH_CELLS_RCM);
  bool *taken = calloc((size_t)s->n, 1);
  int32_t n, on_faces = 0;
  fe_rows *rows = NULL;
  fe_normals normals = {0};
  fe_face *face = faces_of(m, sides, 6, &n);
  assert_int_equal(fe_normals_create(s, taken, PI / 4, &normals, NULL), EW_OK);
  assert_int_equal(fe_projection_rows(s, face, n, &normals, &rows, NULL), EW_OK);
  assert_int_equal(rows->n_layers, 3);
  assert_int_equal(rows->layer[1], 3 * 4 * 3 - 1 * 2 * 1);                /* nodes on the surface */
  assert_int_equal(rows->layer[2] - rows->layer[1], 4 * (1 + 2 + 1) + 8); /* on edges and corners */
  assert_int_equal(rows->layer[3] - rows->layer[2], 8);
  for (int32_t i = 0; i < rows->n; i++) on_faces += normals.count[rows->dof[i]] == 1;
  assert_int_equal(on_faces, rows->layer[1] - (rows->layer[2] - rows->layer[1]));
  for (int32_t i = 0; i < s->n; i++)
    for (int a = 0; a < normals.count[i]; a++)
      for (int b = 0; b <= a; b++) {
        double dot = 0;
        for (int d = 0; d < 3; d++)
          dot += normals.normal[9 * i + 3 * a + d] * normals.normal[9 * i + 3 * b + d];
        assert_true(fabs(dot - (a == b)) < 1e-14);
      }
  /* a second projection has nothing to add */
  fe_rows *again = NULL;
  assert_int_equal(fe_projection_rows(s, face, n, &normals, &again, NULL), EW_OK);
  assert_int_equal(again->n, 0);
  free(face), free(taken);
  fe_normals_clear(&normals);
  fe_rows_destroy(&again);
  fe_rows_destroy(&rows);
  fe_destroy(&s);
  mesh_destroy(&m);
}

/* Over a closed surface the normals, weighted by the nodes' areas, cancel; areas add up to the surface. */
static void additions_are_integrals(void **unused) {
  (void)unused;
  static const char *const sides[] = {"left", "right", "bottom", "top", "back", "front"};
  mesh *m = box(3, "");
  fe_space *s = space_of(m, MESH_CELLS_HILBERT);
  int32_t n;
  fe_rows *rows = NULL;
  fe_face *face = faces_of(m, sides, 6, &n);
  for (int32_t i = 0; i < n; i++) face[i].entry = 0;
  assert_int_equal(fe_addition_rows(s, face, n, PI / 4, &rows, NULL), EW_OK);
  assert_int_equal(rows->n_layers, 3);
  double sum[3] = {0, 0, 0}, area = 0;
  for (int32_t i = 0; i < rows->n; i++) {
    area += rows->area[i];
    for (int d = 0; d < 3; d++) sum[d] += rows->area[i] * rows->normal[3 * i + d];
  }
  assert_true(fabs(area - 2 * (1.2 + 0.8 + 0.96)) < 1e-12);
  for (int d = 0; d < 3; d++) assert_true(fabs(sum[d]) < 1e-12);
  free(face);
  fe_rows_destroy(&rows);
  fe_destroy(&s);
  mesh_destroy(&m);
}

/* The sides of a regular polygon of 12 corners meet at 30 degrees: smooth to 45, corners to 20. */
static void angle_decides(void **unused) {
  (void)unused;
  static const char *const sides[] = {"bottom"};
  mesh *m = NULL;
  mesh_rectangle_options o = {.x1 = 1, .y1 = 1, .nx = 2, .ny = 2};
  assert_int_equal(mesh_rectangle(&o, &m, NULL), EW_OK);
  face_id first = m->patch[mesh_find_patch(m, "bottom")].first;
  for (int k = 0; k < 2; k++) { /* bends the side by 30 degrees in its middle */
    double a = (k == 0) == (m->face_centre[2 * first] < 0.5) ? -PI / 12 : PI / 12;
    m->face_normal[2 * (first + k)] = sin(a);
    m->face_normal[2 * (first + k) + 1] = -cos(a);
  }
  fe_space *s = space_of(m, MESH_CELLS_AS_IS);
  bool *taken = calloc((size_t)s->n, 1);
  for (int degrees = 20; degrees <= 45; degrees += 25) {
    int32_t n;
    fe_rows *rows = NULL;
    fe_normals normals = {0};
    fe_face *face = faces_of(m, sides, 1, &n);
    assert_int_equal(fe_normals_create(s, taken, degrees * PI / 180, &normals, NULL), EW_OK);
    assert_int_equal(fe_projection_rows(s, face, n, &normals, &rows, NULL), EW_OK);
    assert_int_equal(rows->n, degrees < 30 ? 4 : 3);
    free(face);
    fe_normals_clear(&normals);
    fe_rows_destroy(&rows);
  }
  free(taken);
  fe_destroy(&s);
  mesh_destroy(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graphs),
      cmocka_unit_test(slices),
      cmocka_unit_test(counts),
      cmocka_unit_test(gradients),
      cmocka_unit_test(symmetry),
      cmocka_unit_test(inside),
      cmocka_unit_test(assembly),
      cmocka_unit_test(periodic_nodes_are_one),
      cmocka_unit_test(two_ways_to_a_neighbour),
      cmocka_unit_test(only_simplices),
      cmocka_unit_test(first_value_holds),
      cmocka_unit_test(normals_at_corners),
      cmocka_unit_test(additions_are_integrals),
      cmocka_unit_test(angle_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
