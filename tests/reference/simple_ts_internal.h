/* What the three files of the solver share. Positions are oriented: along an axis `a` and across it, on axis
 * 1 - a, so that u and v, x and y go through the same code. */
#ifndef EW_REFERENCE_SIMPLE_TS_INTERNAL_H
#define EW_REFERENCE_SIMPLE_TS_INTERNAL_H

#include "simple_ts.h"

enum { TS_GAS = -1 };

/* What a face is, by the cells on its two sides. */
typedef enum ts_face_kind {
  FACE_DEAD,  /* no gas */
  FACE_OPEN,  /* momentum is solved: gas on both sides, or on a reservoir */
  FACE_FIXED, /* on a wall, an inlet, an axis of symmetry */
  FACE_COPIED /* on an outlet */
} ts_face_kind;

typedef enum ts_quantity { TS_P, TS_T, TS_RHO, TS_GAMMA } ts_quantity;

/* An iterate with all that follows from it point by point. */
typedef struct ts_view {
  const ts_solver *s;
  const double *w[2];     /* u, v */
  const double *cell[4];  /* by ts_quantity; Gamma = sqrt(T) */
  const double *rho_f[2]; /* (9), (10): density carried through the faces */
  const double *flux[2];  /* (7), (8): rho_f w times the face's length */
} ts_view;

/* Storage for a view's derived quantities. */
typedef struct ts_derived {
  double *rho, *gamma, *rho_f[2], *flux[2];
} ts_derived;

struct ts_solver {
  ts_params par;
  int n[2];
  double *d[2];
  bool periodic[2];
  ts_boundary *boundary; /* four sides, then the solids */
  int *solid;            /* per cell: TS_GAS or the number of a boundary */
  ts_face_kind *face_kind[2];
  double *face_value[2]; /* of fixed faces */
  double dt;
  ts_fields start, next; /* of the step; of the iteration */
  ts_derived at_start, at_old;
  double *carried[2], *carried_T; /* explicit convection of the start */
  double *hat[2], *pull[2];       /* pseudo velocity, and d */
};

/* ---- places: n along axis a, t across it; periodic indices are wrapped */
int ts_cell_at(const ts_solver *s, int a, int n, int t);
int ts_face_at(const ts_solver *s, int a, int n, int t);
int ts_n_faces(const ts_solver *s, int a);
/* TS_GAS, or the boundary that the cell belongs to: a solid's, or beyond a side that side's. */
int ts_beyond(const ts_solver *s, int a, int n, int t);
bool ts_gas_at(const ts_solver *s, int a, int n, int t);
ts_face_kind ts_kind_at(const ts_solver *s, int a, int n, int t);

/* ---- values k points from a point of the gas, ghosts included */
double ts_value(const ts_view *g, ts_quantity q, int a, int n, int t, int k); /* from the gas cell n */
double ts_width(const ts_solver *s, int a, int n, int t, int k);
/* Below (side 0) and above (side 1) of a face that has gas on one side at least. */
double ts_beside(const ts_view *g, ts_quantity q, int a, int f, int t, int side);
double ts_width_beside(const ts_solver *s, int a, int f, int t, int side);
/* Cells f-2..f+1 around such a face. */
void ts_line(const ts_view *g, ts_quantity q, int a, int f, int t, double value[4]);
void ts_line_widths(const ts_solver *s, int a, int f, int t, double width[4]);
/* The velocity along axis a at its face f, k faces on along a; and k rows on across a. */
double ts_along(const ts_view *g, int a, int f, int t, int k);
double ts_across(const ts_view *g, int a, int f, int t, int k);
double ts_across_width(const ts_solver *s, int a, int f, int t, int k);
/* The gas at the wall that cell n has on its low (side 0) or high side: its temperature. */
double ts_wall_T(const ts_view *g, int a, int n, int t, int side);
/* Gamma at the corner (i, j), and Gamma_l at a face. */
double ts_corner_gamma(const ts_view *g, int i, int j);
double ts_face_gamma(const ts_view *g, int a, int f, int t);

/* ---- terms */
/* The factor of (f[2] - f[1]) that is added to the upwind value, between f[1] and f[2]; 0 for TS_UPWIND. */
double ts_psi_s(const ts_solver *s, const double f[4], const double d[4], double w); /* between cells */
double ts_psi_c(const ts_solver *s, const double f[4], const double d[3], double w); /* between faces */

/* rho, Gamma, rho_f and fluxes of fields, into `to`. */
ts_view ts_derive(const ts_solver *s, const ts_fields *f, const ts_derived *to);

typedef struct ts_momentum {
  double hat, d;
} ts_momentum;

/* (15)-(20) at an open face; `carried` is the explicit convection of the start. */
ts_momentum ts_solve_momentum(const ts_view *old, const ts_view *start, int a, int f, int t, double carried);
double ts_carried_momentum(const ts_view *start, int a, int f, int t);
/* (24)-(30) at a gas cell. */
double ts_solve_temperature(const ts_view *old, const ts_view *start, int i, int j, double carried);
double ts_carried_heat(const ts_view *start, int i, int j);

#endif
