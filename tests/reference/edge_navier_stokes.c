/* Numbers in brackets are the equations of Rossi, Mossaiby, Idelsohn (2013); "design" is the list of corrections
 * which an earlier solver's exact solutions and orders decided. Each term is the integral over one element, its
 * nodal values being those of the edge form: where that form takes u_I out of an integral, so does this. Within
 * an element, a and b are corners, I and J their nodes. */
#include "edge_navier_stokes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double vec[3];

struct ens_solver {
  ens_params p;
  int dim;
  int32_t n, n_elements, n_slip, n_open;
  p1_element *element;
  p1_graph *graph;
  ens_slip *slip; /* normals of one node are orthonormal */
  ens_open *open;
  bool *fixed, *held_pressure, any_pressure;
  double *mass, *h, *tau, *f, *pressure, *old_pressure;
  double *off, *diagonal;             /* of H */
  vec *u, *u_fixed, *u_start, *force; /* u_fixed: where `fixed` */
  vec *xi, *rate, *sum; /* projection of the convective term; rates of a stage, and of the step */
  vec (*held_uu)[3];    /* of the velocities that held neighbours have */
  double t;
  int64_t steps;
};

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

ens_params ens_default_params(double nu) {
  return (ens_params){.nu = nu,
                      .cfl = 0.5,
                      .theta = 0.5,
                      .tau_dt = 1,
                      .tau_nu = 1,
                      .tau_u = 1,
                      .tolerance = 1e-12,
                      .max_iterations = 10000};
}

/* ---- boundary -------------------------------------------------------------------------------------------- */

/* Applied after every assignment of a velocity. */
static void hold_velocity(const ens_solver *s, vec *u) {
  for (int32_t k = 0; k < s->n_slip; k++) {
    double *v = u[s->slip[k].node], out = dot(v, s->slip[k].normal);
    for (int c = 0; c < 3; c++) v[c] -= out * s->slip[k].normal[c];
  }
  for (int32_t i = 0; i < s->n; i++)
    if (s->fixed[i]) memcpy(u[i], s->u_fixed[i], sizeof u[i]);
}

/* Makes normal k orthogonal to those of the same node before it, and of length 1; 0 if it adds none. */
static void orthonormalise(ens_slip *slip, int32_t k) {
  double *normal = slip[k].normal, length = sqrt(dot(normal, normal));
  for (int c = 0; c < 3; c++) normal[c] /= length;
  for (int32_t l = 0; l < k; l++) {
    if (slip[l].node != slip[k].node) continue;
    double along = dot(normal, slip[l].normal);
    for (int c = 0; c < 3; c++) normal[c] -= along * slip[l].normal[c];
  }
  length = sqrt(dot(normal, normal));
  for (int c = 0; c < 3; c++) normal[c] = length > 1e-6 ? normal[c] / length : 0;
}

/* How fast the flow enters at an open node, as a number that is not positive. */
static double entering(const ens_open *o, vec *u) { return fmin(dot(u[o->node], o->normal), 0); }

/* What enters has the pressure outside and came from rest. */
static void hold_pressure(ens_solver *s) {
  for (int32_t k = s->n_open - 1; k >= 0; k--) {
    double in = entering(&s->open[k], s->u);
    s->pressure[s->open[k].node] = s->open[k].pressure - in * in / 2;
  }
}

static void take_boundary(ens_solver *s, const ens_boundary *b) {
  for (int32_t k = b->n_fixed - 1; k >= 0; k--) {
    s->fixed[b->fixed[k].node] = true;
    for (int c = 0; c < s->dim; c++) s->u_fixed[b->fixed[k].node][c] = b->fixed[k].velocity[c];
  }
  for (int32_t k = 0; k < b->n_slip; k++) {
    s->slip[k].node = b->slip[k].node;
    for (int c = 0; c < s->dim; c++) s->slip[k].normal[c] = b->slip[k].normal[c];
    orthonormalise(s->slip, k);
  }
  for (int32_t k = 0; k < b->n_open; k++) {
    s->open[k] = b->open[k];
    s->held_pressure[b->open[k].node] = s->any_pressure = true;
  }
}

