/* The discrete equations; the numbers in brackets are the paper's. */
#include "simple_ts_internal.h"

#include <math.h>

/* ---- convected values */

static double upwind(double low, double high, double w) { return w > 0 ? low : high; } /* (21) */

/* psi(r)/2 of van Leer for r = a/b, without 0/0. */
static double half_psi(double a, double b) { return a * b > 0 ? a / (a + b) : 0; }

double ts_psi_s(const ts_solver *s, const double f[4], const double d[4], double w) {
  if (s->par.space == TS_UPWIND) return 0;
  double step = f[2] - f[1];
  if (w > 0) return 2 * d[1] / (d[1] + d[2]) * half_psi((d[1] + d[2]) * (f[1] - f[0]), (d[0] + d[1]) * step);
  return -2 * d[2] / (d[1] + d[2]) * half_psi((d[1] + d[2]) * (f[3] - f[2]), (d[2] + d[3]) * step);
}

double ts_psi_c(const ts_solver *s, const double f[4], const double d[3], double w) {
  if (s->par.space == TS_UPWIND) return 0;
  double step = f[2] - f[1];
  if (w > 0) return half_psi(d[1] * (f[1] - f[0]), d[0] * step);
  return -half_psi(d[1] * (f[3] - f[2]), d[2] * step);
}

/* What a stream F brings from below (sign 1) or from above (sign -1) per unit of that neighbour's value. */
static double inflow(double F, double psi, double sign) { return fmax(0, sign * F) - F * psi; }

/* ---- quantities that follow from an iterate */

static void derive_faces(const ts_solver *s, ts_view *g, const ts_derived *to, int a) {
  for (int t = 0; t < s->n[1 - a]; t++)
    for (int f = 0; f <= s->n[a]; f++) {
      if (ts_kind_at(s, a, f, t) == FACE_DEAD) continue;
      int at = ts_face_at(s, a, f, t);
      double rho[4], d[4], w = g->w[a][at];
      ts_line(g, TS_RHO, a, f, t, rho);
      ts_line_widths(s, a, f, t, d);
      to->rho_f[a][at] = upwind(rho[1], rho[2], w) + ts_psi_s(s, rho, d, w) * (rho[2] - rho[1]); /* (9) */
      to->flux[a][at] = to->rho_f[a][at] * w * s->d[1 - a][t];                                   /* (7) */
    }
}

ts_view ts_derive(const ts_solver *s, const ts_fields *f, const ts_derived *to) {
  ts_view g = {s,
               {f->u, f->v},
               {f->p, f->T, to->rho, to->gamma},
               {to->rho_f[0], to->rho_f[1]},
               {to->flux[0], to->flux[1]}};
  for (int c = 0; c < s->n[0] * s->n[1]; c++) {
    if (s->solid[c] != TS_GAS) continue;
    to->rho[c] = f->p[c] / f->T[c];
    to->gamma[c] = sqrt(f->T[c]);
  }
  for (int a = 0; a < 2; a++) derive_faces(s, &g, to, a);
  return g;
}

/* ---- momentum */

/* All that the control volume of face f of axis a reads. Along a: cells f-1 and f are 0 and 1 of `rho`, `gamma`,
 * `middle`, `stream`; across it: faces of the other axis at t and t + 1, [row of cells][low, high]. */
typedef struct volume {
  double along[5], across[5]; /* velocities; this face's is [2] */
  double d_along[4];          /* widths of the cells f-2..f+1 */
  double d_across[5];         /* of the rows t-2..t+2 */
  double rho[2], gamma[2];
  double middle[2], stream[2];       /* w, and rho w times length, at the two centres */
  double side_w[2][2], side_F[2][2]; /* velocities and fluxes of the other axis */
  double corner[2];                  /* Gamma at the corners t, t + 1 */
} volume;

/* Velocity and flux of the other axis at its face `side` (t or t + 1) beside the cell below (row 0) or above face
 * f of axis a. Beyond a reservoir gas of its density moves as inside. */
static void gather_side(const ts_view *g, int a, int f, int t, int row, int side, volume *v) {
  const ts_solver *s = g->s;
  int n = f - 1 + row, b = 1 - a;
  if (ts_gas_at(s, a, n, t)) {
    int at = ts_face_at(s, b, side, n);
    v->side_w[row][side - t] = g->w[b][at];
    v->side_F[row][side - t] = g->flux[b][at];
  } else {
    double w = ts_across(g, b, side, row ? n - 1 : n + 1, row ? 1 : -1);
    v->side_w[row][side - t] = w;
    v->side_F[row][side - t] = v->rho[row] * w * v->d_along[1 + row];
  }
}

