/* Linear systems: the matrix as its equations say, solved by elimination, or by conjugate gradients where it is large. */
#include <math.h>
#include <string.h>

#include "reference/reference.h"

enum {
  ELIMINATED = 900,
  PATIENCE = 500
}; /* rows that are solved by elimination, a few seconds at most; iterations without a lesser residual */

typedef struct system_rows {
  dslc_reference *r;
  const ir_stmt *st;
  int32_t n;
  bool *held;
  double *diagonal, *entry; /* [n], [edges] */
  double *right, *x;
  bool singular; /* rows sum to zero and none is held: the solution is known but for a constant */
} system_rows;

static void multiply(const system_rows *y, const double *x, double *out) {
  const dslc_ref_mesh *m = y->r->world.mesh;
  for (int32_t i = 0; i < y->n; i++) {
    out[i] = y->diagonal[i] * x[i];
    for (int32_t k = m->node_start[i]; k < m->node_start[i + 1]; k++)
      out[i] += y->entry[k] * x[m->edge_second[k]];
  }
}

/* Rows and columns of held nodes become those of the identity. */
static void assemble(system_rows *y) {
  dslc_reference *r = y->r;
  const dslc_ref_mesh *m = r->world.mesh;
  double largest = 0, rest = 0;
  bool any = false;
  for (int32_t i = 0; i < y->n; i++) {
    ref_stand at = ref_stand_at(r, IR_NODES, i);
    y->held[i] = ref_is_held(r, y->st->unknown, i);
    any = any || y->held[i];
    y->diagonal[i] = y->held[i] ? 1 : *ref_value(r, &r->now, y->st->matrix, IR_DIAGONAL, i);
    y->right[i] = y->held[i] ? y->x[i] : ref_number(r, &r->now, &at, y->st->rhs);
    if (!isfinite(y->right[i]))
      ref_explain(r, &r->now, &at, y->st->rhs, "the right side of a linear system", y->st->at);
  }
  for (int32_t i = 0; i < y->n; i++) {
    double sum = y->diagonal[i];
    for (int32_t k = m->node_start[i]; k < m->node_start[i + 1]; k++) {
      int32_t j = m->edge_second[k];
      double a = *ref_value(r, &r->now, y->st->matrix, 0, k);
      sum += a;
      if (y->held[j] && !y->held[i]) y->right[i] -= a * y->x[j];
      y->entry[k] = y->held[i] || y->held[j] ? 0 : a;
    }
    largest = fmax(largest, fabs(y->diagonal[i]));
    rest = fmax(rest, fabs(sum));
  }
  y->singular = !any && rest <= 1e-10 * largest;
}

/* ---- elimination ------------------------------------------------------------------------------------------------------------ */

#define ROUNDING 1e-14 /* of its row's largest entry: what rounding leaves of a pivot of a singular matrix */

static void swap(double *a, double *b, int n) {
  for (int k = 0; k < n; k++) {
    const double t = a[k];
    a[k] = b[k], b[k] = t;
  }
}

static void substitute_back(const double *a, double *b, int n) {
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) b[i] -= a[(size_t)i * (size_t)n + (size_t)k] * b[k];
    b[i] /= a[(size_t)i * (size_t)n + (size_t)i];
  }
}

/* Gauss with partial pivoting; `size`: room for n numbers. A singular system is bordered: the mean of the solution is kept, that of the
 * right side lost. */
static bool eliminate(double *a, double *b, double *size, int n) {
  for (int i = 0; i < n; i++) {
    size[i] = 0;
    for (int k = 0; k < n; k++) size[i] = fmax(size[i], fabs(a[(size_t)i * (size_t)n + (size_t)k]));
  }
  for (int c = 0; c < n; c++) {
    double *row = a + (size_t)c * (size_t)n;
    int pivot = c;
    for (int i = c + 1; i < n; i++)
      if (fabs(a[(size_t)i * (size_t)n + (size_t)c]) > fabs(a[(size_t)pivot * (size_t)n + (size_t)c]))
        pivot = i;
    swap(row, a + (size_t)pivot * (size_t)n, n);
    swap(b + c, b + pivot, 1), swap(size + c, size + pivot, 1);
    if (fabs(row[c]) <= ROUNDING * size[c]) return false;
    for (int i = c + 1; i < n; i++) {
      double *below = a + (size_t)i * (size_t)n;
      const double f = below[c] / row[c];
      if (f == 0) continue;
      for (int k = c; k < n; k++) below[k] -= f * row[k];
      b[i] -= f * b[c];
    }
  }
  substitute_back(a, b, n);
  return true;
}

static bool solve_directly(const system_rows *y) {
  const dslc_ref_mesh *m = y->r->world.mesh;
  size_t n = (size_t)y->n + y->singular;
  double *a = arena_array(y->r->step_memory, double, n *n), *b = arena_array(y->r->step_memory, double, n);
  double *size = arena_array(y->r->step_memory, double, n);
  memcpy(b, y->right, (size_t)y->n * sizeof *b);
  for (size_t i = 0; i < (size_t)y->n; i++) {
    a[i * n + i] = y->diagonal[i];
    for (int32_t k = m->node_start[i]; k < m->node_start[i + 1]; k++)
      a[i * n + (size_t)m->edge_second[k]] += y->entry[k];
    if (!y->singular) continue;
    a[i * n + n - 1] = a[(n - 1) * n + i] = 1;
    b[n - 1] += y->x[i];
  }
  if (!eliminate(a, b, size, (int)n)) return false;
  memcpy(y->x, b, (size_t)y->n * sizeof *b);
  return true;
}

