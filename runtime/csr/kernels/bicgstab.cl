// BiCGStab (van der Vorst 1992), preconditioned from the right, in five kernels an iteration. y = M p and z = M s; a Jacobi
// preconditioner is fused, an EXPLICIT one queues them between two kernels.
//
// STATE_0: rho, STATE_1: alpha, STATE_2: omega. `middle`: alpha, while the iteration lasts. A denominator of 0 leaves its step out,
// and the direction begins anew from r; rho = 0 stops, and the solver begins anew.
#ifdef JACOBI
#define SCALED(value, i) ((value)/diagonal[i])
#else
#define SCALED(value, i) (value)
#endif

KERNEL(bicg_start, BUFFER(const int, idle) BUFFER(const double, r) BUFFER(double, shadow) BUFFER(double, p) BUFFER(double, v)
                   BUFFER(double, partial))
{
  VECTOR_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const int skip = idle[0];
  FOR_ITEMS(i, skip) {
    shadow[i] = r[i];
    p[i] = 0.0;
    v[i] = 0.0;
    mine.a += r[i]*r[i];
  }
  mine.c = mine.a;
  PUT_SUMS(mine, partial, skip)
}
END

static inline int bicg_verdict(GLOBAL const double *now, const sums all, int iteration, int limit)
{
  const int stop = look_at(now, all.c, iteration, limit);
  if (stop != STOP_NOT) return stop;
  if (!isfinite(all.a)) return STOP_NOT_FINITE;
  return all.a == 0.0 ? STOP_BREAKDOWN : STOP_NOT;
}

// sums: shadow.r, -, r.r
KERNEL(bicg_direction, BUFFER(double, state) BUFFER(int, idle) BUFFER(double, history) BUFFER(const double, partial) INT(groups)
                       INT(iteration) INT(limit) BUFFER(const double, diagonal) BUFFER(const double, r) BUFFER(const double, v)
                       BUFFER(double, p) BUFFER(double, y))
{
  VECTOR_LOCALS;
  GLOBAL const double *now = SLOT(state, iteration);
  const sums all = GET_SUMS(partial, groups);
  const double omega = now[STATE_2];
  const double beta = omega == 0.0 ? 0.0 : all.a/now[STATE_0]*(now[STATE_1]/omega);
  const int stop = bicg_verdict(now, all, iteration, limit);
  if (GROUP == 0 && ITEM == 0) {
    GLOBAL double *next = SLOT(state, iteration + 1);
    note(now, next, idle, history, all.c, all.a, stop, iteration);
    if (stop == STOP_NOT) next[STATE_0] = all.a;
  }
  (void)diagonal;
  FOR_ITEMS(i, stop != STOP_NOT) {
    const double direction = r[i] + beta*(p[i] - omega*v[i]);
    p[i] = direction;
    y[i] = SCALED(direction, i);
  }
}
END

// v = A y; sums: shadow.v
KERNEL(bicg_product, MATRIX BUFFER(const int, idle) BUFFER(const double, y) BUFFER(const double, shadow) BUFFER(double, v)
                     BUFFER(double, partial))
{
  ROWS_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const int skip = idle[0];
  FOR_ROWS(row, sum, y, skip) {
    const double image = sum + diagonal[row]*y[row];
    v[row] = image;
    mine.a += shadow[row]*image;
  } END_ROWS
  PUT_SUMS(mine, partial, skip)
}
END

// s = r - alpha v, in the place of r
KERNEL(bicg_half, BUFFER(const double, state) BUFFER(const int, idle) BUFFER(const double, partial) INT(groups) INT(iteration)
                  BUFFER(const double, diagonal) BUFFER(const double, v) BUFFER(double, r) BUFFER(double, z) BUFFER(double, middle))
{
  VECTOR_LOCALS;
  const sums all = GET_SUMS(partial, groups);
  const double alpha = all.a == 0.0 ? 0.0 : SLOT(state, iteration + 1)[STATE_0]/all.a;
  const int skip = idle[0];
  if (GROUP == 0 && ITEM == 0 && !skip) middle[0] = alpha;
  (void)diagonal;
  FOR_ITEMS(i, skip) {
    const double rest = r[i] - alpha*v[i];
    r[i] = rest;
    z[i] = SCALED(rest, i);
  }
}
END

// t = A z; sums: t.s, t.t
KERNEL(bicg_second, MATRIX BUFFER(const int, idle) BUFFER(const double, z) BUFFER(const double, s) BUFFER(double, t)
                    BUFFER(double, partial))
{
  ROWS_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const int skip = idle[0];
  FOR_ROWS(row, sum, z, skip) {
    const double image = sum + diagonal[row]*z[row];
    t[row] = image;
    mine.a += image*s[row];
    mine.b += image*image;
  } END_ROWS
  PUT_SUMS(mine, partial, skip)
}
END

KERNEL(bicg_update, BUFFER(double, state) BUFFER(const int, idle) BUFFER(const double, partial) INT(groups) INT(iteration)
                    BUFFER(const double, middle) BUFFER(const double, y) BUFFER(const double, z) BUFFER(const double, t)
                    BUFFER(const double, shadow) BUFFER(double, r) BUFFER(double, x) BUFFER(double, partial_next))
{
  VECTOR_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const sums all = GET_SUMS(partial, groups);
  const double alpha = middle[0], omega = all.b > 0.0 ? all.a/all.b : 0.0;
  const int skip = idle[0];
  if (GROUP == 0 && ITEM == 0 && !skip) {
    GLOBAL double *next = SLOT(state, iteration + 1);
    next[STATE_1] = alpha;
    next[STATE_2] = omega;
  }
  FOR_ITEMS(i, skip) {
    const double left = r[i] - omega*t[i];
    x[i] += alpha*y[i] + omega*z[i];
    r[i] = left;
    mine.a += shadow[i]*left;
    mine.c += left*left;
  }
  PUT_SUMS(mine, partial_next, skip)
}
END