static volume gather(const ts_view *g, int a, int f, int t) {
  const ts_solver *s = g->s;
  volume v;
  for (int k = 0; k < 5; k++) {
    v.along[k] = ts_along(g, a, f, t, k - 2);
    v.across[k] = ts_across(g, a, f, t, k - 2);
    v.d_across[k] = ts_across_width(s, a, f, t, k - 2);
  }
  ts_line_widths(s, a, f, t, v.d_along);
  for (int row = 0; row < 2; row++) {
    v.rho[row] = ts_beside(g, TS_RHO, a, f, t, row);
    v.gamma[row] = ts_beside(g, TS_GAMMA, a, f, t, row);
    v.middle[row] = (v.along[1 + row] + v.along[2 + row]) / 2;
    v.stream[row] = v.rho[row] * v.middle[row] * v.d_across[2];
    for (int side = 0; side < 2; side++) gather_side(g, a, f, t, row, t + side, &v);
    v.corner[row] = a == 0 ? ts_corner_gamma(g, f, t + row) : ts_corner_gamma(g, t + row, f);
  }
  return v;
}

/* The accelerated form has the mean of the two faces' fluxes at a centre. */
static void mean_streams(const ts_view *g, int a, int f, int t, volume *v) {
  const ts_solver *s = g->s;
  double here = g->flux[a][ts_face_at(s, a, f, t)];
  for (int row = 0; row < 2; row++) {
    double other = v->rho[row] * v->along[row ? 3 : 1] * v->d_across[2]; /* beyond a reservoir */
    if (ts_gas_at(s, a, f - 1 + row, t)) other = g->flux[a][ts_face_at(s, a, row ? f + 1 : f - 1, t)];
    v->stream[row] = (here + other) / 2;
  }
}

/* Coefficients of the neighbours: low and high across the axis, behind and ahead along it. */
typedef struct four {
  double low, high, behind, ahead;
} four;

static four convection(const ts_solver *s, const volume *v) { /* (18) */
  four a = {0, 0, 0, 0};
  for (int m = 0; m < 2; m++) {
    a.low += inflow(v->side_F[m][0], ts_psi_s(s, v->across, v->d_across, v->side_w[m][0]), 1) / 2;
    a.high += inflow(v->side_F[m][1], ts_psi_s(s, v->across + 1, v->d_across + 1, v->side_w[m][1]), -1) / 2;
  }
  a.behind = inflow(v->stream[0], ts_psi_c(s, v->along, v->d_along, v->middle[0]), 1);
  a.ahead = inflow(v->stream[1], ts_psi_c(s, v->along + 1, v->d_along + 1, v->middle[1]), -1);
  return a;
}

static void add_friction(const ts_solver *s, const volume *v, four *a) { /* (19) */
  double B = s->par.B, wide = v->d_along[1] + v->d_along[2];
  a->low += B * v->corner[0] * wide / (v->d_across[2] + v->d_across[1]);
  a->high += B * v->corner[1] * wide / (v->d_across[3] + v->d_across[2]);
  a->behind += 4. / 3 * B * v->gamma[0] * v->d_across[2] / v->d_along[1];
  a->ahead += 4. / 3 * B * v->gamma[1] * v->d_across[2] / v->d_along[2];
}

static double outflow(const volume *v) {
  return (v->side_F[0][1] - v->side_F[0][0] + v->side_F[1][1] - v->side_F[1][0]) / 2 + v->stream[1] -
         v->stream[0];
}

/* Friction by the other velocity, in (17). */
static double cross_friction(const ts_solver *s, const volume *v) {
  const double(*w)[2] = v->side_w;
  return s->par.B * (v->corner[1] * (w[1][1] - w[0][1]) - v->corner[0] * (w[1][0] - w[0][0]) -
                     2. / 3 * v->gamma[1] * (w[1][1] - w[1][0]) + 2. / 3 * v->gamma[0] * (w[0][1] - w[0][0]));
}

/* Mass in the control volume. */
static double mass_of(const double rho[2], const volume *v) {
  return (rho[1] * v->d_along[2] + rho[0] * v->d_along[1]) * v->d_across[2] / 2;
}

ts_momentum ts_solve_momentum(const ts_view *old, const ts_view *start, int a, int f, int t, double carried) {
  const ts_solver *s = old->s;
  bool implicit = s->par.time == TS_IMPLICIT, accelerated = implicit && s->par.storage == TS_ACCELERATED;
  volume v = gather(old, a, f, t);
  if (accelerated) mean_streams(old, a, f, t, &v);
  four c = {0, 0, 0, 0};
  if (implicit) c = convection(s, &v);
  add_friction(s, &v, &c);

  double rho_start[2] = {ts_beside(start, TS_RHO, a, f, t, 0), ts_beside(start, TS_RHO, a, f, t, 1)};
  double mass = mass_of(v.rho, &v), mass_start = mass_of(rho_start, &v);
  double kept = accelerated ? mass_start / s->dt : mass / s->dt + (implicit ? outflow(&v) : 0);
  double a0 = c.low + c.high + c.behind + c.ahead + kept;
  double b = mass_start * start->w[a][ts_face_at(s, a, f, t)] / s->dt + cross_friction(s, &v) +
             s->par.gravity[a] * mass + carried;
  double sum = c.low * v.across[1] + c.high * v.across[3] + c.behind * v.along[1] + c.ahead * v.along[3];
  return (ts_momentum){(sum + b) / a0, s->par.A * v.d_across[2] / a0};
}

static double face_value(const double f[4], double psi, double w) {
  return upwind(f[1], f[2], w) + psi * (f[2] - f[1]);
}

