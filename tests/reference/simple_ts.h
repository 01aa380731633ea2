/* SIMPLE-TS by hand: a plain serial solver of the compressible Navier-Stokes-Fourier equations on a staggered
 * grid (Shterev et al., the paper of schemes/simple_ts.ew), against which generated code is compared, iteration
 * by iteration. Nothing here is generated or shared with the compiler or the runtime; clarity goes before speed.
 *
 * Units: lengths in a, velocities in V0 = sqrt(2 R T0), p0, T0, rho0, so that p = rho T.
 *
 * Layout: cell (i, j) is at [j*nx + i]; u(i, j) on the low x side of that cell at [j*(nx+1) + i], i = 0..nx;
 * v(i, j) on its low y side at [j*nx + i], j = 0..ny. With periodic sides the last face repeats the first.
 * No padding. Values inside solids are neither read nor written.
 *
 * Conventions at boundaries. "Beyond" means ghosts at depth 1, 2 on the line from the reader across the
 * boundary; mirror: the point as far inside as the ghost is outside; inner: the nearest point inside.
 *   widths   mirror image of those inside, at every boundary (a solid's own widths are not used across it)
 *   wall     T, rho: 2 f_s - f[mirror], rho_s = p[inner]/T_s; p: p[mirror]; tangential velocity: 2 u_s - u[mirror];
 *            normal velocity: w on the wall, 2 w - v[mirror] beyond; u_hat = w and d = 0 on the wall;
 *            conductivity of the wall face sqrt(T_s)
 *   inlet    velocity, p, T as given, on the face and beyond; u_hat = given, d = 0
 *   outlet   all values those of inner; the face repeats the one before it; u_hat from the old iterate, d = 0
 *   reservoir  p, T as given at the ghosts; the velocity on the face follows from momentum, beyond it zero gradient
 *   symmetry   T, rho, p, tangential velocity: mirror; normal velocity 0, odd
 * A face with gas on one side only lies on its boundary and holds the boundary's normal velocity; it is read as
 * it is. So beside a solid's corner, where only one cell of a tangential velocity's node is solid, differences
 * are plain and run to that value; slip is only where both cells beyond are not gas.
 * The slip of a node takes T and p of its two cells; one of them beyond a boundary across the velocity's own
 * axis counts with its ghost values. Viscosity at a corner: mean of sqrt(T_s) over the wall faces that meet
 * there, else of four sqrt(T), also where widths differ.
 *
 * Memory: ts_create copies what it needs of the case; ts_destroy accepts NULL and nulls the pointer. */
#ifndef EW_REFERENCE_SIMPLE_TS_H
#define EW_REFERENCE_SIMPLE_TS_H

#include <stdbool.h>

typedef enum ts_time { TS_IMPLICIT, TS_EXPLICIT } ts_time; /* of convection */
typedef enum ts_space { TS_UPWIND, TS_TVD } ts_space;      /* TVD: van Leer */
/* Where the density in the mean free path at walls is taken: at the wall (second order), in the first cell. */
typedef enum ts_slip { TS_WALL_FORM, TS_FIRST_CELL } ts_slip;
/* What the central coefficients keep of a control volume's mass: as printed; or the mass at the start of the
 * step, with fluxes at centres the means of those at faces. Explicit convection has the printed form only. */
typedef enum ts_storage { TS_PRINTED, TS_ACCELERATED } ts_storage;

typedef enum ts_kind { TS_WALL, TS_INLET, TS_OUTLET, TS_RESERVOIR, TS_SYMMETRY, TS_PERIODIC } ts_kind;

/* `velocity` of a wall or inlet; `T` of a wall, inlet or reservoir; `p` of an inlet or reservoir. */
typedef struct ts_boundary {
  ts_kind kind;
  double velocity[2];
  double p, T;
} ts_boundary;

/* A solid fills the cells first[d] <= index < end[d]; `wall` is a TS_WALL or TS_SYMMETRY. */
typedef struct ts_solid {
  int first[2], end[2];
  ts_boundary wall;
} ts_solid;

/* Coefficients of the discrete equations; ts_gas gives those of a monatomic gas. */
typedef struct ts_params {
  double Kn;
  double A, B;          /* of the pressure gradient and of friction */
  double CT1, CT2, CT3; /* of the discrete energy equation: conduction, dissipation, p div u */
  double sigma, tau;    /* viscous slip and temperature jump; 0: none */
  double gravity[2];
  ts_time time;
  ts_space space;
  ts_slip slip;
  ts_storage storage;
} ts_params;

typedef struct ts_case {
  int n[2];            /* cells along x, y */
  const double *d[2];  /* their widths, [n[0]] and [n[1]] */
  ts_boundary side[4]; /* x low, x high, y low, y high */
  int n_solids;
  const ts_solid *solid;
  ts_params params;
} ts_case;

typedef struct ts_fields {
  double *u, *v, *p, *T;
} ts_fields;

typedef struct ts_solver ts_solver;

/* Implicit, upwind, wall form, printed storage, no gravity. */
ts_params ts_gas(double Kn);

/* NULL, or what is wrong (a literal); then *out is NULL. Gas must be at least two cells wide everywhere. */
const char *ts_create(ts_solver **out, const ts_case *c);
void ts_destroy(ts_solver **solver);

/* All zero; false when memory runs out. */
bool ts_fields_create(ts_fields *out, const int n[2]);
void ts_fields_destroy(ts_fields *f);

/* Sets the faces that lie on boundaries, and the last faces of periodic axes. */
void ts_fix(const ts_solver *s, const ts_fields *f);

/* One inner (Jacobi) iteration of the step that begins at `start`: from the iterate `old` to `next`. The first
 * call remembers `start`. All three are fields that ts_fix has seen. Returns max |next - old| over u, v, p, T,
 * NaN if any is. */
void ts_begin_step(ts_solver *s, const ts_fields *start, double dt);
double ts_iterate(ts_solver *s, const ts_fields *old, const ts_fields *next);

/* One step of `f` in place; returns the number of iterations, or -1 if `most` did not bring the residual below
 * `tolerance`. Fixes f first. */
int ts_step(ts_solver *s, const ts_fields *f, double dt, double tolerance, int most);

double ts_mass(const ts_solver *s, const ts_fields *f);
bool ts_is_gas(const ts_solver *s, int i, int j);

#endif