/* ---- life ------------------------------------------------------------------------------------------------ */

static bool allocate(ens_solver *s) {
  size_t n = (size_t)s->n, edges = (size_t)s->graph->start[s->n];
  vec **vectors[] = {&s->u, &s->u_fixed, &s->u_start, &s->force, &s->xi, &s->rate, &s->sum};
  double **numbers[] = {&s->mass, &s->h, &s->tau, &s->f, &s->pressure, &s->old_pressure, &s->diagonal};
  bool good = true;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    good = (*vectors[k] = calloc(n, sizeof(vec))) && good;
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    good = (*numbers[k] = calloc(n, sizeof(double))) && good;
  s->off = calloc(edges, sizeof *s->off);
  s->fixed = calloc(n, sizeof *s->fixed);
  s->held_pressure = calloc(n, sizeof *s->held_pressure);
  s->slip = calloc((size_t)s->n_slip + 1, sizeof *s->slip);
  s->open = calloc((size_t)s->n_open + 1, sizeof *s->open);
  s->held_uu = calloc(n, sizeof *s->held_uu);
  s->element = calloc((size_t)s->n_elements, sizeof *s->element);
  return good && s->off && s->fixed && s->held_pressure && s->slip && s->open && s->held_uu && s->element;
}

static void take_mesh(ens_solver *s, const p1_mesh *m) {
  for (int32_t k = 0; k < s->n_elements; k++) {
    p1_element e = s->element[k] = p1_element_at(m, k);
    for (int a = 0; a <= s->dim; a++) s->mass[e.node[a]] += e.volume / (s->dim + 1);
  }
  for (int32_t i = 0; i < s->n; i++) s->h[i] = pow(s->mass[i], 1.0 / s->dim);
}

ens_solver *ens_create(const p1_mesh *m, const ens_params *params, const ens_boundary *boundary) {
  ens_solver *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  *s = (ens_solver){.p = *params,
                    .dim = m->dim,
                    .n = m->n_nodes,
                    .n_elements = m->n_elements,
                    .n_slip = boundary->n_slip,
                    .n_open = boundary->n_open,
                    .graph = p1_graph_create(m)};
  if (!s->graph || !allocate(s)) {
    ens_destroy(&s);
    return NULL;
  }
  take_mesh(s, m);
  take_boundary(s, boundary);
  hold_velocity(s, s->u);
  hold_pressure(s);
  return s;
}

void ens_destroy(ens_solver **pointer) {
  ens_solver *s = *pointer;
  *pointer = NULL;
  if (!s) return;
  p1_graph_destroy(&s->graph);
  void *arrays[] = {s->element, s->slip,    s->fixed,    s->held_pressure, s->mass, s->h,
                    s->tau,     s->f,       s->pressure, s->old_pressure,  s->off,  s->diagonal,
                    s->u,       s->u_fixed, s->u_start,  s->force,         s->xi,   s->rate,
                    s->sum,     s->open,    s->held_uu};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  free(s);
}

/* ---- state ------------------------------------------------------------------------------------------------- */

static void spread(const ens_solver *s, const double *packed, vec *v) {
  for (int32_t i = 0; i < s->n; i++)
    for (int c = 0; c < s->dim; c++) v[i][c] = packed[i * s->dim + c];
}

static void pack(const ens_solver *s, vec *v, double *packed) {
  for (int32_t i = 0; i < s->n; i++)
    for (int c = 0; c < s->dim; c++) packed[i * s->dim + c] = v[i][c];
}

void ens_set_state(ens_solver *s, const double *u, const double *p) {
  if (u) spread(s, u, s->u);
  hold_velocity(s, s->u);
  for (int32_t i = 0; p && i < s->n; i++) s->pressure[i] = p[i];
  hold_pressure(s);
  s->t = 0;
}

void ens_get_state(const ens_solver *s, double *u, double *p) {
  if (u) pack(s, s->u, u);
  if (p) memcpy(p, s->pressure, (size_t)s->n * sizeof *p);
}

void ens_set_force(ens_solver *s, const double *b) { spread(s, b, s->force); }
int64_t ens_steps(const ens_solver *s) { return s->steps; }
const double *ens_mass(const ens_solver *s) { return s->mass; }

