// What every method shares: the beginning and the end of a solve.

// `done` is the caller's flag.
KERNEL(csr_open, BUFFER(const int, done) BUFFER(int, idle) BUFFER(double, state))
{
  if (GROUP == 0 && ITEM == 0 && n > 0) {
    for (int k = 0; k < 2*STATE_SIZE; ++k) state[k] = 0.0;
    idle[0] = done[0] != 0;
    state[STATE_STOP] = state[STATE_SIZE + STATE_STOP] = done[0] != 0 ? STOP_IDLE : STOP_NOT;
  }
}
END

KERNEL(csr_totals, BUFFER(const double, b) BUFFER(const double, x) BUFFER(double, partial))
{
  VECTOR_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  FOR_ITEMS(i, 0) {
    mine.a += b[i];
    mine.b += x[i];
  }
  PUT_SUMS(mine, partial, 0)
}
END

KERNEL(csr_means, BUFFER(const double, partial) INT(groups) BUFFER(double, state) INT(keep_mean))
{
  VECTOR_LOCALS;
  const sums all = GET_SUMS(partial, groups);
  if (GROUP == 0 && ITEM == 0)
    for (int slot = 0; slot < 2; ++slot) {
      SLOT(state, slot)[STATE_SHIFT] = keep_mean ? 0.0 : all.a/n;
      SLOT(state, slot)[STATE_MEAN] = all.b/n;
    }
}
END

// The mean of x back to that of the guess.
KERNEL(csr_recentre, BUFFER(const double, partial) INT(groups) BUFFER(const double, state) BUFFER(double, x))
{
  VECTOR_LOCALS;
  const sums all = GET_SUMS(partial, groups);
  const double off = all.b/n - state[STATE_MEAN];
  FOR_ITEMS(i, 0) x[i] -= off;
}
END

// x as a whole so that x[row] = value, in two launches, for all of x is read and written by the second.
KERNEL(csr_pin, BUFFER(const double, x) INT(row) REAL(value) BUFFER(double, off))
{
  if (GROUP == 0 && ITEM == 0 && n > row) off[0] = x[row] - value;
}
END

KERNEL(csr_shift, BUFFER(const double, off) BUFFER(double, x))
{
  FOR_ITEMS(i, 0) x[i] -= off[0];
}
END

// The solution for b = 0.
KERNEL(csr_zero, BUFFER(const double, state) BUFFER(double, x))
{
  FOR_ITEMS(i, 0) x[i] = state[STATE_MEAN];
}
END

KERNEL(csr_scale, BUFFER(const double, from) REAL(factor) REAL(more) BUFFER(double, to))
{
  FOR_ITEMS(i, 0) to[i] = factor*from[i] + more;
}
END

KERNEL(csr_residual, MATRIX BUFFER(const double, state) BUFFER(const double, b) BUFFER(const double, x) BUFFER(double, r)
                     BUFFER(double, partial))
{
  ROWS_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const double shift = state[STATE_SHIFT];
  const int skip = state[STATE_STOP] == STOP_IDLE;
  FOR_ROWS(row, sum, x, skip) {
    const double centred = b[row] - shift, left = centred - (sum + diagonal[row]*x[row]);
    r[row] = left;
    mine.a += centred*centred;
    mine.b += fabs(centred);
    mine.c += left*left;
  } END_ROWS
  PUT_SUMS(mine, partial, skip)
}
END

static inline int begin_verdict(GLOBAL const double *state, int n, double slack, double least)
{
  const double bb = state[STATE_BB], shift = state[STATE_SHIFT], rr = state[STATE_RR];
  if (!isfinite(bb) || !isfinite(rr)) return STOP_NOT_FINITE;
  if (bb < least && state[STATE_VALUE] > 0.0) return STOP_SMALL;
  if (bb <= 1e-30*n*shift*shift) return STOP_ZERO; // nothing but the rounding of a constant
  return rr <= slack*state[STATE_LIMIT] ? STOP_CONVERGED : STOP_NOT;
}

// Both slots from the residual just computed. `again`: in the middle of a solve; |r| may then be 1 % over the limit, for the
// recurrence's residual and the true one differ by rounding. `piece`: the part of the residual at which iterations in single
// precision end, for this one to begin them again; 0: they are in double. As long as the true residual is the recurrence's, to a
// tenth, they go on in the same directions. `least`: |b|^2 below which b is to be enlarged; 0: it has been.
KERNEL(csr_begin, BUFFER(const double, partial) INT(groups) REAL(tolerance) REAL(piece) INT(iteration) INT(again)
                  REAL(least) BUFFER(double, state) BUFFER(int, idle) BUFFER(double, history))
{
  VECTOR_LOCALS;
  const sums all = GET_SUMS(partial, groups);
  if (GROUP == 0 && ITEM == 0 && state[STATE_STOP] != STOP_IDLE) {
    const double before = SLOT(state, state[STATE_STOP] == STOP_NOT)[STATE_RR]; // of the slot that has stopped
    const int goes_on = again && piece > 0.0 && all.c <= 1.21*before && before <= 1.21*all.c;
    for (int slot = 0; slot < 2; ++slot) {
      GLOBAL double *s = SLOT(state, slot);
      s[STATE_BB] = all.a;
      s[STATE_LIMIT] = fmax(tolerance*tolerance*all.a, piece*piece*all.c);
      s[STATE_RR] = all.c;
      s[STATE_ITERATION] = iteration;
      if (!goes_on) s[STATE_0] = s[STATE_1] = s[STATE_2] = s[STATE_3] = 0.0;
      s[STATE_VALUE] = all.b;
      s[STATE_STOP] = begin_verdict(s, n, again ? 1.0201 : 1.0, least);
    }
    idle[0] = state[STATE_STOP] != STOP_NOT;
    history[iteration] = sqrt(all.c);
  }
}
END
