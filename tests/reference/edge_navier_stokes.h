/* Incompressible flow by hand: an independent plain-C solver of the scheme in schemes/edge_navier_stokes.ew.
 *
 * Linear elements on triangles and tetrahedra, fractional steps, Runge-Kutta of order 4, split orthogonal
 * subscales (Rossi, Mossaiby, Idelsohn 2013), with the corrections which the design lists. The scheme is
 * written for the edges of the mesh; here every term is assembled element by element, so that a mistake in
 * the edge integrals or in a loop over neighbours cannot hide. It is serial and not made for speed.
 *
 * Memory: ens_create copies what it needs; ens_destroy accepts NULL and nulls the pointer. Units are SI; the
 * pressure is divided by the density, m^2/s^2. Vectors are stored component after component, [n_nodes * dim]. */
#ifndef EW_REFERENCE_EDGE_NAVIER_STOKES_H
#define EW_REFERENCE_EDGE_NAVIER_STOKES_H

#include <stdbool.h>

#include "jacobi_cg.h"
#include "p1.h"

typedef enum ens_stabilisation {
  ENS_CONSERVATIVE, /* the same from both ends of an edge: second order, keeps momentum */
  ENS_NODAL,        /* the paper's, with its sign put right: first order */
  ENS_NONE
} ens_stabilisation;

typedef struct ens_params {
  double nu;                    /* m^2/s */
  double cfl;                   /* 0.5; limits were measured from 0.78 */
  double theta;                 /* 0.5: weight of the new pressure; 1 is of first order in time */
  double tau_dt, tau_nu, tau_u; /* 1, 1, 1 */
  double tolerance;             /* 1e-12, of the pressure's residual, relative */
  int max_iterations;           /* 10000 */
  ens_stabilisation stabilisation;
  bool
      skew; /* convection that keeps energy: half of u.grad u, half of div (u u); false: (39), by the node's velocity */
  bool
      one_tau; /* in the pressure: the same for all, and the weak divergence of the gradient's projection; false: of each edge, design 6 */
} ens_params;

ens_params ens_default_params(double nu);

/* A node whose velocity is given, whose velocity is tangent to a plane, whose pressure is given. */
typedef struct ens_fixed {
  int32_t node;
  double velocity[3];
} ens_fixed;

typedef struct ens_slip {
  int32_t node;
  double normal[3]; /* of any length > 0 */
} ens_slip;

typedef struct ens_open {
  int32_t node;
  double pressure;  /* outside: what enters there comes from rest */
  double normal[3]; /* outwards, of length 1 */
  double area;      /* the node's share of the boundary */
} ens_open;

/* A node may be named several times: of fixed entries the first counts, and it overrules slip; of slip entries,
 * all count: two of different normals leave the common line. Where no pressure is given its mean over the nodes
 * is 0. */
typedef struct ens_boundary {
  const ens_fixed *fixed;
  const ens_slip *slip;
  const ens_open *open;
  int32_t n_fixed, n_slip, n_open;
} ens_boundary;

typedef struct ens_solver ens_solver;

/* At rest at first, save for what the boundary gives. NULL when memory runs out. */
ens_solver *ens_create(const p1_mesh *mesh, const ens_params *params, const ens_boundary *boundary);
void ens_destroy(ens_solver **solver);

/* The boundary overrules what is given. Sets t = 0; NULL: leave as it is. */
void ens_set_state(ens_solver *s, const double *u, const double *p);
void ens_get_state(const ens_solver *s, double *u, double *p);
void ens_set_force(ens_solver *s, const double *b); /* m/s^2 */

/* The CFL's step: cfl over the most that a node that is not fixed asks for: |u|/h + 0.36 nu sum(|L| - L)/M, h the dim-th root of the lumped mass,
 * |u| the largest of the node itself and its fixed neighbours, the sum over the Laplacian's entries at its edges; instead of |u|/h what rows of
 * convection and stabilisation say, and sqrt(2 cfl |b - grad p|/h), where these are more. */
double ens_time_step(ens_solver *s);
/* One step of dt; if it fails the state is not to be used. */
cg_status ens_step(ens_solver *s, double dt);
/* Steps of the CFL's size, or a little less so that the last is no shorter, until t_end. */
cg_status ens_run(ens_solver *s, double t_end);

int64_t ens_steps(const ens_solver *s);
const double *ens_mass(const ens_solver *s); /* [n_nodes] lumped mass; the solver's */

/* The parts of a step, for comparison; tau is that of the state and dt. The rate of change of u, at held nodes too:
 * [n_nodes * dim]. */
void ens_rate(ens_solver *s, double dt, double *rate);
/* H and f of the pressure's equation, the state's u taken for the fractional velocity. H is the solver's and valid
 * until its next call; f: [n_nodes]. */
cg_matrix ens_pressure_system(ens_solver *s, double dt, double *f);

#endif