/* ---- momentum ---------------------------------------------------------------------------------------------- */

static void clear(vec *v, int32_t n) { memset(v, 0, (size_t)n * sizeof *v); }

/* out[c] = the gradient of component c. */
static void gradient_of(const p1_element *e, int corners, vec *u, vec *out) {
  clear(out, 3);
  for (int a = 0; a < corners; a++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) out[c][k] += u[e->node[a]][c] * e->grad[a][k];
}

/* What corner a carries of component c, over volume / corners: u_a.grad u, or the skew form: the mean with div (u u) - u_a div u, so that an
 * edge's two ends give and take the same energy. */
static double convection_at(const ens_solver *s, const p1_element *e, vec *u, vec *gradient, int a, int c) {
  const double *here = u[e->node[a]];
  double sum = 0;
  if (!s->p.skew) return dot(here, gradient[c]);
  for (int b = 0; b <= s->dim; b++) {
    const double *there = u[e->node[b]], from = dot(here, e->grad[b]), to = dot(there, e->grad[b]);
    sum += 0.5 * (from + to) * (there[c] - here[c]) + 0.5 * (to - from) * here[c];
  }
  return sum;
}

/* xi, (41): the convective term A, (39), over the lumped mass. */
static void project_convection(ens_solver *s, vec *u) {
  clear(s->xi, s->n);
  for (int32_t k = 0; k < s->n_elements; k++) {
    const p1_element *e = s->element + k;
    vec gradient[3];
    gradient_of(e, s->dim + 1, u, gradient);
    for (int a = 0; a <= s->dim; a++)
      for (int c = 0; c < 3; c++)
        s->xi[e->node[a]][c] += e->volume / (s->dim + 1) * convection_at(s, e, u, gradient, a, c);
  }
  for (int32_t i = 0; i < s->n; i++)
    for (int c = 0; c < 3; c++) s->xi[i][c] /= s->mass[i];
}

/* P - B: pressure, (32), and viscosity, (33) with its last sign turned, of one element. */
static void add_stress(const ens_solver *s, const p1_element *e, vec *u, vec *out) {
  vec gradient[3];
  double pressure = 0;
  gradient_of(e, s->dim + 1, u, gradient);
  for (int a = 0; a <= s->dim; a++) pressure += s->pressure[e->node[a]] / (s->dim + 1);
  for (int a = 0; a <= s->dim; a++)
    for (int c = 0; c < 3; c++)
      out[e->node[a]][c] += e->volume * (pressure * e->grad[a][c] - s->p.nu * dot(e->grad[a], gradient[c]));
}

/* flow[a][b] = u at corner a times the gradient of corner b's shape function, 1/s. */
static void flow_in(const p1_element *e, int corners, vec *u, double flow[4][4]) {
  for (int a = 0; a < corners; a++)
    for (int b = 0; b < corners; b++) flow[a][b] = dot(u[e->node[a]], e->grad[b]);
}

/* S, design 4: what corner a gets is tau times the streamwise diffusion, the mean of that with the velocity of
 * either end, minus the streamwise derivative of the test function times tau xi. */
static void subtract_conservative(const ens_solver *s, const p1_element *e, vec *u, vec *out) {
  int corners = s->dim + 1;
  double flow[4][4], part = e->volume / corners;
  flow_in(e, corners, u, flow);
  for (int a = 0; a < corners; a++)
    for (int b = 0; b < corners; b++) {
      int32_t i = e->node[a], j = e->node[b];
      double at_i = s->tau[i] * flow[a][a] * flow[a][b], at_j = s->tau[j] * flow[b][a] * flow[b][b];
      double low = 0.5 * e->volume * (at_i + at_j);
      for (int c = 0; c < 3; c++)
        out[i][c] -= low * (u[j][c] - u[i][c]) -
                     part * (s->tau[j] * flow[b][a] * s->xi[j][c] - s->tau[i] * flow[a][b] * s->xi[i][c]);
    }
}

