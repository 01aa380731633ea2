/* The solver as a whole: a case is checked and its faces sorted; a step iterates until nothing changes. */
#include "simple_ts_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ts_params ts_gas(double Kn) {
  double root_pi = sqrt(acos(-1));
  return (ts_params){.Kn = Kn,
                     .A = 0.5,
                     .B = 5 * root_pi / 16 * Kn,
                     .CT1 = 25 * root_pi / 32 *
                            Kn, /* those of (26), (29), not of (41): see the design's table */
                     .CT2 = 5 * root_pi / 12 * Kn,
                     .CT3 = -2. / 3,
                     .sigma = 1.1466,
                     .tau = 2.1904};
}

/* ---- fields */

static bool make(double **out, int n) { return (*out = calloc((size_t)n, sizeof **out)) != NULL; }

static bool make_pair(double *out[2], const int n[2]) {
  return make(&out[0], (n[0] + 1) * n[1]) && make(&out[1], n[0] * (n[1] + 1));
}

static void free_pair(double *p[2]) {
  free(p[0]);
  free(p[1]);
}

bool ts_fields_create(ts_fields *out, const int n[2]) {
  double *w[2] = {NULL, NULL};
  *out = (ts_fields){0};
  bool ok = make_pair(w, n);
  out->u = w[0];
  out->v = w[1];
  ok = ok && make(&out->p, n[0] * n[1]) && make(&out->T, n[0] * n[1]);
  if (!ok) ts_fields_destroy(out);
  return ok;
}

void ts_fields_destroy(ts_fields *f) {
  free(f->u);
  free(f->v);
  free(f->p);
  free(f->T);
  *f = (ts_fields){0};
}

static void copy_fields(const ts_solver *s, const ts_fields *to, const ts_fields *from) {
  size_t cells = (size_t)(s->n[0] * s->n[1]) * sizeof(double);
  memcpy(to->u, from->u, (size_t)ts_n_faces(s, 0) * sizeof(double));
  memcpy(to->v, from->v, (size_t)ts_n_faces(s, 1) * sizeof(double));
  memcpy(to->p, from->p, cells);
  memcpy(to->T, from->T, cells);
}

static double *velocity(const ts_fields *f, int a) { return a == 0 ? f->u : f->v; }

/* ---- creation */

static bool make_derived(ts_derived *d, const int n[2]) {
  return make(&d->rho, n[0] * n[1]) && make(&d->gamma, n[0] * n[1]) && make_pair(d->rho_f, n) &&
         make_pair(d->flux, n);
}

static void free_derived(ts_derived *d) {
  free(d->rho);
  free(d->gamma);
  free_pair(d->rho_f);
  free_pair(d->flux);
}

static bool make_all(ts_solver *s, int n_boundaries) {
  int cells = s->n[0] * s->n[1];
  for (int a = 0; a < 2; a++) {
    s->face_kind[a] = calloc((size_t)ts_n_faces(s, a), sizeof *s->face_kind[a]);
    if (!make(&s->d[a], s->n[a]) || !s->face_kind[a]) return false;
  }
  s->boundary = calloc((size_t)n_boundaries, sizeof *s->boundary);
  s->solid = calloc((size_t)cells, sizeof *s->solid);
  return s->boundary && s->solid && make_pair(s->face_value, s->n) && make_pair(s->carried, s->n) &&
         make_pair(s->hat, s->n) && make_pair(s->pull, s->n) && make(&s->carried_T, cells) &&
         make_derived(&s->at_start, s->n) && make_derived(&s->at_old, s->n) &&
         ts_fields_create(&s->start, s->n) && ts_fields_create(&s->next, s->n);
}

