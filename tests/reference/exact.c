#include "exact.h"

#include <math.h>

static const double G = EXACT_G;
static const double PI = 3.14159265358979323846;

/* ---- dam breaks ---------------------------------------------------------------------------------------- */

/* What is wrong with hm as plateau: the velocity behind the rarefaction less the one behind the shock. Falls
 * with hm. */
static double plateau_defect(double hl, double hr, double hm) {
  double rarefaction = 2 * (sqrt(G * hl) - sqrt(G * hm));
  return rarefaction - (hm - hr) * sqrt(0.5 * G * (hm + hr) / (hm * hr));
}

exact_stoker exact_stoker_create(double hl, double hr, double x0) {
  double low = hr, high = hl;
  for (int k = 0; k < 200 && low < high; k++) {
    double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    if (plateau_defect(hl, hr, middle) > 0) low = middle;
    else high = middle;
  }
  double hm = 0.5 * (low + high), um = 2 * (sqrt(G * hl) - sqrt(G * hm));
  return (exact_stoker){hl, hr, x0, hm, um, um * hm / (hm - hr)};
}

/* The rarefaction that runs into water hl at rest, at the speed xi = (x - x0)/t. */
static exact_state rarefaction(double hl, double xi) {
  double c = (2 * sqrt(G * hl) - xi) / 3;
  return (exact_state){.h = c * c / G, .u = 2.0 / 3.0 * (xi + sqrt(G * hl))};
}

exact_state exact_stoker_at(const exact_stoker *s, double x, double t) {
  double d = x - s->x0, cm = sqrt(G * s->hm);
  if (t <= 0) return (exact_state){.h = d < 0 ? s->hl : s->hr};
  double xi = d / t;
  if (xi <= -sqrt(G * s->hl)) return (exact_state){.h = s->hl};
  if (xi < s->um - cm) return rarefaction(s->hl, xi);
  if (xi < s->shock) return (exact_state){.h = s->hm, .u = s->um};
  return (exact_state){.h = s->hr};
}

exact_state exact_ritter(double hl, double x0, double x, double t) {
  double d = x - x0, c = sqrt(G * hl);
  if (d <= -c * t && d < 0) return (exact_state){.h = hl};
  if (d >= 2 * c * t) return (exact_state){.h = 0};
  return rarefaction(hl, d / t);
}

/* Dressler's corrections of u and of sqrt(g h) at xi = (x - x0)/(t sqrt(g hl)), in (-1, 2), per g^2 t/C^2. */
static void dressler_correction(double xi, double *of_c, double *of_u) {
  double a = 2 - xi, r = a * sqrt(a), root3 = sqrt(3);
  *of_c = 6 / (5 * a) - 2.0 / 3.0 + 4 * root3 / 135 * r;
  *of_u = 12 / a - 8.0 / 3.0 + 8 * root3 / 189 * r - 108 / (7 * a * a);
}

/* Inside the rarefaction. */
static exact_state dressler_wave(double hl, double chezy, double xi, double t) {
  double c0 = sqrt(G * hl), of_c, of_u, weight = G * G * t / (chezy * chezy);
  dressler_correction(xi, &of_c, &of_u);
  double c = c0 * (2 - xi) / 3 + weight * of_c;
  return (exact_state){.h = c * c / G, .u = 2.0 / 3.0 * c0 * (1 + xi) + weight * of_u};
}

/* The xi of largest velocity, by golden section: u rises from 0 at xi = -1 and falls to -inf at xi = 2. */
static double dressler_tip_xi(double hl, double chezy, double t) {
  const double ratio = 0.5 * (sqrt(5) - 1);
  double a = -1, b = 2;
  double p = b - ratio * (b - a), q = a + ratio * (b - a);
  double fp = dressler_wave(hl, chezy, p, t).u, fq = dressler_wave(hl, chezy, q, t).u;
  for (int k = 0; k < 80; k++) {
    if (fp > fq) {
      b = q, q = p, fq = fp, p = b - ratio * (b - a);
      fp = dressler_wave(hl, chezy, p, t).u;
    } else {
      a = p, p = q, fp = fq, q = a + ratio * (b - a);
      fq = dressler_wave(hl, chezy, q, t).u;
    }
  }
  return 0.5 * (a + b);
}

double exact_dressler_tip(double hl, double chezy, double x0, double t) {
  return x0 + t * sqrt(G * hl) * dressler_tip_xi(hl, chezy, t);
}

exact_state exact_dressler(double hl, double chezy, double x0, double x, double t) {
  double d = x - x0, c0 = sqrt(G * hl);
  if (d <= -c0 * t && d < 0) return (exact_state){.h = hl};
  if (d >= 2 * c0 * t) return (exact_state){.h = 0};
  double xi = d / (t * c0), tip = dressler_tip_xi(hl, chezy, t);
  exact_state s = dressler_wave(hl, chezy, xi, t);
  if (xi > tip) s.u = dressler_wave(hl, chezy, tip, t).u;
  return s;
}

/* ---- Thacker ------------------------------------------------------------------------------------------- */

double exact_planar_omega(void) { return sqrt(2 * G * 0.5); }

exact_state exact_thacker_planar(double x, double t) {
  const double h0 = 0.5, middle = 2, w = exact_planar_omega();
  double d = x - middle, off = d + 0.5 * cos(w * t);
  double h = h0 * (1 - off * off);
  return (exact_state){.h = fmax(h, 0), .u = h > 0 ? 0.5 * w * sin(w * t) : 0, .z = h0 * (d * d - 1)};
}

