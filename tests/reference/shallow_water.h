/* Shallow water by hand: an independent plain-C solver of the scheme in schemes/shallow_water.ew.
 *
 * First-order finite volumes on polygons, Roe's solver augmented by the bed (Lacasta, Morales-Hernandez,
 * Murillo, Garcia-Navarro 2014), with dry cells, entropy fix, guaranteed positivity and friction. Nothing
 * here is generated or shared with the compiler or the runtime, so a mistake of theirs cannot hide; it is
 * also the peer against which the generated code's speed is measured: faces are swept once and store both
 * fluctuations, cells then gather.
 *
 * Memory: sw_create copies what it needs of the mesh; sw_destroy accepts NULL and nulls the pointer. Units
 * are SI. Functions that allocate return false when memory runs out, and then leave *out NULL. */
#ifndef EW_REFERENCE_SHALLOW_WATER_H
#define EW_REFERENCE_SHALLOW_WATER_H

#include <stdbool.h>
#include <stdint.h>

/* A planar mesh. Faces [0, n_interior) have a cell on both sides, the others only on the left; normals have
 * length 1 and point from left to right, hence outwards on the boundary. Vectors are stored (x, y) one after
 * another. */
typedef struct sw_mesh {
  int32_t n_cells, n_faces, n_interior;
  const int32_t *face_left, *face_right; /* [n_faces]; face_right is read for interior faces only */
  const double *face_normal;             /* [n_faces * 2] */
  const double *face_length;             /* [n_faces] m */
  const double *cell_area;               /* [n_cells] m^2 */
  const double *cell_centre;             /* [n_cells * 2] m */
} sw_mesh;

typedef enum sw_friction {
  SW_FRICTION_CELLS, /* exact root of the friction ODE after the fluxes: robust, the default */
  SW_FRICTION_EDGES, /* part of the Riemann problem: better balanced, unsafe at wet/dry fronts */
  SW_FRICTION_MIXED  /* edges where both depths exceed h_switch, cells elsewhere */
} sw_friction;

typedef enum sw_boundary_kind {
  SW_WALL,
  SW_OUTFLOW,   /* free: the state outside is the one inside; what comes back comes from rest */
  SW_DISCHARGE, /* q enters per unit length, m^2/s; the depth follows from u_n + 2c of the cell */
  SW_LEVEL, /* water level h + z = level, m; the velocity follows from u_n + 2c of the cell, or of a bore */
  SW_STATE  /* supercritical inflow: depth h and entering discharge q are both given, unless it is drowned */
} sw_boundary_kind;

typedef struct sw_boundary {
  sw_boundary_kind kind;
  double q, level, h;
} sw_boundary;

typedef struct sw_params {
  double g;        /* 9.81 m/s^2 */
  double h_dry;    /* 1e-6 m: below it a cell has no velocity */
  double froude;   /* 20: no cell flows faster than this many times sqrt(g h); INFINITY: no bound */
  double h_switch; /* 0.05 m, for SW_FRICTION_MIXED */
  double cfl;      /* <= 0.5 keeps depths positive */
  sw_friction friction;
  int threads; /* 0: as many as OpenMP likes */
} sw_params;

typedef struct sw_solver sw_solver;

sw_params sw_default_params(void);

/* `boundary` has n_faces - n_interior entries, in the order of the boundary faces. The state is dry at first.
 */
bool sw_create(sw_solver **out, const sw_mesh *mesh, const sw_params *params, const sw_boundary *boundary);
void sw_destroy(sw_solver **solver);

/* Arrays of n_cells; `manning` in s/m^(1/3), NULL for none. Sets t = 0. */
void sw_set_state(sw_solver *s, const double *h, const double *qx, const double *qy, const double *z,
                  const double *manning);
void sw_get_state(const sw_solver *s, double *h, double *qx, double *qy);

/* One step of the CFL's size, but at most dt_max; returns the dt taken. */
double sw_step(sw_solver *s, double dt_max);
/* One step of exactly dt, stable or not. */
void sw_step_fixed(sw_solver *s, double dt);
/* Steps until t_end, or until max_steps steps were made (0: no limit); returns the number of steps. */
int64_t sw_run(sw_solver *s, double t_end, int64_t max_steps);

double sw_time(const sw_solver *s);
double sw_mass(const sw_solver *s);      /* m^3 */
double sw_max_speed(const sw_solver *s); /* max |u|, m/s */

#endif
