/* Exact solutions of the shallow water equations: the SWASHES set (Delestre et al., Int. J. Numer. Meth.
 * Fluids 72, 2013), written anew from their formulas. SI units, g = 9.81 m/s^2 throughout. Functions are
 * pure. Where an argument list names a length, the domain is [0, L]. A dry point has h = 0 and u = v = 0. */
#ifndef EW_REFERENCE_EXACT_H
#define EW_REFERENCE_EXACT_H

#include <stdbool.h>

#define EXACT_G 9.81

/* Depth (m), velocities (m/s) and bed (m) at a point. */
typedef struct exact_state {
  double h, u, v, z;
} exact_state;

/* ---- dam breaks on a flat bed, dam at x0, water hl on the left ---- */

/* Hr > 0 on the right (Stoker): a rarefaction, the plateau (hm, um) and a shock of speed S. */
typedef struct exact_stoker {
  double hl, hr, x0;
  double hm, um, shock;
} exact_stoker;

exact_stoker exact_stoker_create(double hl, double hr, double x0);
exact_state exact_stoker_at(const exact_stoker *s, double x, double t);

/* Dry ground on the right (Ritter). */
exact_state exact_ritter(double hl, double x0, double x, double t);

/* Dry ground with Chezy's friction, Dressler's first order in 1/C^2; beyond the point where his velocity is
 * largest the tip moves with that velocity. `tip` is that point. */
exact_state exact_dressler(double hl, double chezy, double x0, double x, double t);
double exact_dressler_tip(double hl, double chezy, double x0, double t);

/* ---- Thacker's oscillations in a parabolic basin ---- */

/* Planar surface in one dimension: L = 4, a = 1, h0 = .5; the period is 2 pi / exact_planar_omega(). */
exact_state exact_thacker_planar(double x, double t);
double exact_planar_omega(void);

/* Radial surface in two dimensions: L = 4 (square), a = 1, r0 = .8, h0 = .1. */
exact_state exact_thacker_radial(double x, double y, double t);
double exact_radial_omega(void);
double exact_radial_shore(double t); /* distance of the shore from the centre, m */

/* ---- steady flow over the bump z = max(0, .2 - .05 (x - 10)^2), L = 25 ---- */

double exact_bump_bed(double x);
exact_state exact_bump_subcritical(double x);   /* q = 4.42, h(L) = 2 */
exact_state exact_bump_transcritical(double x); /* q = 1.53, no shock */

/* ---- MacDonald's channels: depth given, bed from z' = (q^2/(g h^3) - 1) h' - n^2 q |q| / h^(10/3), z(L) = 0  */

typedef enum exact_channel { EXACT_SUBCRITICAL, EXACT_SUPERCRITICAL, EXACT_PERIODIC } exact_channel;

typedef struct exact_macdonald {
  double length, q, manning;
} exact_macdonald;

exact_macdonald exact_macdonald_of(exact_channel c);
exact_state exact_macdonald_at(exact_channel c, double x); /* z to about 1e-12 */

#endif