static const double BASIN_A = 1, BASIN_R0 = 0.8, BASIN_H0 = 0.1;

double exact_radial_omega(void) { return sqrt(8 * G * BASIN_H0) / BASIN_A; }

/* A = (a^2 - r0^2)/(a^2 + r0^2), by which the depth oscillates. */
static double radial_amplitude(void) {
  double a2 = BASIN_A * BASIN_A, r2 = BASIN_R0 * BASIN_R0;
  return (a2 - r2) / (a2 + r2);
}

double exact_radial_shore(double t) {
  double A = radial_amplitude();
  return BASIN_A * sqrt((1 - A * cos(exact_radial_omega() * t)) / sqrt(1 - A * A));
}

exact_state exact_thacker_radial(double x, double y, double t) {
  const double w = exact_radial_omega(), A = radial_amplitude(), a2 = BASIN_A * BASIN_A;
  double dx = x - 2, dy = y - 2, r2 = dx * dx + dy * dy, s = 1 - A * cos(w * t), root = sqrt(1 - A * A);
  double z = -BASIN_H0 * (1 - r2 / a2);
  double surface = BASIN_H0 * (root / s - 1 - r2 / a2 * ((1 - A * A) / (s * s) - 1));
  if (surface <= z) return (exact_state){.z = z};
  double rate = 0.5 * w * A * sin(w * t) / s;
  return (exact_state){surface - z, rate * dx, rate * dy, z};
}

/* ---- the bump ------------------------------------------------------------------------------------------ */

double exact_bump_bed(double x) { return fmax(0, 0.2 - 0.05 * (x - 10) * (x - 10)); }

/* The depth with q^2/(2 g h^2) + h = energy, on the side of the critical depth asked for. */
static double depth_of(double energy, double q, bool subcritical) {
  double critical = cbrt(q * q / G), low = subcritical ? critical : 0, high = subcritical ? energy : critical;
  for (int k = 0; k < 200; k++) {
    double h = 0.5 * (low + high), excess = q * q / (2 * G * h * h) + h - energy;
    if ((excess > 0) == subcritical) high = h;
    else low = h;
  }
  return 0.5 * (low + high);
}

exact_state exact_bump_subcritical(double x) {
  const double q = 4.42, out = 2, head = q * q / (2 * G * out * out) + out;
  double z = exact_bump_bed(x), h = depth_of(head - z, q, true);
  return (exact_state){h, q / h, 0, z};
}

exact_state exact_bump_transcritical(double x) {
  const double q = 1.53, head = 1.5 * cbrt(q * q / G) + 0.2;
  double z = exact_bump_bed(x), h = depth_of(head - z, q, x < 10);
  return (exact_state){h, q / h, 0, z};
}

/* ---- MacDonald ----------------------------------------------------------------------------------------- */

exact_macdonald exact_macdonald_of(exact_channel c) {
  switch (c) {
  case EXACT_SUBCRITICAL: return (exact_macdonald){1000, 2, 0.033};
  case EXACT_SUPERCRITICAL: return (exact_macdonald){1000, 2.5, 0.04};
  default: return (exact_macdonald){5000, 2, 0.03};
  }
}

/* h and dh/dx. */
static double channel_depth(exact_channel c, double x, double *slope) {
  if (c == EXACT_PERIODIC) {
    *slope = 0.25 * PI / 500 * cos(PI * x / 500);
    return 9.0 / 8.0 + 0.25 * sin(PI * x / 500);
  }
  double high = c == EXACT_SUBCRITICAL ? 0.5 : -0.2, width = c == EXACT_SUBCRITICAL ? 16 : 36;
  double critical = cbrt(4 / G), s = x / 1000 - 0.5, bell = critical * high * exp(-width * s * s);
  *slope = -2 * width * s * bell / 1000;
  return critical + bell;
}

static double bed_slope(exact_channel c, double x) {
  exact_macdonald m = exact_macdonald_of(c);
  double slope, h = channel_depth(c, x, &slope), h3 = h * h * h;
  return (m.q * m.q / (G * h3) - 1) * slope - m.manning * m.manning * m.q * fabs(m.q) / (h3 * cbrt(h));
}

/* Gauss's five points on panels of at most 25 m, from x to the end, where z = 0. */
static double channel_bed(exact_channel c, double x) {
  static const double at[] = {0, 0.5384693101056831, 0.9061798459386640};
  static const double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  double end = exact_macdonald_of(c).length, panels = ceil(fabs(end - x) / 25), sum = 0;
  double half = panels > 0 ? 0.5 * (end - x) / panels : 0;
  for (int k = 0; k < (int)panels; k++) {
    double middle = x + half * (2 * k + 1);
    sum += weight[0] * bed_slope(c, middle);
    for (int i = 1; i < 3; i++)
      sum += weight[i] * (bed_slope(c, middle - half * at[i]) + bed_slope(c, middle + half * at[i]));
  }
  return -half * sum;
}

exact_state exact_macdonald_at(exact_channel c, double x) {
  double slope, h = channel_depth(c, x, &slope);
  return (exact_state){h, exact_macdonald_of(c).q / h, 0, channel_bed(c, x)};
}
