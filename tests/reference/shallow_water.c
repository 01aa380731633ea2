/* The numbers in brackets are the equations of Lacasta et al., Adv. Eng. Softw. 78 (2014); what their text
 * leaves out (source strengths, wet/dry fronts, positivity, boundary states) follows the project's own
 * derivation, which docs/ explains and the tests beside this file check. A face runs from cell i (left) to
 * cell j (right). */
#include "shallow_water.h"

#include <math.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { CACHE_LINE = 64 };

/* One instruction each, where fmin and fmax of the library must also mind NaN. */
static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

/* A cell with all that its faces ask of it, in one cache line. */
typedef struct cell {
  double h, qx, qy, z;
  double u, v, root_h, n;
} cell;

typedef struct face {
  int32_t left, right;
  double nx, ny, length;
} face;

/* What a cell gets through a face, outwards; `speed` makes its time step. */
typedef struct change {
  double mass, x, y, speed;
} change;

typedef struct fluctuation {
  change left, right;
} fluctuation;

struct sw_solver {
  sw_params p;
  double sqrt_g;
  int32_t n_cells, n_faces, n_interior;
  cell *cell;
  face *face;
  double *offset;        /* [n_interior * 2] from the left centre to the right one; friction on edges only */
  double *area;          /* [n_cells] */
  int32_t *start, *part; /* the changes of a cell: part[start[c] .. start[c + 1]) into `wave`, as halves */
  fluctuation *wave;     /* [n_faces] times the length of the face */
  change *rate;          /* [n_cells] sum over the cell's faces */
  sw_boundary *boundary;
  double t;
};

sw_params sw_default_params(void) {
  return (sw_params){.g = 9.81, .h_dry = 1e-6, .froude = 20, .h_switch = 0.05, .cfl = 0.5};
}

/* ---- one face ------------------------------------------------------------------------------------------ */

/* T_n of the bed between two cells: the product that balances the lake, or, where the water of the lower cell
 * does not reach the other's ground, the force on a step as high as that water. */
static double bed_force(double g, const cell *i, const cell *j) {
  double dz = j->z - i->z;
  bool up = dz >= 0;
  const cell *low = up ? i : j, *high = up ? j : i;
  if (low->h + low->z >= high->z) return -0.5 * g * (i->h + j->h) * dz;
  double step = up ? low->h : -low->h;
  return -0.5 * g * low->h * step;
}

/* T_n of friction, (5), along the whole vector between the centres, so that it is exact for uniform flow on
 * any mesh. It may stop the flow within dt but not reverse it. */
static double friction_force(const sw_solver *s, const cell *i, const cell *j, double u, double v,
                             const double *d, double dt) {
  double floor = s->p.friction == SW_FRICTION_MIXED ? s->p.h_switch : s->p.h_dry;
  if (!(i->h > floor && j->h > floor)) return 0;
  double h = 0.5 * (i->h + j->h), n = 0.5 * (i->n + j->n);
  double rate = s->p.g * n * n * sqrt(u * u + v * v) / (h * cbrt(h));
  return -h * rate * (u * d[0] + v * d[1]) / most(1, dt * rate);
}

/* A wave of speed l, strength a and source b, given to the left and to the right cell: (12), (13), and the
 * split of Harten and Hyman where the characteristic turns from -> to across the face. The source goes to
 * `source_left`. */
static inline void upwind(double l, double a, double b, double from, double to, bool source_left,
                          double *left, double *right) {
  if (from < 0 && 0 < to) {
    double l_left = from * (to - l) / (to - from);
    *left = l_left * a - (source_left ? b : 0);
    *right = (l - l_left) * a - (source_left ? 0 : b);
  } else {
    double gamma = l * a - b;
    *left = l < 0 ? gamma : 0;
    *right = l < 0 ? 0 : gamma;
  }
}

/* Where the bed makes one side much shallower: what its water is pushed too much by the mean depth, and where the jump of q feeds waves
 * instead of damping them. With it the energy of small waves on a lake over any bed cannot grow. Along the normal; the left cell gets it,
 * the right one loses it. */