/* S with the velocity and tau of node I alone, (42) and design 3. */
static void subtract_nodal(const ens_solver *s, const p1_element *e, vec *u, vec *out) {
  int corners = s->dim + 1;
  double flow[4][4], part = e->volume / corners;
  vec gradient[3];
  flow_in(e, corners, u, flow);
  gradient_of(e, corners, u, gradient);
  for (int a = 0; a < corners; a++) {
    int32_t i = e->node[a];
    for (int c = 0; c < 3; c++) {
      double low = e->volume * flow[a][a] * dot(u[i], gradient[c]), high = 0;
      for (int b = 0; b < corners; b++)
        high += part * (flow[a][a] * s->xi[e->node[b]][c] - flow[a][b] * s->xi[i][c]);
      out[i][c] -= s->tau[i] * (low - high);
    }
  }
}

/* The pressure's part of the integral over the boundary, which stress() leaves out; and what enters loses what it has along the boundary. Both
 * as they are when the step begins. */
static void add_open(const ens_solver *s, vec *out) {
  for (int32_t k = 0; k < s->n_open; k++) {
    const ens_open *o = &s->open[k];
    const double *u = s->u_start[o->node], un = dot(u, o->normal);
    for (int c = 0; c < 3; c++)
      out[o->node][c] += o->area * (entering(o, s->u_start) * (u[c] - un * o->normal[c]) / 2 -
                                    s->pressure[o->node] * o->normal[c]);
  }
}

/* du/dt, (44) with the signs of design 1. */
static void find_rate(ens_solver *s, vec *u, vec *rate) {
  project_convection(s, u);
  clear(rate, s->n);
  for (int32_t k = 0; k < s->n_elements; k++) {
    add_stress(s, s->element + k, u, rate);
    if (s->p.stabilisation == ENS_CONSERVATIVE) subtract_conservative(s, s->element + k, u, rate);
    if (s->p.stabilisation == ENS_NODAL) subtract_nodal(s, s->element + k, u, rate);
  }
  add_open(s, rate);
  for (int32_t i = 0; i < s->n; i++)
    for (int c = 0; c < 3; c++) rate[i][c] = s->force[i][c] + rate[i][c] / s->mass[i] - s->xi[i][c];
}

static void find_tau(ens_solver *s, double dt) {
  for (int32_t i = 0; i < s->n; i++) {
    double h = s->h[i], speed = sqrt(dot(s->u[i], s->u[i]));
    s->tau[i] = 1 / (s->p.tau_dt / dt + s->p.tau_nu * s->p.nu / (h * h) + s->p.tau_u * speed / h);
  }
}

/* u = start + step * rate, and what the boundary says. */
static void advance(ens_solver *s, double step, vec *rate) {
  for (int32_t i = 0; i < s->n; i++)
    for (int c = 0; c < 3; c++) s->u[i][c] = s->u_start[i][c] + step * rate[i][c];
  hold_velocity(s, s->u);
}

/* The fractional velocity, (12), by the Runge-Kutta method of order 4; tau and pressure stay as they are. */
static void integrate_momentum(ens_solver *s, double dt) {
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, ahead[4] = {0.5, 0.5, 1, 0};
  memcpy(s->u_start, s->u, (size_t)s->n * sizeof *s->u);
  clear(s->sum, s->n);
  for (int stage = 0; stage < 4; stage++) {
    find_rate(s, s->u, s->rate);
    for (int32_t i = 0; i < s->n; i++)
      for (int c = 0; c < 3; c++) s->sum[i][c] += weight[stage] * s->rate[i][c];
    if (stage < 3) advance(s, ahead[stage] * dt, s->rate);
  }
  advance(s, dt, s->sum);
}

/* ---- pressure ---------------------------------------------------------------------------------------------- */

/* The nodal gradient of the pressure, (48), into xi. */
static void project_pressure_gradient(ens_solver *s) {
  clear(s->xi, s->n);
  for (int32_t k = 0; k < s->n_elements; k++) {
    const p1_element *e = s->element + k;
    for (int a = 0; a <= s->dim; a++)
      for (int b = 0; b <= s->dim; b++)
        for (int c = 0; c < 3; c++)
          s->xi[e->node[a]][c] +=
              e->volume / (s->dim + 1) / s->mass[e->node[a]] * s->pressure[e->node[b]] * e->grad[b][c];
  }
}

