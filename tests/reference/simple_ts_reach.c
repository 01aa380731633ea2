/* What the equations read at and beyond boundaries; the rules are in simple_ts.h. A ghost belongs to the reader:
 * it is found by walking from a point of the gas, and is never stored, since a solid has different faces. */
#include "simple_ts_internal.h"

#include <math.h>
#include <stdlib.h>

static int wrapped(const ts_solver *s, int a, int n) {
  return s->periodic[a] ? (n % s->n[a] + s->n[a]) % s->n[a] : n;
}

int ts_cell_at(const ts_solver *s, int a, int n, int t) {
  n = wrapped(s, a, n);
  t = wrapped(s, 1 - a, t);
  return a == 0 ? t * s->n[0] + n : n * s->n[0] + t;
}

int ts_face_at(const ts_solver *s, int a, int n, int t) {
  n = wrapped(s, a, n);
  t = wrapped(s, 1 - a, t);
  return a == 0 ? t * (s->n[0] + 1) + n : n * s->n[0] + t;
}

int ts_n_faces(const ts_solver *s, int a) { return (s->n[a] + 1) * s->n[1 - a]; }

int ts_beyond(const ts_solver *s, int a, int n, int t) {
  n = wrapped(s, a, n);
  t = wrapped(s, 1 - a, t);
  if (n < 0 || n >= s->n[a]) return 2 * a + (n >= 0);
  if (t < 0 || t >= s->n[1 - a]) return 2 * (1 - a) + (t >= 0);
  return s->solid[ts_cell_at(s, a, n, t)];
}

bool ts_gas_at(const ts_solver *s, int a, int n, int t) { return ts_beyond(s, a, n, t) == TS_GAS; }

ts_face_kind ts_kind_at(const ts_solver *s, int a, int n, int t) {
  return s->face_kind[a][ts_face_at(s, a, n, t)];
}

/* ---- walking */

/* Where a walk of k points ends: in the gas (boundary TS_GAS) at `mirror`; or beyond a boundary, `last` the last
 * point before it and `mirror` the image of the end. */
typedef struct walk {
  int boundary, last, mirror;
} walk;

static walk walk_cells(const ts_solver *s, int a, int n, int t, int k) {
  int dir = k < 0 ? -1 : 1;
  for (int left = abs(k); left > 0; left--, n += dir) {
    int b = ts_beyond(s, a, n + dir, t);
    if (b != TS_GAS) return (walk){b, n, n - (left - 1) * dir};
  }
  return (walk){TS_GAS, n, n};
}

/* From face f along its own axis: the boundary is a face. */
static walk walk_along(const ts_solver *s, int a, int f, int t, int k) {
  int dir = k < 0 ? -1 : 1;
  for (int left = abs(k); left > 0; left--, f += dir) {
    int b = ts_beyond(s, a, dir > 0 ? f : f - 1, t);
    if (b != TS_GAS) return (walk){b, f, f - left * dir};
  }
  return (walk){TS_GAS, f, f};
}

/* From row t across the face's axis. Rows that have gas on one side of the face at least are read as they are. */
static walk walk_across(const ts_solver *s, int a, int f, int t, int k) {
  int dir = k < 0 ? -1 : 1;
  for (int left = abs(k); left > 0; left--, t += dir)
    if (!ts_gas_at(s, a, f - 1, t + dir) && !ts_gas_at(s, a, f, t + dir)) {
      int gas = ts_gas_at(s, a, f, t) ? f : f - 1;
      return (walk){ts_beyond(s, 1 - a, t + dir, gas), t, t - (left - 1) * dir};
    }
  return (walk){TS_GAS, t, t};
}

/* ---- cells */

/* Temperature of the gas at a wall, h across its first cell. Wall form: the positive root of
 * q T_s^2 + (1 - q T) T_s - T_w = 0, which has the density p/T_s in the mean free path. */
static double gas_at_wall(const ts_params *par, double T, double p, double T_w, double h) {
  double q = par->tau * par->Kn / (p * (h / 2));
  if (par->slip == TS_WALL_FORM) {
    double g = 1 - q * T;
    return 2 * T_w / (g + sqrt(g * g + 4 * q * T_w));
  }
  double k = q * T; /* zeta / (h/2), density p/T */
  return (k * T + T_w) / (1 + k);
}

static double T_beside_wall(const ts_view *g, const ts_boundary *wall, int a, int n, int t) {
  const ts_solver *s = g->s;
  int c = ts_cell_at(s, a, n, t);
  return gas_at_wall(&s->par, g->cell[TS_T][c], g->cell[TS_P][c], wall->T, s->d[a][wrapped(s, a, n)]);
}