static inline double ease(const sw_solver *s, const cell *i, const cell *j, double nx, double ny, double c) {
  double dh = j->h - i->h, dz = j->z - i->z, low = least(i->h, j->h), level = dh + dz;
  if (dh * dz >= 0 || low < s->p.h_dry) return 0;
  double uneven = least(most(4 * least(fabs(dh), fabs(dz)) / (i->h + j->h) - 1, 0), 1);
  double dq = (j->qx - i->qx) * nx + (j->qy - i->qy) * ny, du = (j->u - i->u) * nx + (j->v - i->v) * ny;
  double feeds = dq * du < 0 ? dq - low * du : 0;
  return uneven * (0.5 * c * feeds - 0.25 * s->p.g * dh * level * most(0, 1 - fabs(level) / low));
}

static inline fluctuation roe(const sw_solver *s, const cell *i, const cell *j, double nx, double ny,
                              double dt, const double *offset) {
  const double g = s->p.g, dry = s->p.h_dry;
  const change zero = {0, 0, 0, 0};
  if (i->h < dry && j->h < dry) return (fluctuation){zero, zero};

  double c = sqrt(0.5 * g * (i->h + j->h)), half_c = 0.5 / c; /* (9) */
  double weight = 1 / (i->root_h + j->root_h);
  double u = (i->u * i->root_h + j->u * j->root_h) * weight,
         v = (i->v * i->root_h + j->v * j->root_h) * weight;
  double un = u * nx + v * ny, l1 = un - c, l3 = un + c; /* (8) */

  double dh = j->h - i->h, wx = j->qx - i->qx - u * dh, wy = j->qy - i->qy - v * dh; /* (10) */
  double wn = (wx * nx + wy * ny) * half_c, a1 = 0.5 * dh - wn, a3 = 0.5 * dh + wn;
  double a2 = (wy * nx - wx * ny) * 2 * half_c;

  double force = bed_force(g, i, j); /* (11) */
  if (offset) force += friction_force(s, i, j, u, v, offset, dt);
  double b1 = -force * half_c, b3 = -b1;

  double uni = i->u * nx + i->v * ny, unj = j->u * nx + j->v * ny;
  double ci = s->sqrt_g * i->root_h, cj = s->sqrt_g * j->root_h;
  double speed = most(fabs(un) + c, most(fabs(uni) + ci, fabs(unj) + cj));

  /* A dry side that the water does not reach is a wall. */
  if (j->h < dry && l3 > 0 && (j->h - a3) * l3 + b3 < 0)
    return (fluctuation){{-(i->qx * nx + i->qy * ny), 0, 0, speed}, {0, 0, 0, speed}};
  if (i->h < dry && l1 < 0 && (i->h + a1) * -l1 + b1 < 0)
    return (fluctuation){{0, 0, 0, speed}, {j->qx * nx + j->qy * ny, 0, 0, speed}};

  double left1, right1, left3, right3;
  upwind(l1, a1, b1, uni - ci, unj - cj, true, &left1, &right1);
  upwind(l3, a3, b3, uni + ci, unj + cj, false, &left3, &right3);
  double left2 = un < 0 ? un * a2 : 0, right2 = un < 0 ? 0 : un * a2;

  /* No cell gives more than its depth times the speed: what is too much goes through the other cell's wave.
   */
  double excess = most(left1 + left3 - i->h * speed, 0) - most(right1 + right3 - j->h * speed, 0);
  left1 -= excess;
  right3 += excess;

  double eased = ease(s, i, j, nx, ny, c);
  double ml = left1 + left3, dl = c * (left3 - left1) + eased, mr = right1 + right3,
         dr = c * (right3 - right1) - eased;
  return (fluctuation){{ml, ml * u + dl * nx - c * left2 * ny, ml * v + dl * ny + c * left2 * nx, speed},
                       {mr, mr * u + dr * nx - c * right2 * ny, mr * v + dr * ny + c * right2 * nx, speed}};
}