double ts_carried_momentum(const ts_view *start, int a, int f, int t) { /* (20) */
  const ts_solver *s = start->s;
  volume v = gather(start, a, f, t);
  double in = 0;
  for (int m = 0; m < 2; m++)
    for (int side = 0; side < 2; side++) {
      const double *line = v.across + side, w = v.side_w[m][side];
      double value = face_value(line, ts_psi_s(s, line, v.d_across + side, w), w);
      in += (side ? -1 : 1) * v.side_F[m][side] * value / 2;
    }
  for (int k = 0; k < 2; k++) {
    const double *line = v.along + k, w = v.middle[k];
    in += (k ? -1 : 1) * v.stream[k] * face_value(line, ts_psi_c(s, line, v.d_along + k, w), w);
  }
  return in;
}

/* ---- temperature */

/* Mean over the corners of cell (n, t) of the change, along axis a, of the velocity of the other axis. */
static double shear(const ts_view *g, int a, int n, int t) {
  const ts_solver *s = g->s;
  double sum = 0;
  for (int f = t; f <= t + 1; f++) {
    double here = g->w[1 - a][ts_face_at(s, 1 - a, f, n)];
    for (int k = -1; k <= 1; k += 2) {
      double distance = (s->d[a][n] + ts_across_width(s, 1 - a, f, n, k)) / 2;
      sum += k * (ts_across(g, 1 - a, f, n, k) - here) / distance;
    }
  }
  return sum / 4;
}

/* (29): dissipation and p div u, times the cell's area. */
static double heat_source(const ts_view *g, int i, int j) {
  const ts_solver *s = g->s;
  int c = ts_cell_at(s, 0, i, j);
  double dx = s->d[0][i], dy = s->d[1][j];
  double ux = (g->w[0][ts_face_at(s, 0, i + 1, j)] - g->w[0][ts_face_at(s, 0, i, j)]) / dx;
  double vy = (g->w[1][ts_face_at(s, 1, j + 1, i)] - g->w[1][ts_face_at(s, 1, j, i)]) / dy;
  double mixed = shear(g, 0, i, j) + shear(g, 1, j, i), div = ux + vy;
  double Phi = 2 * (ux * ux + vy * vy) + mixed * mixed - 2. / 3 * div * div;
  return (s->par.CT2 * g->cell[TS_GAMMA][c] * Phi + s->par.CT3 * g->cell[TS_P][c] * div) * dx * dy;
}

static double conduction(const ts_view *g, int a, int f, int t) { /* (26) */
  const ts_solver *s = g->s;
  double distance = (ts_width_beside(s, a, f, t, 0) + ts_width_beside(s, a, f, t, 1)) / 2;
  return s->par.CT1 * ts_face_gamma(g, a, f, t) * s->d[1 - a][t] / distance;
}

/* Temperatures around face f of axis a and the limiter there. */
static double heat_psi(const ts_view *g, int a, int f, int t, double T[4]) {
  const ts_solver *s = g->s;
  double d[4];
  ts_line(g, TS_T, a, f, t, T);
  ts_line_widths(s, a, f, t, d);
  return ts_psi_s(s, T, d, g->w[a][ts_face_at(s, a, f, t)]);
}

double ts_solve_temperature(const ts_view *old, const ts_view *start, int i, int j, double carried) {
  const ts_solver *s = old->s;
  bool implicit = s->par.time == TS_IMPLICIT, accelerated = implicit && s->par.storage == TS_ACCELERATED;
  double sum_a = 0, sum_aT = 0, out = 0, T[4];
  for (int a = 0; a < 2; a++) {
    int n = a == 0 ? i : j, t = a == 0 ? j : i;
    for (int side = 0; side < 2; side++) {
      double F = old->flux[a][ts_face_at(s, a, n + side, t)], psi = heat_psi(old, a, n + side, t, T);
      double c = conduction(old, a, n + side, t) + (implicit ? inflow(F, psi, side ? -1 : 1) : 0);
      sum_a += c;
      sum_aT += c * T[side ? 2 : 1];
      out += side ? F : -F;
    }
  }
  int c = ts_cell_at(s, 0, i, j);
  double area = s->d[0][i] * s->d[1][j], before = start->cell[TS_RHO][c] * area;
  double kept = accelerated ? before : old->cell[TS_RHO][c] * area + (implicit ? s->dt * out : 0);
  return (s->dt * (sum_aT + heat_source(old, i, j) + carried) + before * start->cell[TS_T][c]) /
         (s->dt * sum_a + kept);
}

double ts_carried_heat(const ts_view *start, int i, int j) { /* (30) */
  const ts_solver *s = start->s;
  double in = 0, T[4];
  for (int a = 0; a < 2; a++) {
    int n = a == 0 ? i : j, t = a == 0 ? j : i;
    for (int side = 0; side < 2; side++) {
      int face = ts_face_at(s, a, n + side, t);
      double psi = heat_psi(start, a, n + side, t, T);
      in += (side ? -1 : 1) * start->flux[a][face] * face_value(T, psi, start->w[a][face]);
    }
  }
  return in;
}