double ts_wall_T(const ts_view *g, int a, int n, int t, int side) {
  int b = ts_beyond(g->s, a, side ? n + 1 : n - 1, t);
  return T_beside_wall(g, &g->s->boundary[b], a, n, t);
}

static double beyond_wall(const ts_view *g, ts_quantity q, const ts_boundary *wall, int a, int t, walk w) {
  double mirror = g->cell[q][ts_cell_at(g->s, a, w.mirror, t)];
  if (q == TS_P) return mirror;
  double T_s = T_beside_wall(g, wall, a, w.last, t);
  switch (q) {
  case TS_T: return 2 * T_s - mirror;
  case TS_RHO: return 2 * g->cell[TS_P][ts_cell_at(g->s, a, w.last, t)] / T_s - mirror;
  default: return sqrt(T_s);
  }
}

static double given(ts_quantity q, const ts_boundary *b) {
  switch (q) {
  case TS_P: return b->p;
  case TS_T: return b->T;
  case TS_RHO: return b->p / b->T;
  default: return sqrt(b->T);
  }
}

double ts_value(const ts_view *g, ts_quantity q, int a, int n, int t, int k) {
  walk w = walk_cells(g->s, a, n, t, k);
  if (w.boundary == TS_GAS) return g->cell[q][ts_cell_at(g->s, a, w.mirror, t)];
  const ts_boundary *b = &g->s->boundary[w.boundary];
  switch (b->kind) {
  case TS_WALL: return beyond_wall(g, q, b, a, t, w);
  case TS_OUTLET: return g->cell[q][ts_cell_at(g->s, a, w.last, t)];
  case TS_SYMMETRY: return g->cell[q][ts_cell_at(g->s, a, w.mirror, t)];
  default: return given(q, b);
  }
}

double ts_width(const ts_solver *s, int a, int n, int t, int k) {
  return s->d[a][wrapped(s, a, walk_cells(s, a, n, t, k).mirror)];
}

double ts_beside(const ts_view *g, ts_quantity q, int a, int f, int t, int side) {
  return ts_gas_at(g->s, a, f, t) ? ts_value(g, q, a, f, t, side - 1) : ts_value(g, q, a, f - 1, t, side);
}

double ts_width_beside(const ts_solver *s, int a, int f, int t, int side) {
  return ts_gas_at(s, a, f, t) ? ts_width(s, a, f, t, side - 1) : ts_width(s, a, f - 1, t, side);
}

void ts_line(const ts_view *g, ts_quantity q, int a, int f, int t, double value[4]) {
  bool up = ts_gas_at(g->s, a, f, t);
  for (int k = 0; k < 4; k++) value[k] = ts_value(g, q, a, up ? f : f - 1, t, up ? k - 2 : k - 1);
}

void ts_line_widths(const ts_solver *s, int a, int f, int t, double width[4]) {
  bool up = ts_gas_at(s, a, f, t);
  for (int k = 0; k < 4; k++) width[k] = ts_width(s, a, up ? f : f - 1, t, up ? k - 2 : k - 1);
}

/* ---- velocities */

double ts_along(const ts_view *g, int a, int f, int t, int k) {
  const ts_solver *s = g->s;
  walk w = walk_along(s, a, f, t, k);
  if (w.boundary == TS_GAS) return g->w[a][ts_face_at(s, a, w.mirror, t)];
  const ts_boundary *b = &s->boundary[w.boundary];
  switch (b->kind) {
  case TS_WALL: return 2 * b->velocity[a] - g->w[a][ts_face_at(s, a, w.mirror, t)];
  case TS_SYMMETRY: return -g->w[a][ts_face_at(s, a, w.mirror, t)];
  case TS_INLET: return b->velocity[a];
  default: return g->w[a][ts_face_at(s, a, w.last, t)]; /* an outlet's face repeats the one before it */
  }
}

/* Mean free path times pressure over Kn p0, so that zeta = sigma Kn path, at the face (f, t) of axis a beside a
 * wall that lies across the other axis. */
static double path_at_wall(const ts_view *g, const ts_boundary *wall, int a, int f, int t) {
  const ts_solver *s = g->s;
  if (s->par.slip == TS_FIRST_CELL) return 1 / g->rho_f[a][ts_face_at(s, a, f, t)];
  double T_s = 0, p = 0, h = s->d[1 - a][wrapped(s, 1 - a, t)];
  for (int side = 0; side < 2; side++) {
    double p_c = ts_beside(g, TS_P, a, f, t, side);
    T_s += gas_at_wall(&s->par, ts_beside(g, TS_T, a, f, t, side), p_c, wall->T, h);
    p += p_c;
  }
  return T_s / p;
}

