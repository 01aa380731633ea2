#include "csr/model.h"

#include <math.h>
#include <stdlib.h>

/* ---- nodes ---- */

enum { jitter_percent = 15 };

typedef struct box {
  int side;
  double (*x)[3];
} box;

static int32_t node(const box *b, int i, int j, int k) { return i + b->side * (j + b->side * k); }

/* A number in -1 ... 1 from the three lowest digits that move on: the same on every machine. */
static double random_sign(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)(*state >> 11) * 0x1p-52 - 1.0;
}

static void place_nodes(box *b) {
  double h = 1.0 / (b->side - 1);
  uint64_t state = 1;
  for (int32_t at = 0; at < b->side * b->side * b->side; at++) {
    int index[3] = {at % b->side, at / b->side % b->side, at / b->side / b->side};
    for (int d = 0; d < 3; d++) {
      bool inside = index[d] > 0 && index[d] < b->side - 1;
      b->x[at][d] = h * (index[d] + (inside ? jitter_percent * 0.01 * random_sign(&state) : 0.0));
    }
  }
}

static bool on_face(const box *b, int32_t at) {
  int index[3] = {at % b->side, at / b->side % b->side, at / b->side / b->side};
  for (int d = 0; d < 3; d++)
    if (index[d] == 0 || index[d] == b->side - 1) return true;
  return false;
}

/* ---- pattern: neighbours lie along the edges and diagonals of cubes, all one way or all the other ---- */

static const int steps[14][3] = {{-1, -1, -1}, {0, -1, -1}, {-1, 0, -1}, {0, 0, -1}, {-1, -1, 0},
                                 {0, -1, 0},   {-1, 0, 0},  {1, 0, 0},   {0, 1, 0},  {1, 1, 0},
                                 {0, 0, 1},    {1, 0, 1},   {0, 1, 1},   {1, 1, 1}};

static int neighbours(const box *b, int32_t at, int32_t found[14]) {
  int index[3] = {at % b->side, at / b->side % b->side, at / b->side / b->side}, count = 0;
  for (int s = 0; s < 14; s++) {
    int to[3];
    bool inside = true;
    for (int d = 0; d < 3; d++) {
      to[d] = index[d] + steps[s][d];
      inside = inside && to[d] >= 0 && to[d] < b->side;
    }
    if (inside) found[count++] = node(b, to[0], to[1], to[2]);
  }
  return count;
}

static void fill_pattern(const box *b, int32_t n, int32_t *start, int32_t *col) {
  int32_t at = 0;
  for (int32_t i = 0; i < n; i++) {
    start[i] = at;
    at += neighbours(b, i, col + at);
  }
  start[n] = at;
}

/* ---- values ---- */

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int d = 0; d < 3; d++) c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Gradients of the four linear functions, times six volumes; returns six volumes. */
static double gradients(const box *b, const int32_t corner[4], double g[4][3]) {
  double edge[3][3];
  for (int e = 0; e < 3; e++)
    for (int d = 0; d < 3; d++) edge[e][d] = b->x[corner[e + 1]][d] - b->x[corner[0]][d];
  for (int e = 0; e < 3; e++) cross(edge[(e + 1) % 3], edge[(e + 2) % 3], g[e + 1]);
  for (int d = 0; d < 3; d++) g[0][d] = -g[1][d] - g[2][d] - g[3][d];
  return fabs(dot(edge[0], g[1]));
}

static void add(csr_model *m, int32_t row, int32_t col, double value) {
  const csr_pattern *p = &m->pattern;
  for (int32_t k = p->start[row]; k < p->start[row + 1]; k++)
    if (p->col[k] == col) m->off[k] += value;
}

static void add_element(const box *b, csr_model *m, const int32_t corner[4], bool fixed) {
  double g[4][3], six = gradients(b, corner, g);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      double value = dot(g[i], g[j]) / (6.0 * six);
      bool cut = fixed && (on_face(b, corner[i]) || on_face(b, corner[j]));
      if (i == j) m->diagonal[corner[i]] += value;
      else if (!cut) add(m, corner[i], corner[j], value);
    }
}

/* Six tetrahedra around the long diagonal: from the lowest corner along the axes in every order. */
static void add_cube(const box *b, csr_model *m, const int low[3], bool fixed) {
  static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int o = 0; o < 6; o++) {
    int at[3] = {low[0], low[1], low[2]};
    int32_t corner[4] = {node(b, at[0], at[1], at[2])};
    for (int c = 0; c < 3; c++) {
      at[orders[o][c]]++;
      corner[c + 1] = node(b, at[0], at[1], at[2]);
    }
    add_element(b, m, corner, fixed);
  }
}

static void add_all(const box *b, csr_model *m, bool fixed) {
  int cubes = b->side - 1;
  for (int at = 0; at < cubes * cubes * cubes; at++)
    add_cube(b, m, (int[3]){at % cubes, at / cubes % cubes, at / cubes / cubes}, fixed);
}

/* ---- life ---- */

ew_status csr_model_laplacian(int side, bool fixed, csr_model *model, ew_error *err) {
  if (side < 2 || side > 500)
    return ew_fail(err, EW_INPUT, "a box of %d nodes a side; expected 2 to 500", side);
  int32_t n = side * side * side;
  box b = {.side = side, .x = malloc((size_t)n * sizeof *b.x)};
  int32_t *start = malloc(((size_t)n + 1) * sizeof *start), *col = malloc((size_t)n * 14 * sizeof *col);
  *model = (csr_model){.pattern = {n, start, col}};
  model->off = calloc((size_t)n * 14, sizeof *model->off);
  model->diagonal = calloc((size_t)n, sizeof *model->diagonal);
  bool good = b.x && start && col && model->off && model->diagonal;
  if (good) {
    place_nodes(&b);
    fill_pattern(&b, n, start, col);
    add_all(&b, model, fixed);
  } else csr_model_clear(model);
  free(b.x);
  return good ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for a matrix of %d rows", n);
}

void csr_model_clear(csr_model *m) {
  free((void *)m->pattern.start);
  free((void *)m->pattern.col);
  free(m->off);
  free(m->diagonal);
  *m = (csr_model){0};
}