/* ---- the boundary: what the inside cell gets is E(U_b).n - E(U_i).n, (6) ------------------------------- */

/* The wave speed c of the state outside for which u_n = riemann - 2c carries the discharge q inwards: the
 * largest root of 2c^3 - riemann c^2 - g q, by Newton's method from above, where the cubic is convex. */
static double inflow_celerity(double riemann, double gq) {
  double c = cbrt(0.5 * gq) + most(0.5 * riemann, 0);
  for (int k = 0; k < 60 && c > 0; k++) {
    double next = c - (c * c * (2 * c - riemann) - gq) / (c * (6 * c - 2 * riemann));
    if (!(next < c)) break;
    c = next;
  }
  return c;
}

static change flux_difference(double g, const cell *i, double nx, double ny, double h, double un, double ut) {
  double uni = i->u * nx + i->v * ny, uti = i->v * nx - i->u * ny;
  double mass = h * un - i->h * uni;
  double normal = h * un * un - i->h * uni * uni + 0.5 * g * (h - i->h) * (h + i->h);
  double tangent = h * un * ut - i->h * uni * uti;
  double speed = most(fabs(un) + sqrt(g * h), fabs(uni) + sqrt(g * i->h));
  return (change){mass, normal * nx - tangent * ny, normal * ny + tangent * nx, speed};
}

/* The discharge q enters, at the depth that the water inside leaves it. */
static change through_inflow(double g, const cell *i, double nx, double ny, double riemann, double q) {
  double c = inflow_celerity(riemann, g * q), h = c * c / g;
  return flux_difference(g, i, nx, ny, h, h > 0 ? -q / h : 0, 0);
}

/* Supercritical water enters, unless the depth at which its discharge would enter slower is larger than its conjugate. */
static change through_torrent(double g, const cell *i, double nx, double ny, double riemann, sw_boundary b) {
  double c = inflow_celerity(riemann, g * b.q), held = c * c / g, froude2 = b.q * b.q / (g * b.h * b.h * b.h);
  double conjugate = 0.5 * b.h * (sqrt(1 + 8 * froude2) - 1);
  change given = flux_difference(g, i, nx, ny, b.h, -b.q / b.h, 0);
  if (held <= b.h || held <= conjugate) return given;
  change drowned = through_inflow(g, i, nx, ny, riemann, b.q);
  drowned.speed = given.speed;
  return drowned;
}

/* What comes back comes from rest at the cell's level, u^2/2 + g h being kept, and meets u + 2c of the cell; at most critical. */
static change through_outflow(double g, const cell *i, double nx, double ny, double un, double c) {
  if (un >= 0) return (change){0, 0, 0, fabs(un) + c};
  double r = un + 2 * c, cb = most((r + sqrt(most(3 * c * c - 0.5 * r * r, 0))) / 3, sqrt(2. / 3) * c);
  change back = flux_difference(g, i, nx, ny, cb * cb / g, most(r - 2 * cb, -cb), 0);
  back.speed = fabs(un) + c;
  return back;
}

/* A level above the cell's sends a bore in; a lower one a rarefaction, to critical depth at most. */
static change through_level(const sw_solver *s, const cell *i, double nx, double ny, double level) {
  double g = s->p.g, un = i->u * nx + i->v * ny, ut = i->v * nx - i->u * ny, c = s->sqrt_g * i->root_h;
  double depth = most(level - i->z, 0), cb = sqrt(g * depth), ub;
  if (un > c && depth <= 0.5 * i->h * (sqrt(1 + 8 * un * un / (c * c)) - 1))
    return (change){0, 0, 0, fabs(un) + c};
  if (depth > i->h) {
    double h = most(i->h, s->p.h_dry);
    ub = un - (depth - i->h) * sqrt(0.5 * g * (h + depth) / (h * depth));
  } else {
    cb = most(cb, (un + 2 * c) / 3);
    depth = cb * cb / g;
    ub = un + 2 * c - 2 * cb;
  }
  ub = least(most(ub, -cb), cb);
  return flux_difference(g, i, nx, ny, depth, ub, ub > 0 ? ut : 0);
}

