// MINRES (Paige and Saunders 1975; preconditioned as by Elman, Silvester and Wathen, algorithm 6.1) in two kernels an iteration, for
// symmetric matrices that need not be definite. The preconditioner is positive definite: Jacobi divides by magnitudes.
//
// v: Lanczos vectors, not normalised, z = M v, gamma^2 = z.v. The step of an iteration needs the next one's gamma, so an update makes the
// step of the iteration before it, and the Lanczos vector of the next one. w, v and z alternate between two buffers each.
#ifdef JACOBI
#define SCALED(value, i) ((value)/fabs(diagonal[i]))
#else
#define SCALED(value, i) (value)
#endif

KERNEL(minres_start, BUFFER(const int, idle) BUFFER(double, numbers) BUFFER(const double, diagonal) BUFFER(const double, r) BUFFER(double, v)
                     BUFFER(double, v_other) BUFFER(double, z) BUFFER(double, z_other) BUFFER(double, w) BUFFER(double, w_other))
{
  (void)diagonal;
  if (GROUP == 0 && ITEM == 0 && idle[0] == 0)
    for (int k = 0; k < 2*MINRES_SIZE; ++k) numbers[k] = 0.0;
  FOR_ITEMS(i, idle[0]) {
    v[i] = r[i];
    z[i] = SCALED(r[i], i);
    v_other[i] = 0.0;
    z_other[i] = 0.0;
    w[i] = 0.0;
    w_other[i] = 0.0;
  }
}
END

// q = A z; sums: q.z, z.v, r.r
KERNEL(minres_product, MATRIX BUFFER(const int, idle) BUFFER(const double, z) BUFFER(const double, v) BUFFER(const double, r)
                       BUFFER(double, q) BUFFER(double, partial))
{
  ROWS_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const int skip = idle[0];
  FOR_ROWS(row, sum, z, skip) {
    const double here = z[row], image = sum + diagonal[row]*here;
    q[row] = image;
    mine.a += image*here;
    mine.b += here*v[row];
    mine.c += r[row]*r[row];
  } END_ROWS
  PUT_SUMS(mine, partial, skip)
}
END

// reached: the norm of A r over that of r (Choi, Paige and Saunders 2011, section 3), which is 0 at the least residual, to about
// the root of rounding: x grows without end behind that.
static inline int minres_verdict(GLOBAL const double *now, GLOBAL const double *old, const sums all, double reached, int iteration,
                                 int limit)
{
  const int stop = look_at(now, all.c, iteration, limit);
  if (stop != STOP_NOT) return stop;
  if (!isfinite(all.a) || !isfinite(all.b)) return STOP_NOT_FINITE;
  if (all.b < 0.0) return STOP_PRECONDITIONER;
  if (old[MINRES_GAMMA] != 0.0 && reached <= 2e-8*old[MINRES_LARGEST]) return STOP_OUTSIDE;
  if (all.b != 0.0 || old[MINRES_GAMMA] != 0.0) return STOP_NOT;
  return old[MINRES_NORM] == 0.0 ? STOP_PRECONDITIONER : STOP_BREAKDOWN; // M r = 0, or the Lanczos vectors have come to their end
}

KERNEL(minres_update, BUFFER(double, state) BUFFER(double, numbers) BUFFER(int, idle) BUFFER(double, history) BUFFER(const double, partial) INT(groups)
                      INT(iteration) INT(limit) BUFFER(const double, diagonal) BUFFER(const double, q) BUFFER(const double, v)
                      BUFFER(double, v_other) BUFFER(double, z_other) BUFFER(const double, w) BUFFER(double, w_other)
                      BUFFER(double, r) BUFFER(double, x))
{
  VECTOR_LOCALS;
  GLOBAL const double *now = SLOT(state, iteration), *old = numbers + (iteration & 1)*MINRES_SIZE;
  const sums all = GET_SUMS(partial, groups);
  const double before = old[MINRES_GAMMA], norm = old[MINRES_NORM];
  const int first = before == 0.0;
  const double cosine = first ? 1.0 : old[MINRES_COSINE], sine = first ? 0.0 : old[MINRES_SINE];
  const double cosine_0 = first ? 1.0 : old[MINRES_COSINE_0], sine_0 = first ? 0.0 : old[MINRES_SINE_0];
  const double gamma = sqrt(all.b), inverse = gamma > 0.0 ? 1.0/gamma : 0.0, delta = all.a*inverse*inverse;
  // the step of the iteration before
  const double alpha_0 = cosine*old[MINRES_DELTA] - cosine_0*sine*before, alpha_1 = sqrt(alpha_0*alpha_0 + all.b);
  const double alpha_2 = sine*old[MINRES_DELTA] + cosine_0*cosine*before, alpha_3 = sine_0*before;
  const double reached = sqrt(alpha_0*alpha_0 + cosine*cosine*all.b);
  const int stop = minres_verdict(now, old, all, reached, iteration, limit);
  const double over = first || alpha_1 == 0.0 ? 0.0 : 1.0/alpha_1;
  const double cosine_1 = first ? 1.0 : alpha_0*over, sine_1 = first ? 0.0 : alpha_1 > 0.0 ? gamma*over : 1.0;
  const double z_factor = first ? 0.0 : over/before, step = cosine_1*norm, left = -sine_1*norm;
  const double r_factor = sine_1*sine_1, v_factor = cosine_1*left*inverse;
  // the next Lanczos vector
  const double keep = delta*inverse, keep_other = first ? 0.0 : gamma/before;
  if (GROUP == 0 && ITEM == 0) {
    GLOBAL double *fresh = numbers + ((iteration + 1) & 1)*MINRES_SIZE;
    note(now, SLOT(state, iteration + 1), idle, history, all.c, all.b, stop, iteration);
    if (stop == STOP_NOT) {
      fresh[MINRES_GAMMA] = gamma;
      fresh[MINRES_DELTA] = delta;
      fresh[MINRES_COSINE] = cosine_1;
      fresh[MINRES_SINE] = sine_1;
      fresh[MINRES_COSINE_0] = cosine;
      fresh[MINRES_SINE_0] = sine;
      fresh[MINRES_NORM] = first ? gamma : left;
      fresh[MINRES_LARGEST] = !first && alpha_1 > old[MINRES_LARGEST] ? alpha_1 : old[MINRES_LARGEST];
    }
  }
  (void)diagonal;
  FOR_ITEMS(i, stop != STOP_NOT) {
    const double here = v[i], lanczos = q[i]*inverse - keep*here - keep_other*v_other[i];
    if (!first) {
      const double direction = z_factor*z_other[i] - over*(alpha_3*w_other[i] + alpha_2*w[i]);
      w_other[i] = direction;
      x[i] += step*direction;
      r[i] = r_factor*r[i] + v_factor*here;
    }
    v_other[i] = lanczos;
    z_other[i] = SCALED(lanczos, i);
  }
}
END