/* One tau: the least that the time step lets a node have, as if dt were the largest step. */
static double pressure_tau(const ens_solver *s, int32_t i, int32_t j, double dt) {
  if (!s->p.one_tau) return 0.5 * (s->tau[i] + s->tau[j]);
  return dt / (s->p.tau_dt + s->p.cfl * fmax(s->p.tau_nu, s->p.tau_u));
}

/* What corner b adds to corner a's share of the stabilising term, over tau: with one tau, the integral of grad N_a times the projected gradient,
 * the part of which that belongs to N_a itself is shared among the others, since the gradients of all shape functions sum to 0. */
static double smoothed(const ens_solver *s, const p1_element *e, int a, int b, double l) {
  int32_t i = e->node[a], j = e->node[b];
  double along = 0;
  for (int c = 0; c < 3; c++) along += (e->x[b][c] - e->x[a][c]) * 0.5 * (s->xi[i][c] + s->xi[j][c]);
  if (!s->p.one_tau) return l * along;
  return e->volume / (s->dim + 1) * (dot(e->grad[a], s->xi[j]) - dot(e->grad[b], s->xi[i]));
}

/* H, (45) and (46), and f, (47) by design 5 and 6, of corner a and the other corners of an element. */
static void add_pressure_row(ens_solver *s, const p1_element *e, int a, double dt) {
  int32_t i = e->node[a];
  for (int b = 0; b <= s->dim; b++) {
    if (a == b) continue;
    int32_t j = e->node[b], k = p1_graph_find(s->graph, i, j);
    double l = e->volume * dot(e->grad[a], e->grad[b]), tau = pressure_tau(s, i, j, dt);
    double h = (tau + s->p.theta * dt) * l;
    s->off[k] += h;
    s->diagonal[i] -= h;
    s->f[i] += s->p.theta * dt * l * (s->pressure[j] - s->pressure[i]) + tau * smoothed(s, e, a, b, l);
  }
}

static void assemble_pressure(ens_solver *s, double dt) {
  memset(s->off, 0, (size_t)s->graph->start[s->n] * sizeof *s->off);
  memset(s->diagonal, 0, (size_t)s->n * sizeof *s->diagonal);
  memset(s->f, 0, (size_t)s->n * sizeof *s->f);
  project_pressure_gradient(s);
  for (int32_t k = 0; k < s->n_elements; k++) {
    const p1_element *e = s->element + k;
    vec gradient[3];
    gradient_of(e, s->dim + 1, s->u, gradient);
    double divergence = gradient[0][0] + gradient[1][1] + gradient[2][2];
    for (int a = 0; a <= s->dim; a++) {
      s->f[e->node[a]] -= e->volume / (s->dim + 1) * divergence;
      add_pressure_row(s, e, a, dt);
    }
  }
}

static cg_matrix pressure_matrix(const ens_solver *s) {
  return (cg_matrix){s->n, s->graph->start, s->graph->node, s->off, s->diagonal};
}

static cg_status solve_pressure(ens_solver *s, double dt) {
  int iterations = 0;
  assemble_pressure(s, dt);
  cg_matrix h = pressure_matrix(s);
  cg_options o = {.held = s->any_pressure ? s->held_pressure : NULL,
                  .constants = !s->any_pressure,
                  .tolerance = s->p.tolerance,
                  .max_iterations = s->p.max_iterations};
  memcpy(s->old_pressure, s->pressure, (size_t)s->n * sizeof *s->pressure);
  hold_pressure(s);
  cg_status status = jacobi_cg(&h, s->f, s->pressure, &o, &iterations);
  return status;
}