static change through_boundary(const sw_solver *s, const cell *i, double nx, double ny, sw_boundary b) {
  double g = s->p.g, un = i->u * nx + i->v * ny, c = s->sqrt_g * i->root_h;
  double riemann = most(un + 2 * c, 0);
  switch (b.kind) {
  case SW_WALL: { /* the mirror image: mass -q_n, momentum c q_n n - q_n u_t t unless the water leaves the
                     wall */
    cell image = *i;
    image.u -= 2 * un * nx;
    image.v -= 2 * un * ny;
    image.qx = i->h * image.u;
    image.qy = i->h * image.v;
    return roe(s, i, &image, nx, ny, 0, NULL).left;
  }
  case SW_DISCHARGE: return through_inflow(g, i, nx, ny, riemann, b.q);
  case SW_LEVEL: return through_level(s, i, nx, ny, b.level);
  case SW_STATE: return through_torrent(g, i, nx, ny, riemann, b);
  case SW_OUTFLOW: break;
  }
  return through_outflow(g, i, nx, ny, un, c);
}

/* ---- the sweeps ---------------------------------------------------------------------------------------- */

static inline change scaled(change a, double l) {
  return (change){a.mass * l, a.x * l, a.y * l, a.speed * l};
}

/* Every face once. `dt` matters to friction on edges only; zero means: without it. */
static void sweep_faces(sw_solver *s, double dt) {
#pragma omp parallel for schedule(static) num_threads(s->p.threads)
  for (int32_t f = 0; f < s->n_interior; f++) {
    const face *k = &s->face[f];
    const double *offset = dt > 0 ? &s->offset[2 * f] : NULL;
    fluctuation w = roe(s, &s->cell[k->left], &s->cell[k->right], k->nx, k->ny, dt, offset);
    s->wave[f] = (fluctuation){scaled(w.left, k->length), scaled(w.right, k->length)};
  }
  for (int32_t f = s->n_interior; f < s->n_faces; f++) {
    const face *k = &s->face[f];
    change w = through_boundary(s, &s->cell[k->left], k->nx, k->ny, s->boundary[f - s->n_interior]);
    s->wave[f].left = scaled(w, k->length);
  }
}

/* Gathers the faces' changes, always in the same order, and returns the largest stable step: below it no cell
 * can lose more water than it has. */
static double gather(sw_solver *s) {
  const change *half = &s->wave[0].left;
  double limit = INFINITY;
#pragma omp parallel for schedule(static) num_threads(s->p.threads) reduction(min : limit)
  for (int32_t c = 0; c < s->n_cells; c++) {
    change sum = {0, 0, 0, 0};
    for (int32_t k = s->start[c]; k < s->start[c + 1]; k++) {
      const change *w = &half[s->part[k]];
      sum = (change){sum.mass + w->mass, sum.x + w->x, sum.y + w->y, sum.speed + w->speed};
    }
    s->rate[c] = sum;
    if (sum.speed > 0) limit = least(limit, 2 * s->area[c] / sum.speed);
  }
  return s->p.cfl * limit;
}

static void set_velocity(const sw_params *p, cell *c) {
  double over_h = c->h < p->h_dry ? 0 : 1 / c->h;
  c->u = c->qx * over_h;
  c->v = c->qy * over_h;
  c->root_h = sqrt(most(c->h, 0));
}

/* What friction leaves of the discharge |q|: the exact root of q + dt k q^2 = |q|, k = g n^2/h^(7/3). */
static double after_friction(const sw_params *p, const cell *c, double q, double dt) {
  if (c->n == 0 || p->friction == SW_FRICTION_EDGES) return q;
  if (p->friction == SW_FRICTION_MIXED && c->h > p->h_switch) return q;
  double k = p->g * c->n * c->n / (c->h * c->h * cbrt(c->h));
  return 2 * q / (1 + sqrt(1 + 4 * dt * k * q));
}