void ts_destroy(ts_solver **solver) {
  ts_solver *s = *solver;
  if (!s) return;
  for (int a = 0; a < 2; a++) {
    free(s->d[a]);
    free(s->face_kind[a]);
  }
  free(s->boundary);
  free(s->solid);
  free_pair(s->face_value);
  free_pair(s->carried);
  free_pair(s->hat);
  free_pair(s->pull);
  free(s->carried_T);
  free_derived(&s->at_start);
  free_derived(&s->at_old);
  ts_fields_destroy(&s->start);
  ts_fields_destroy(&s->next);
  free(s);
  *solver = NULL;
}

static const char *check_sides(const ts_case *c) {
  if (c->n[0] < 1 || c->n[1] < 1) return "a grid without cells";
  for (int a = 0; a < 2; a++) {
    if ((c->side[2 * a].kind == TS_PERIODIC) != (c->side[2 * a + 1].kind == TS_PERIODIC))
      return "one side of an axis is periodic, the other is not";
    for (int k = 0; k < c->n[a]; k++)
      if (!(c->d[a][k] > 0)) return "a width is not positive";
  }
  for (int k = 0; k < c->n_solids; k++) {
    const ts_solid *b = &c->solid[k];
    if (b->wall.kind != TS_WALL && b->wall.kind != TS_SYMMETRY) return "a solid needs a wall";
    for (int a = 0; a < 2; a++)
      if (b->first[a] < 0 || b->end[a] > c->n[a] || b->first[a] >= b->end[a])
        return "a solid leaves the grid";
  }
  return NULL;
}

static void place_solids(ts_solver *s, const ts_case *c) {
  for (int k = 0; k < s->n[0] * s->n[1]; k++) s->solid[k] = TS_GAS;
  for (int side = 0; side < 4; side++) s->boundary[side] = c->side[side];
  for (int k = 0; k < c->n_solids; k++) {
    const ts_solid *b = &c->solid[k];
    s->boundary[4 + k] = b->wall;
    for (int j = b->first[1]; j < b->end[1]; j++)
      for (int i = b->first[0]; i < b->end[0]; i++) s->solid[j * s->n[0] + i] = 4 + k;
  }
}

static void sort_face(ts_solver *s, int a, int f, int t) {
  int low = ts_beyond(s, a, f - 1, t), high = ts_beyond(s, a, f, t), at = ts_face_at(s, a, f, t);
  ts_face_kind *kind = &s->face_kind[a][at];
  if (low == TS_GAS && high == TS_GAS) {
    *kind = FACE_OPEN;
  } else if (low != TS_GAS && high != TS_GAS) {
    *kind = FACE_DEAD;
  } else {
    const ts_boundary *b = &s->boundary[low == TS_GAS ? high : low];
    *kind = b->kind == TS_OUTLET ? FACE_COPIED : b->kind == TS_RESERVOIR ? FACE_OPEN : FACE_FIXED;
    s->face_value[a][at] = b->kind == TS_WALL || b->kind == TS_INLET ? b->velocity[a] : 0;
  }
}

/* The image of a ghost at depth 2 must be gas. */
static const char *check_gaps(const ts_solver *s) {
  for (int a = 0; a < 2; a++)
    for (int t = 0; t < s->n[1 - a]; t++)
      for (int n = 0; n < s->n[a]; n++)
        if (ts_gas_at(s, a, n, t) && !ts_gas_at(s, a, n - 1, t) && !ts_gas_at(s, a, n + 1, t))
          return "the gas is one cell wide somewhere";
  return NULL;
}

static const char *fill(ts_solver *s, const ts_case *c) {
  for (int a = 0; a < 2; a++) memcpy(s->d[a], c->d[a], (size_t)s->n[a] * sizeof(double));
  place_solids(s, c);
  for (int a = 0; a < 2; a++)
    for (int t = 0; t < s->n[1 - a]; t++)
      for (int f = 0; f <= s->n[a]; f++) sort_face(s, a, f, t);
  return check_gaps(s);
}