/* (15): u -= theta dt / M times the gradient of the change of the pressure: the weak form and its part at the boundary. */
static void correct_velocity(ens_solver *s, double dt) {
  for (int32_t k = 0; k < s->n_elements; k++) {
    const p1_element *e = s->element + k;
    double change[3] = {0}, share = s->p.theta * dt * e->volume / (s->dim + 1);
    for (int a = 0; a <= s->dim; a++)
      for (int c = 0; c < 3; c++)
        change[c] += e->grad[a][c] * (s->pressure[e->node[a]] - s->old_pressure[e->node[a]]);
    for (int a = 0; a <= s->dim; a++)
      for (int c = 0; c < 3; c++) s->u[e->node[a]][c] -= share / s->mass[e->node[a]] * change[c];
  }
  hold_velocity(s, s->u);
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

/* What integrals over an element give to the edge from its corner a to its corner b. */
typedef double edge_term(const ens_solver *s, const p1_element *e, int a, int b);

static double laplacian(const ens_solver *s, const p1_element *e, int a, int b) {
  (void)s;
  return e->volume * dot(e->grad[a], e->grad[b]);
}

/* What the velocity of a carries, or that of b where it is held. */
static double carried(const ens_solver *s, const p1_element *e, int a, int b) {
  return e->volume / (s->dim + 1) * dot(e->grad[b], s->u[e->node[a]]);
}

static double carried_by_held(const ens_solver *s, const p1_element *e, int a, int b) {
  (void)a;
  return s->fixed[e->node[b]] ? e->volume / (s->dim + 1) * dot(e->grad[b], s->u[e->node[b]]) : 0;
}

/* The flow's part along the edge of what stabilises, with the velocity of corner a. */
static double streamwise(const ens_solver *s, const p1_element *e, int a, int b) {
  const double *u = s->u[e->node[a]];
  return e->volume * dot(e->grad[a], u) * dot(e->grad[b], u);
}

static double streamwise_there(const ens_solver *s, const p1_element *e, int a, int b) {
  return streamwise(s, e, b, a);
}

/* The same with the velocities that the held neighbours of a have. */
static double streamwise_held(const ens_solver *s, const p1_element *e, int a, int b) {
  double sum = 0;
  for (int c = 0; c < 3; c++) sum += e->grad[a][c] * dot(s->held_uu[e->node[a]][c], e->grad[b]);
  return e->volume * sum;
}

/* What a force or the pressure sets in motion: `rate` is free between steps. */
static double driven(const ens_solver *s, const p1_element *e, int a, int b) {
  return e->volume / (s->dim + 1) * dot(e->grad[b], s->rate[e->node[a]]);
}

/* Into `off`, which the next assembly of H fills anew. */
static void find_edges(const ens_solver *s, edge_term *term) {
  memset(s->off, 0, (size_t)s->graph->start[s->n] * sizeof *s->off);
  for (int32_t k = 0; k < s->n_elements; k++) {
    const p1_element *e = s->element + k;
    for (int a = 0; a <= s->dim; a++)
      for (int b = 0; b <= s->dim; b++)
        if (a != b) s->off[p1_graph_find(s->graph, e->node[a], e->node[b])] += term(s, e, a, b);
  }
}

/* The sums of abs(x) - sign*x along the row of node i. */
static double row_sum(const ens_solver *s, int32_t i, double sign) {
  double sum = 0;
  for (int32_t k = s->graph->start[i]; k < s->graph->start[i + 1]; k++)
    sum += fabs(s->off[k]) - sign * s->off[k];
  return sum;
}

/* The fastest of node i and of its held neighbours. */
static double fastest(const ens_solver *s, int32_t i) {
  double speed = sqrt(dot(s->u[i], s->u[i]));
  for (int32_t k = s->graph->start[i]; k < s->graph->start[i + 1]; k++) {
    int32_t j = s->graph->node[k];
    if (s->fixed[j]) speed = fmax(speed, sqrt(dot(s->u[j], s->u[j])));
  }
  return speed;
}

/* The mean of u u of the held neighbours of node i, the faster ones counting for more. */
static void find_held(const ens_solver *s, int32_t i) {
  double total = 0;
  memset(s->held_uu[i], 0, sizeof s->held_uu[i]);
  for (int32_t k = s->graph->start[i]; k < s->graph->start[i + 1]; k++) {
    const double *u = s->u[s->graph->node[k]], weight = s->fixed[s->graph->node[k]] ? dot(u, u) : 0;
    total += weight;
    for (int c = 0; c < 3; c++)
      for (int d = 0; d < 3; d++) s->held_uu[i][c][d] += weight * u[c] * u[d];
  }
  for (int c = 0; c < 3; c++)
    for (int d = 0; d < 3; d++) s->held_uu[i][c][d] /= fmax(total, 1e-30);
}

/* What stabilises along the stream grows like the square of the step: into `f`, where it asks for more. `old_pressure` is free between steps. */
static void count_streamwise(const ens_solver *s) {
  double part = s->p.skew ? 1 : 0.5;
  find_edges(s, streamwise);
  for (int32_t i = 0; i < s->n; i++) s->old_pressure[i] = row_sum(s, i, 0);
  find_edges(s, streamwise_there);
  for (int32_t i = 0; i < s->n; i++) {
    double sum = s->old_pressure[i] + row_sum(s, i, 0);
    s->f[i] = fmax(s->f[i], part * sqrt(sum / (2 * s->mass[i] * s->p.tau_dt)));
    find_held(s, i);
  }
  find_edges(s, streamwise_held);
  for (int32_t i = 0; i < s->n; i++)
    s->f[i] = fmax(s->f[i], part * sqrt(row_sum(s, i, 0) / (s->mass[i] * s->p.tau_dt)));
}

/* The most that a force or the pressure asks for: what is at rest has no speed yet. */
static double fastest_start(ens_solver *s) {
  double most = 0;
  project_pressure_gradient(s);
  for (int32_t i = 0; i < s->n; i++)
    for (int c = 0; c < 3; c++) s->rate[i][c] = s->force[i][c] - s->xi[i][c];
  find_edges(s, driven);
  for (int32_t i = 0; i < s->n; i++) {
    double across = sqrt(dot(s->rate[i], s->rate[i])) / s->h[i];
    if (!s->fixed[i]) most = fmax(most, fmax(across, 0.6 * row_sum(s, i, 0) / s->mass[i]));
  }
  return sqrt(2 * s->p.cfl * most);
}

/* Of the nodes that move: what crosses one, or will when held neighbours have set it in motion, through a cell of its size or its edges;
 * and what the viscous operator does. `f`, which the next step fills anew, holds the first. */
double ens_time_step(ens_solver *s) {
  double most = 0;
  for (int32_t i = 0; i < s->n; i++) s->f[i] = fastest(s, i) / s->h[i];
  find_edges(s, carried);
  for (int32_t i = 0; i < s->n; i++) s->f[i] = fmax(s->f[i], 0.6 * row_sum(s, i, 0) / s->mass[i]);
  find_edges(s, carried_by_held);
  for (int32_t i = 0; i < s->n; i++) s->f[i] = fmax(s->f[i], 0.6 * row_sum(s, i, 0) / s->mass[i]);
  count_streamwise(s);
  find_edges(s, laplacian);
  for (int32_t i = 0; i < s->n; i++)
    if (!s->fixed[i]) most = fmax(most, s->f[i] + 0.36 * s->p.nu * row_sum(s, i, 1) / s->mass[i]);
  return s->p.cfl / (fmax(most, fastest_start(s)) + 1e-30);
}

cg_status ens_step(ens_solver *s, double dt) {
  find_tau(s, dt);
  integrate_momentum(s, dt);
  cg_status status = solve_pressure(s, dt);
  if (status == CG_OK) correct_velocity(s, dt);
  s->t += dt;
  s->steps++;
  return status;
}

/* No step is much shorter than the others: 1/dt in tau would let the pressure of such a step run away (design 7). */
cg_status ens_run(ens_solver *s, double t_end) {
  cg_status status = CG_OK;
  for (double rest; status == CG_OK && (rest = t_end - s->t) > 1e-12 * t_end;)
    status = ens_step(s, rest / ceil(rest / ens_time_step(s)));
  return status;
}

void ens_rate(ens_solver *s, double dt, double *rate) {
  find_tau(s, dt);
  memcpy(s->u_start, s->u, (size_t)s->n * sizeof *s->u);
  find_rate(s, s->u, s->rate);
  pack(s, s->rate, rate);
}

cg_matrix ens_pressure_system(ens_solver *s, double dt, double *f) {
  find_tau(s, dt);
  assemble_pressure(s, dt);
  memcpy(f, s->f, (size_t)s->n * sizeof *f);
  return pressure_matrix(s);
}