/* ---- stabilised bi-conjugate gradients ----------------------------------------------------------------------------------------- */

static double dot(const double *a, const double *b, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static void take_mean(double *x, int32_t n) {
  double mean = 0;
  for (int32_t i = 0; i < n; i++) mean += x[i] / n;
  for (int32_t i = 0; i < n; i++) x[i] -= mean;
}

/* Van der Vorst's method for the system scaled by its diagonal; restarted where it stands still, from where the residual was least: behind that
 * rounding alone is left, which may grow without bound where the system is singular. */
static bool iterate(const system_rows *y) {
  size_t n = (size_t)y->n;
  double *v[9];
  for (int i = 0; i < 9; i++) v[i] = arena_array(y->r->step_memory, double, n + 1);
  double *res = v[0], *shadow = v[1], *p = v[2], *q = v[3], *s = v[4], *t = v[5], *ph = v[6], *sh = v[7],
         *least_x = v[8];
  if (y->singular) take_mean(y->right, y->n);
  double goal = 1e-15 * sqrt(dot(y->right, y->right, y->n)), best = INFINITY;
  for (int restart = 0; restart < 40; restart++) {
    multiply(y, y->x, res);
    for (size_t i = 0; i < n; i++) res[i] = shadow[i] = y->right[i] - res[i], p[i] = q[i] = 0;
    double now = sqrt(dot(res, res, y->n)), rho = 1, alpha = 1, omega = 1;
    if (now <= 10 * goal || now >= best) return fmin(now, best) <= 1e4 * goal;
    double least = best = now;
    memcpy(least_x, y->x, n * sizeof *least_x);
    for (int it = 0, since = 0; it < 2 * y->n && now > goal && since < PATIENCE; it++, since++) {
      double next = dot(shadow, res, y->n), beta = next / rho * alpha / omega;
      rho = next;
      for (size_t i = 0; i < n; i++)
        p[i] = res[i] + beta * (p[i] - omega * q[i]), ph[i] = p[i] / y->diagonal[i];
      multiply(y, ph, q);
      alpha = rho / dot(shadow, q, y->n);
      for (size_t i = 0; i < n; i++) s[i] = res[i] - alpha * q[i], sh[i] = s[i] / y->diagonal[i];
      multiply(y, sh, t);
      omega = dot(t, s, y->n) / dot(t, t, y->n);
      if (!isfinite(alpha) || !isfinite(omega)) break;
      for (size_t i = 0; i < n; i++) y->x[i] += alpha * ph[i] + omega * sh[i], res[i] = s[i] - omega * t[i];
      now = sqrt(dot(res, res, y->n));
      if (!(now < least)) continue;
      least = now, since = 0;
      memcpy(least_x, y->x, n * sizeof *least_x);
    }
    memcpy(y->x, least_x, n * sizeof *least_x);
  }
  return false;
}

/* ---- the statement --------------------------------------------------------------------------------------------------------------- */

void ref_solve(dslc_reference *r, const ir_stmt *st) {
  size_t edges = (size_t)r->world.count[IR_EDGES], n = (size_t)r->world.count[IR_NODES];
  double end = r->size.begin + r->size.dt_value, mean = 0;
  ref_begin_assigning(r);
  ref_env *before = r->rules.before;
  ref_fix_states(r, &st->unknown, 1, end);
  system_rows y = {.r = r, .st = st, .n = (int32_t)n, .held = arena_array(r->step_memory, bool, n + 1)};
  y.diagonal = arena_array(r->step_memory, double, n + 1);
  y.entry = arena_array(r->step_memory, double, edges + 1);
  y.right = arena_array(r->step_memory, double, n + 1);
  y.x = arena_array(r->step_memory, double, n + 1);
  memcpy(y.x, ref_field_of(&r->now, st->unknown, 0)->value, n * sizeof *y.x);
  for (size_t i = 0; i < n; i++) mean += y.x[i] / (double)n;
  assemble(&y);
  bool solved = y.n <= ELIMINATED ? solve_directly(&y) : iterate(&y);
  if (!solved)
    ref_fail(r, DSLC_REF_SINGULAR, "%s: the linear system for `%s` has no solution", ref_line_text(r, st->at),
             ir_symbol_get(r->m, st->unknown)->text);
  if (y.singular && y.n > ELIMINATED) {
    take_mean(y.x, y.n);
    for (size_t i = 0; i < n; i++) y.x[i] += mean;
  }
  memcpy(ref_field_of(&r->now, st->unknown, 0)->value, y.x, n * sizeof *y.x);
  r->rules.before = before; /* of the same statement */
  ref_fix_states(r, &st->unknown, 1, end);
}