const char *ts_create(ts_solver **out, const ts_case *c) {
  *out = NULL;
  const char *problem = check_sides(c);
  if (problem) return problem;
  ts_solver *s = calloc(1, sizeof *s);
  if (!s) return "out of memory";
  s->par = c->params;
  for (int a = 0; a < 2; a++) {
    s->n[a] = c->n[a];
    s->periodic[a] = c->side[2 * a].kind == TS_PERIODIC;
  }
  problem = make_all(s, 4 + c->n_solids) ? fill(s, c) : "out of memory";
  if (problem) ts_destroy(&s);
  *out = s;
  return problem;
}

/* ---- iterations */

/* The face that an outlet's face repeats. */
static int inner_face(const ts_solver *s, int a, int f, int t) {
  return ts_face_at(s, a, ts_gas_at(s, a, f, t) ? f + 1 : f - 1, t);
}

/* Places are wrapped, so the last face of a periodic axis is never read; callers may like to. */
static void repeat_first_face(const ts_solver *s, int a, double *w) {
  if (!s->periodic[a]) return;
  int n = s->n[a], row = a == 0 ? n + 1 : s->n[0];
  if (a == 0)
    for (int t = 0; t < s->n[1]; t++) w[t * row + n] = w[t * row];
  else memcpy(w + n * row, w, (size_t)row * sizeof *w);
}

void ts_fix(const ts_solver *s, const ts_fields *fields) {
  for (int a = 0; a < 2; a++) {
    double *w = velocity(fields, a);
    for (int t = 0; t < s->n[1 - a]; t++)
      for (int f = 0; f <= s->n[a]; f++) {
        int at = ts_face_at(s, a, f, t);
        if (s->face_kind[a][at] == FACE_FIXED) w[at] = s->face_value[a][at];
        if (s->face_kind[a][at] == FACE_COPIED) w[at] = w[inner_face(s, a, f, t)];
      }
    repeat_first_face(s, a, w);
  }
}

static void carry(ts_solver *s, const ts_view *start) {
  for (int a = 0; a < 2; a++)
    for (int t = 0; t < s->n[1 - a]; t++)
      for (int f = 0; f <= s->n[a]; f++)
        if (ts_kind_at(s, a, f, t) == FACE_OPEN)
          s->carried[a][ts_face_at(s, a, f, t)] = ts_carried_momentum(start, a, f, t);
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++)
      if (ts_is_gas(s, i, j)) s->carried_T[j * s->n[0] + i] = ts_carried_heat(start, i, j);
}

void ts_begin_step(ts_solver *s, const ts_fields *start, double dt) {
  s->dt = dt;
  copy_fields(s, &s->start, start);
  ts_view g = ts_derive(s, &s->start, &s->at_start);
  if (s->par.time == TS_EXPLICIT) carry(s, &g); /* else it stays zero */
}

static void solve_momenta(ts_solver *s, const ts_view *old, const ts_view *start) {
  for (int a = 0; a < 2; a++)
    for (int t = 0; t < s->n[1 - a]; t++)
      for (int f = 0; f <= s->n[a]; f++) {
        int at = ts_face_at(s, a, f, t);
        ts_momentum m = {0, 0};
        switch (s->face_kind[a][at]) {
        case FACE_OPEN: m = ts_solve_momentum(old, start, a, f, t, s->carried[a][at]); break;
        case FACE_FIXED: m.hat = s->face_value[a][at]; break;
        case FACE_COPIED: m.hat = old->w[a][inner_face(s, a, f, t)]; break;
        case FACE_DEAD: break;
        }
        s->hat[a][at] = m.hat;
        s->pull[a][at] = m.d;
      }
}