/* Friction, dry cells, and the bound on the Froude number. Water leaves a film at the speed of the mean state
 * of the face, not at its own; over rough ground the momentum that stays behind would drive the last drops to
 * any speed. */
static void settle(const sw_solver *s, cell *c, double dt) {
  double q = sqrt(c->qx * c->qx + c->qy * c->qy), keep = 0;
  if (c->h >= s->p.h_dry && q > 0)
    keep = least(after_friction(&s->p, c, q, dt), s->p.froude * c->h * s->sqrt_g * sqrt(c->h)) / q;
  c->qx *= keep;
  c->qy *= keep;
}

static void update(sw_solver *s, double dt) {
#pragma omp parallel for schedule(static) num_threads(s->p.threads)
  for (int32_t k = 0; k < s->n_cells; k++) {
    cell *c = &s->cell[k];
    const change *r = &s->rate[k];
    double a = dt / s->area[k];
    c->h -= a * r->mass; /* (14) */
    c->qx -= a * r->x;
    c->qy -= a * r->y;
    settle(s, c, dt);
    set_velocity(&s->p, c);
  }
  s->t += dt;
}

/* The friction on edges needs dt, dt needs the speeds: sweep once for these, without friction. */
static double prepare(sw_solver *s, double dt_max) {
  sweep_faces(s, 0);
  double dt = least(gather(s), dt_max);
  if (s->p.friction == SW_FRICTION_CELLS) return dt;
  sweep_faces(s, dt);
  gather(s);
  return dt;
}

double sw_step(sw_solver *s, double dt_max) {
  double dt = prepare(s, dt_max);
  update(s, dt);
  return dt;
}

void sw_step_fixed(sw_solver *s, double dt) {
  sweep_faces(s, s->p.friction == SW_FRICTION_CELLS ? 0 : dt);
  gather(s);
  update(s, dt);
}

int64_t sw_run(sw_solver *s, double t_end, int64_t max_steps) {
  int64_t steps = 0;
  while (s->t < t_end && (max_steps == 0 || steps < max_steps)) {
    double left = t_end - s->t, dt = sw_step(s, left);
    if (dt >= left) s->t = t_end;
    steps++;
    if (!(dt > 0)) break;
  }
  return steps;
}

/* ---- creation and access ------------------------------------------------------------------------------- */

