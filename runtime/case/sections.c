/* Which faces a line across a plane mesh lies between. Every centre has to have one side of all of the line, also one that lies on a piece of it
 * or in a corner: else faces are missing there, or surplus. So all centres are moved alike, by what is infinitely small, to the left of
 * the way from the line's first point to its last, and along it by what is still smaller. No centre then lies on a line, no corner
 * between two centres, and signs are those of exact arithmetic. (Edelsbrunner & Muecke, Simulation of Simplicity, 1990.) At the boundary a face's
 * own centre stands for what lies beyond it: a line along the boundary, or along a periodic side, has it and the cell on two sides. */
#include <float.h>
#include <math.h>

#include "case/products.h"

enum { PRODUCTS = 6 };

/* Adds x to the numbers sum[0..n), which have no bit in common; returns how many there are then. (Shewchuk, Adaptive precision, 1997.) */
static int add_exactly(double *sum, int n, double x) {
  for (int i = 0; i < n; i++) {
    const double s = x + sum[i], of_sum = s - x;
    const double lost = (x - (s - of_sum)) + (sum[i] - of_sum);
    sum[i] = lost;
    x = s;
  }
  sum[n] = x;
  return n + 1;
}

static int sign_exactly(const double a[2], const double b[2], const double p[2]) {
  const double product[PRODUCTS][2] = {{a[0], b[1]},  {-a[1], b[0]}, {b[0], p[1]},
                                       {-b[1], p[0]}, {p[0], a[1]},  {-p[1], a[0]}};
  double sum[2 * PRODUCTS];
  int n = 0;
  for (int i = 0; i < PRODUCTS; i++) {
    const double high = product[i][0] * product[i][1];
    n = add_exactly(sum, n, fma(product[i][0], product[i][1], -high));
    n = add_exactly(sum, n, high);
  }
  while (n > 0 && sum[n - 1] == 0) n--; /* the largest says which sign all have */
  return n > 0 ? (sum[n - 1] > 0) - (sum[n - 1] < 0) : 0;
}

/* 1 where p lies left of the way from a to b, -1: right, 0: on it. */
static int side_of(const double a[2], const double b[2], const double p[2]) {
  const double left = (b[0] - a[0]) * (p[1] - a[1]), right = (b[1] - a[1]) * (p[0] - a[0]);
  if (fabs(left - right) > 4 * DBL_EPSILON * (fabs(left) + fabs(right)))
    return (left > right) - (left < right);
  return sign_exactly(a, b, p);
}

/* The side to which centres move, seen along the way from a to b. */
static int moves_to(const double a[2], const double b[2], const double along[2]) {
  const double x = b[0] - a[0], y = b[1] - a[1];
  const double first = x * along[0] + y * along[1], then = x * along[1] - y * along[0];
  return first != 0 ? (first > 0) - (first < 0) : (then > 0) - (then < 0);
}

static bool is_left(int side, int otherwise) { return (side != 0 ? side : otherwise) > 0; }

/* The ends of a way, from a cell's centre to another's, or to that of a face of the boundary, which stands for what is beyond. */
typedef struct way {
  const double *from, *to;
  bool beyond;
} way;

/* 1: the way crosses the piece a-b from its left to its right, -1: the other way. */
static int crossing(const double a[2], const double b[2], const way *w, const double along[2]) {
  const double *p = w->from, *q = w->to;
  const int of_centres = moves_to(a, b, along), of_way = moves_to(p, q, along);
  const bool p_left = is_left(side_of(a, b, p), of_centres);
  const int to = side_of(a, b, q);
  const bool q_left = to == 0 && w->beyond ? !p_left : is_left(to, of_centres);
  if (p_left == q_left) return 0;
  if (is_left(side_of(p, q, a), -of_way) == is_left(side_of(p, q, b), -of_way)) return 0;
  return p_left ? 1 : -1;
}

/* Along the axis that goes best with the way from its first point to its last: signs of differences are exact. */
static void way_of(const case_section *s, double along[2]) {
  const double *first = s->point, *last = s->point + 2 * (size_t)(s->n_points - 1);
  const double x = last[0] - first[0], y = last[1] - first[1];
  const bool upright = fabs(y) > fabs(x);
  along[0] = upright ? 0 : x < 0 ? -1 : 1;
  along[1] = !upright ? 0 : y < 0 ? -1 : 1;
}

face_id case_section_fill(const case_section *s, const mesh *m, size_t width, double *values) {
  face_id crossed = 0;
  double along[2];
  way_of(s, along);
  for (face_id f = 0; f < m->n_faces; f++) {
    const bool inside = f < m->n_interior;
    const way w = {m->cell_centre + 2 * (size_t)m->face_left[f],
                   inside ? m->cell_centre + 2 * (size_t)m->face_right[f] : m->face_centre + 2 * (size_t)f,
                   !inside};
    int times = 0;
    for (int i = 0; i + 1 < s->n_points; i++)
      times += crossing(s->point + 2 * (size_t)i, s->point + 2 * (size_t)i + 2, &w, along);
    for (int d = 0; d < 2; d++)
      values[(size_t)f * width + (size_t)d] =
          times * (inside ? 0.5 : 1.0) * m->face_normal[2 * (size_t)f + (size_t)d];
    crossed += times != 0;
  }
  return crossed;
}