/* (22) at a gas cell, with T of this iteration and the neighbours' p of the one before. */
static double solve_pressure(const ts_solver *s, const ts_view *old, const double *T, int i, int j) {
  double sum_a = 0, sum_ap = 0, out = 0;
  for (int a = 0; a < 2; a++) {
    int n = a == 0 ? i : j, t = a == 0 ? j : i;
    for (int side = 0; side < 2; side++) {
      int at = ts_face_at(s, a, n + side, t);
      double through = old->rho_f[a][at] * s->d[1 - a][t];
      double c = through * s->pull[a][at];
      sum_a += c;
      sum_ap += c * ts_value(old, TS_P, a, n, t, side ? 1 : -1);
      out += (side ? 1 : -1) * through * s->hat[a][at];
    }
  }
  int c = j * s->n[0] + i;
  double area = s->d[0][i] * s->d[1][j];
  return (s->dt * sum_ap + s->at_start.rho[c] * area - s->dt * out) / (area / T[c] + s->dt * sum_a);
}

/* (13), (14) */
static void correct_velocities(const ts_solver *s, const ts_view *g, const ts_fields *next) {
  for (int a = 0; a < 2; a++)
    for (int t = 0; t < s->n[1 - a]; t++)
      for (int f = 0; f <= s->n[a]; f++) {
        int at = ts_face_at(s, a, f, t);
        if (s->face_kind[a][at] != FACE_OPEN) continue;
        double step = ts_beside(g, TS_P, a, f, t, 1) - ts_beside(g, TS_P, a, f, t, 0);
        velocity(next, a)[at] = s->hat[a][at] - s->pull[a][at] * step;
      }
  ts_fix(s, next);
}

/* Of a and b the larger; NaN if one is. */
static double larger(double a, double b) { return b > a || isnan(b) ? b : a; }

static double residual(const ts_solver *s, const ts_fields *old, const ts_fields *next) {
  double most = 0;
  for (int c = 0; c < s->n[0] * s->n[1]; c++) {
    if (s->solid[c] != TS_GAS) continue;
    most = larger(most, fabs(next->p[c] - old->p[c]));
    most = larger(most, fabs(next->T[c] - old->T[c]));
  }
  for (int a = 0; a < 2; a++)
    for (int k = 0; k < ts_n_faces(s, a); k++)
      if (s->face_kind[a][k] != FACE_DEAD)
        most = larger(most, fabs(velocity(next, a)[k] - velocity(old, a)[k]));
  return most;
}

double ts_iterate(ts_solver *s, const ts_fields *old, const ts_fields *next) {
  ts_view g = ts_derive(s, old, &s->at_old);
  ts_view start = {s,
                   {s->start.u, s->start.v},
                   {s->start.p, s->start.T, s->at_start.rho, s->at_start.gamma},
                   {s->at_start.rho_f[0], s->at_start.rho_f[1]},
                   {s->at_start.flux[0], s->at_start.flux[1]}};
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++)
      if (ts_is_gas(s, i, j))
        next->T[j * s->n[0] + i] = ts_solve_temperature(&g, &start, i, j, s->carried_T[j * s->n[0] + i]);
  solve_momenta(s, &g, &start);
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++)
      if (ts_is_gas(s, i, j)) next->p[j * s->n[0] + i] = solve_pressure(s, &g, next->T, i, j);
  g.cell[TS_P] = next->p;
  correct_velocities(s, &g, next);
  return residual(s, old, next);
}

int ts_step(ts_solver *s, const ts_fields *f, double dt, double tolerance, int most) {
  ts_fix(s, f);
  ts_begin_step(s, f, dt);
  copy_fields(s, &s->next, f); /* what is in solids stays */
  for (int k = 1; k <= most; k++) {
    double r = ts_iterate(s, f, &s->next);
    copy_fields(s, f, &s->next);
    if (r < tolerance) return k;
  }
  return -1;
}

double ts_mass(const ts_solver *s, const ts_fields *f) {
  double sum = 0;
  for (int j = 0; j < s->n[1]; j++)
    for (int i = 0; i < s->n[0]; i++) {
      int c = j * s->n[0] + i;
      if (ts_is_gas(s, i, j)) sum += f->p[c] / f->T[c] * s->d[0][i] * s->d[1][j];
    }
  return sum;
}

bool ts_is_gas(const ts_solver *s, int i, int j) { return s->solid[j * s->n[0] + i] == TS_GAS; }