static void *lines(size_t count, size_t size) {
  size_t bytes = (count * size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  return aligned_alloc(CACHE_LINE, bytes ? bytes : CACHE_LINE);
}

static bool allocate(sw_solver *s) {
  size_t c = (size_t)s->n_cells, f = (size_t)s->n_faces, inner = (size_t)s->n_interior;
  s->cell = lines(c, sizeof *s->cell);
  s->face = lines(f, sizeof *s->face);
  s->offset = lines(2 * inner, sizeof *s->offset);
  s->area = lines(c, sizeof *s->area);
  s->start = lines(c + 1, sizeof *s->start);
  s->part = lines(f + inner, sizeof *s->part);
  s->wave = lines(f, sizeof *s->wave);
  s->rate = lines(c, sizeof *s->rate);
  s->boundary = lines(f - inner, sizeof *s->boundary);
  return s->cell && s->face && s->offset && s->area && s->start && s->part && s->wave && s->rate &&
         s->boundary;
}

static void copy_faces(sw_solver *s, const sw_mesh *m) {
  for (int32_t f = 0; f < m->n_faces; f++) {
    const double *n = &m->face_normal[2 * f];
    s->face[f] =
        (face){m->face_left[f], f < m->n_interior ? m->face_right[f] : -1, n[0], n[1], m->face_length[f]};
  }
  for (int32_t f = 0; f < m->n_interior; f++) {
    const double *a = &m->cell_centre[2 * m->face_left[f]], *b = &m->cell_centre[2 * m->face_right[f]];
    s->offset[2 * f] = b[0] - a[0];
    s->offset[2 * f + 1] = b[1] - a[1];
  }
}

/* Lists for every cell the halves of `wave` that are its own: 2f as the left cell of f, 2f + 1 as the right
 * one. */
static void list_parts(sw_solver *s) {
  for (int32_t c = 0; c <= s->n_cells; c++) s->start[c] = 0;
  for (int32_t f = 0; f < s->n_faces; f++) {
    s->start[s->face[f].left + 1]++;
    if (f < s->n_interior) s->start[s->face[f].right + 1]++;
  }
  for (int32_t c = 0; c < s->n_cells; c++) s->start[c + 1] += s->start[c];
  for (int32_t f = s->n_faces - 1; f >= 0; f--) {
    if (f < s->n_interior) s->part[--s->start[s->face[f].right + 1]] = 2 * f + 1;
    s->part[--s->start[s->face[f].left + 1]] = 2 * f;
  }
  /* Each start[c + 1] has been moved down to where c begins. */
  for (int32_t c = 0; c < s->n_cells; c++) s->start[c] = s->start[c + 1];
  s->start[s->n_cells] = s->n_faces + s->n_interior;
}

bool sw_create(sw_solver **out, const sw_mesh *mesh, const sw_params *params, const sw_boundary *boundary) {
  sw_solver *s = *out = calloc(1, sizeof *s);
  if (!s) return false;
  s->p = *params;
  s->sqrt_g = sqrt(params->g);
#ifdef _OPENMP
  if (s->p.threads <= 0) s->p.threads = omp_get_max_threads();
#endif
  s->n_cells = mesh->n_cells;
  s->n_faces = mesh->n_faces;
  s->n_interior = mesh->n_interior;
  if (!allocate(s)) {
    sw_destroy(out);
    return false;
  }
  copy_faces(s, mesh);
  list_parts(s);
  for (int32_t b = 0; b < s->n_faces - s->n_interior; b++) s->boundary[b] = boundary[b];
  for (int32_t c = 0; c < s->n_cells; c++) {
    s->cell[c] = (cell){0};
    s->area[c] = mesh->cell_area[c];
  }
  return true;
}

void sw_destroy(sw_solver **p) {
  sw_solver *s = *p;
  *p = NULL;
  if (!s) return;
  free(s->cell);
  free(s->face);
  free(s->offset);
  free(s->area);
  free(s->start);
  free(s->part);
  free(s->wave);
  free(s->rate);
  free(s->boundary);
  free(s);
}

void sw_set_state(sw_solver *s, const double *h, const double *qx, const double *qy, const double *z,
                  const double *manning) {
  for (int32_t k = 0; k < s->n_cells; k++) {
    cell *c = &s->cell[k];
    bool wet = h[k] >= s->p.h_dry;
    *c = (cell){
        .h = h[k], .qx = wet ? qx[k] : 0, .qy = wet ? qy[k] : 0, .z = z[k], .n = manning ? manning[k] : 0};
    set_velocity(&s->p, c);
  }
  s->t = 0;
}

void sw_get_state(const sw_solver *s, double *h, double *qx, double *qy) {
  for (int32_t k = 0; k < s->n_cells; k++) {
    h[k] = s->cell[k].h;
    qx[k] = s->cell[k].qx;
    qy[k] = s->cell[k].qy;
  }
}

double sw_time(const sw_solver *s) { return s->t; }

double sw_mass(const sw_solver *s) {
  double sum = 0, lost = 0; /* Kahan: the drift to be seen is at round-off */
  for (int32_t k = 0; k < s->n_cells; k++) {
    double term = s->cell[k].h * s->area[k] - lost, next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  return sum;
}

double sw_max_speed(const sw_solver *s) {
  double speed = 0;
  for (int32_t k = 0; k < s->n_cells; k++) speed = fmax(speed, hypot(s->cell[k].u, s->cell[k].v));
  return speed;
}