double ts_across(const ts_view *g, int a, int f, int t, int k) {
  const ts_solver *s = g->s;
  walk w = walk_across(s, a, f, t, k);
  double mirror = g->w[a][ts_face_at(s, a, f, w.mirror)];
  if (w.boundary == TS_GAS) return mirror;
  const ts_boundary *b = &s->boundary[w.boundary];
  double inner = g->w[a][ts_face_at(s, a, f, w.last)];
  switch (b->kind) {
  case TS_WALL: {
    double h = s->d[1 - a][wrapped(s, 1 - a, w.last)];
    double k_s = s->par.sigma * s->par.Kn * path_at_wall(g, b, a, f, w.last) / (h / 2);
    double u_s = (k_s * inner + b->velocity[a]) / (1 + k_s);
    return 2 * u_s - mirror;
  }
  case TS_INLET: return b->velocity[a];
  case TS_SYMMETRY: return mirror;
  default: return inner;
  }
}

double ts_across_width(const ts_solver *s, int a, int f, int t, int k) {
  return s->d[1 - a][wrapped(s, 1 - a, walk_across(s, a, f, t, k).mirror)];
}

/* ---- Gamma */

typedef struct mean {
  double sum;
  int n;
} mean;

static void add(mean *m, double value) {
  m->sum += value;
  m->n++;
}

/* The faces across axis a that end at a corner, f along a; they lie in the rows t - 1 and t. */
static void add_wall_faces(const ts_view *g, int a, int f, int t, mean *m) {
  const ts_solver *s = g->s;
  for (int row = t - 1; row <= t; row++) {
    bool low = ts_gas_at(s, a, f - 1, row), high = ts_gas_at(s, a, f, row);
    if (low == high) continue;
    int n = low ? f - 1 : f;
    const ts_boundary *b = &s->boundary[ts_beyond(s, a, low ? f : f - 1, row)];
    if (b->kind != TS_WALL) continue;
    add(m, sqrt(T_beside_wall(g, b, a, n, row)));
  }
}

/* Gamma of the cell (i, j) beside a corner, through its neighbours at that corner if it is not gas: (i + di, j)
 * and (i, j + dj). */
static double gamma_near(const ts_view *g, int i, int j, int di, int dj) {
  const ts_solver *s = g->s;
  mean m = {0, 0};
  if (ts_gas_at(s, 0, i, j)) return g->cell[TS_GAMMA][ts_cell_at(s, 0, i, j)];
  if (ts_gas_at(s, 0, i + di, j)) add(&m, ts_value(g, TS_GAMMA, 0, i + di, j, -di));
  if (ts_gas_at(s, 0, i, j + dj)) add(&m, ts_value(g, TS_GAMMA, 1, j + dj, i, -dj));
  if (m.n > 0) return m.sum / m.n;
  for (int a = 0; a < 2; a++) { /* beyond two sides at once: what is given goes on */
    const ts_boundary *b = &s->boundary[a == 0 ? ts_beyond(s, 0, i, j) : ts_beyond(s, 1, j, i)];
    if (b->kind == TS_RESERVOIR) return sqrt(b->T);
  }
  return NAN; /* all faces at such a corner are given: nobody asks */
}

double ts_corner_gamma(const ts_view *g, int i, int j) {
  mean m = {0, 0};
  add_wall_faces(g, 0, i, j, &m);
  add_wall_faces(g, 1, j, i, &m);
  if (m.n > 0) return m.sum / m.n;
  for (int y = 0; y < 2; y++)
    for (int x = 0; x < 2; x++) add(&m, gamma_near(g, i - 1 + x, j - 1 + y, x ? -1 : 1, y ? -1 : 1));
  return m.sum / m.n;
}

double ts_face_gamma(const ts_view *g, int a, int f, int t) {
  const ts_solver *s = g->s;
  bool low = ts_gas_at(s, a, f - 1, t), high = ts_gas_at(s, a, f, t);
  if (low != high) {
    const ts_boundary *b = &s->boundary[ts_beyond(s, a, low ? f : f - 1, t)];
    if (b->kind == TS_WALL) return sqrt(T_beside_wall(g, b, a, low ? f - 1 : f, t));
  }
  double d0 = ts_width_beside(s, a, f, t, 0), d1 = ts_width_beside(s, a, f, t, 1);
  double G0 = ts_beside(g, TS_GAMMA, a, f, t, 0), G1 = ts_beside(g, TS_GAMMA, a, f, t, 1);
  return (d0 + d1) * G0 * G1 / (d0 * G1 + d1 * G0); /* (27) */
}
