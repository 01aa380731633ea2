// Conjugate gradients in two kernels an iteration: a product with the three sums that the iteration needs, and an update; or, for
// point preconditioners, in one: an update with the product of the next iteration.
//
// Point preconditioners (none, Jacobi) keep z = M r alone: with M = 1/d the residual is d z, and the product's w = M A z makes the
// update free of d. An EXPLICIT preconditioner needs r and z, and queues z = M r before the product.
#ifdef EXPLICIT
#define PRECONDITIONED BUFFER(const real, z)
#define Z(i) z[i]
#else
#define PRECONDITIONED
#define Z(i) r[i]
#endif

#ifdef JACOBI
#define RESIDUAL(d, here, row) ((d)*(here))
#else
#define RESIDUAL(d, here, row) r[row]
#endif

// w at a row, and what the row adds to r.z, z.Az, r.r. `sum`: of the entries off the diagonal d; here: z.
static inline real row_of_product(real d, real here, real residual, real sum, sums *mine)
{
  const real az = sum + d*here;
  mine->a += (double)residual*here;
  mine->b += (double)az*here;
  mine->c += (double)residual*residual;
#ifdef JACOBI
  return here + sum/d;
#else
  return az;
#endif
}

// sums: r.z, z.Az, r.r
KERNEL(cg_product, MATRIX BUFFER(const int, idle) PRECONDITIONED BUFFER(const real, r) BUFFER(real, w) BUFFER(double, partial))
{
  ROWS_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const int skip = idle[0];
#ifdef EXPLICIT
  FOR_ROWS(row, sum, z, skip) {
#else
  FOR_ROWS(row, sum, r, skip) {
#endif
    const real d = diagonal[row], here = Z(row);
    w[row] = row_of_product(d, here, RESIDUAL(d, here, row), sum, &mine);
  } END_ROWS
  PUT_SUMS(mine, partial, skip)
}
END

#ifndef SINGLE // which begins as single.cl says
// r comes in as the residual and leaves as z where the preconditioner is a point's; p and s are the second pair of vectors.
KERNEL(cg_start, BUFFER(const int, idle) BUFFER(const double, diagonal) BUFFER(real, r) BUFFER(real, p) BUFFER(real, s))
{
  FOR_ITEMS(i, idle[0]) {
#ifdef JACOBI
    r[i] /= diagonal[i];
#else
    (void)diagonal, (void)r;
#endif
    p[i] = 0.0;
    s[i] = 0.0;
  }
}
END
#endif

static inline int cg_verdict(GLOBAL const double *now, const sums all, double curvature, int iteration, int limit)
{
  const int stop = look_at(now, all.c, iteration, limit);
  if (stop != STOP_NOT) return stop;
  if (!isfinite(all.a) || !isfinite(curvature)) return STOP_NOT_FINITE;
  if (all.a <= 0.0) return STOP_PRECONDITIONER;
  return curvature <= 0.0 ? STOP_INDEFINITE : STOP_NOT;
}

// Chronopoulos and Gear (1989): p = z + beta p, s = A p by the same recurrence, so that both sums come from one product.
// STATE_0: r.z, STATE_1: alpha, of the iteration before; 0: none.
typedef struct { double alpha, beta, curvature; int stop; } cg_step;

static inline cg_step cg_look(GLOBAL const double *now, const sums all, int iteration, int limit)
{
  cg_step step;
  const int first = now[STATE_0] == 0.0;
  step.beta = first ? 0.0 : all.a/now[STATE_0];
  step.curvature = first ? all.b : all.b - step.beta*all.a/now[STATE_1];
  step.alpha = all.a/step.curvature;
  step.stop = cg_verdict(now, all, step.curvature, iteration, limit);
  return step;
}

// By one item.
static inline void cg_note(GLOBAL const double *now, GLOBAL double *next, GLOBAL int *idle, GLOBAL double *history, const sums all,
                           const cg_step step, int iteration)
{
  note(now, next, idle, history, all.c, step.stop == STOP_PRECONDITIONER ? all.a : step.curvature, step.stop, iteration);
  if (step.stop != STOP_NOT) return;
  next[STATE_0] = all.a;
  next[STATE_1] = step.alpha;
}

KERNEL(cg_update, BUFFER(double, state) BUFFER(int, idle) BUFFER(double, history) BUFFER(const double, partial) INT(groups)
                  INT(iteration) INT(limit) BUFFER(const real, w) PRECONDITIONED BUFFER(real, r) BUFFER(real, p)
                  BUFFER(real, s) BUFFER(real, x))
{
  VECTOR_LOCALS;
  GLOBAL const double *now = SLOT(state, iteration);
  const sums all = GET_SUMS(partial, groups);
  const cg_step step = cg_look(now, all, iteration, limit);
  if (GROUP == 0 && ITEM == 0) cg_note(now, SLOT(state, iteration + 1), idle, history, all, step, iteration);
  const real alpha = (real)step.alpha, beta = (real)step.beta;
  FOR_ITEMS(i, step.stop != STOP_NOT) {
    const real direction = Z(i) + beta*p[i], image = w[i] + beta*s[i];
    p[i] = direction;
    s[i] = image;
    x[i] += alpha*direction;
    r[i] -= alpha*image;
  }
}
END

#ifdef MERGED
// The same update, and the product for the next one, which works out what the update leaves at the other ends of a row's entries: a
// launch less, for three values of each entry's column instead of one. What others read goes to a second buffer.
KERNEL(cg_merged, MATRIX BUFFER(double, state) BUFFER(int, idle) BUFFER(double, history) BUFFER(const double, partial) INT(groups)
                  INT(iteration) INT(limit) BUFFER(const real, w) BUFFER(const real, s) BUFFER(const real, before)
                  BUFFER(real, w_next) BUFFER(real, s_next) BUFFER(real, r) BUFFER(real, p) BUFFER(real, x)
                  BUFFER(double, partial_next))
{
  ROWS_LOCALS;
  GLOBAL const double *now = SLOT(state, iteration);
  const sums all = GET_SUMS(partial, groups);
  const cg_step step = cg_look(now, all, iteration, limit);
  const int skip = step.stop != STOP_NOT;
  const real alpha = (real)step.alpha, beta = (real)step.beta;
  const vector_seen after = {before, w, s, alpha, beta};
  sums mine = {0.0, 0.0, 0.0};
  if (GROUP == 0 && ITEM == 0) cg_note(now, SLOT(state, iteration + 1), idle, history, all, step, iteration);
  FOR_ROWS_SEEN(row, sum, after, skip) {
    const real d = diagonal[row], direction = before[row] + beta*p[row], image = w[row] + beta*s[row],
               here = before[row] - alpha*image;
    p[row] = direction;
    s_next[row] = image;
    x[row] += alpha*direction;
    r[row] = here;
    w_next[row] = row_of_product(d, here, RESIDUAL(d, here, row), sum, &mine);
  } END_ROWS
  PUT_SUMS(mine, partial_next, skip)
}
END
#endif

// Saad, Iterative Methods for Sparse Linear Systems, algorithm 6.18: x and r each from their last two values; the other buffer of
// each pair holds the last but one and takes the new one. STATE_0: r.z, STATE_1: gamma, STATE_2: rho.
KERNEL(cg_three_term, BUFFER(double, state) BUFFER(int, idle) BUFFER(double, history) BUFFER(const double, partial) INT(groups)
                      INT(iteration) INT(limit) BUFFER(const double, w) PRECONDITIONED BUFFER(const double, r)
                      BUFFER(double, r_other) BUFFER(const double, x) BUFFER(double, x_other))
{
  VECTOR_LOCALS;
  GLOBAL const double *now = SLOT(state, iteration);
  const sums all = GET_SUMS(partial, groups);
  const double gamma = all.a/all.b;
  const double rho = now[STATE_0] == 0.0 ? 1.0 : 1.0/(1.0 - gamma*all.a/(now[STATE_1]*now[STATE_0]*now[STATE_2]));
  const int stop = cg_verdict(now, all, all.b, iteration, limit);
  if (GROUP == 0 && ITEM == 0) {
    GLOBAL double *next = SLOT(state, iteration + 1);
    note(now, next, idle, history, all.c, stop == STOP_PRECONDITIONER ? all.a : all.b, stop, iteration);
    if (stop == STOP_NOT) {
      next[STATE_0] = all.a;
      next[STATE_1] = gamma;
      next[STATE_2] = rho;
    }
  }
  FOR_ITEMS(i, stop != STOP_NOT) {
    r_other[i] = rho*(r[i] - gamma*w[i]) + (1.0 - rho)*r_other[i];
    x_other[i] = rho*(x[i] + gamma*Z(i)) + (1.0 - rho)*x_other[i];
  }
}
END
