// GMRES (Saad and Schultz 1986), begun anew every GMRES_BASIS iterations, preconditioned from the right: x = x_0 + M V y. Orthogonal to
// rounding by classical Gram-Schmidt done twice, whose sums are those of whole vectors side by side.
//
// basis: GMRES_BASIS vectors. small: the column that is being made, the triangle, the rotations, the rotated right-hand side, y; see
// state.inc. What an iteration finds is the residual of the one before it, from the rotations.
#ifdef JACOBI
#define SCALED(value, i) ((value)/diagonal[i])
#else
#define SCALED(value, i) (value)
#endif
#define VECTOR(k) (basis + (long)(k)*n)

// The residual's norm as the beginning of a basis.
KERNEL(gmres_open, BUFFER(const int, idle) BUFFER(const double, state) BUFFER(double, small))
{
  if (GROUP == 0 && ITEM == 0 && n > 0 && idle[0] == 0) small[GMRES_NORM] = small[GMRES_RIGHT] = sqrt(state[STATE_RR]);
}
END

// Vector k of the basis from one that has the length small[GMRES_NORM]; p = M of it, or the same where M has kernels of its own.
KERNEL(gmres_next, BUFFER(const int, idle) BUFFER(const double, small) INT(k) BUFFER(const double, diagonal) BUFFER(const double, from)
                   BUFFER(double, basis) BUFFER(double, p))
{
  const double norm = small[GMRES_NORM], inverse = norm > 0.0 ? 1.0/norm : 0.0;
  GLOBAL double *to = VECTOR(k);
  (void)diagonal;
  FOR_ITEMS(i, idle[0]) {
    const double value = inverse*from[i];
    to[i] = value;
    p[i] = SCALED(value, i);
  }
}
END

KERNEL(gmres_look, BUFFER(double, state) BUFFER(int, idle) BUFFER(double, history) BUFFER(const double, small) INT(k) INT(iteration)
                   INT(limit))
{
  if (GROUP == 0 && ITEM == 0 && n > 0) {
    GLOBAL const double *now = SLOT(state, iteration);
    const double norm = small[GMRES_RIGHT + k], rr = norm*norm;
    const int look = look_at(now, rr, iteration, limit);
    const int stop = look == STOP_NOT && k > 0 && small[GMRES_NORM] == 0.0 ? STOP_BREAKDOWN : look;
    note(now, SLOT(state, iteration + 1), idle, history, rr, norm, stop, iteration);
  }
}
END

KERNEL(gmres_product, MATRIX BUFFER(const int, idle) BUFFER(const double, z) BUFFER(double, w))
{
  ROWS_LOCALS;
  FOR_ROWS(row, sum, z, idle[0]) { w[row] = sum + diagonal[row]*z[row]; } END_ROWS
}
END

// partial: [count rounded up to threes][groups], the products of w with the basis
KERNEL(gmres_dots, BUFFER(const int, idle) BUFFER(const double, basis) BUFFER(const double, w) INT(count) BUFFER(double, partial))
{
  VECTOR_LOCALS;
  const int skip = idle[0];
  for (int first = 0; first < count; first += 3) {
    GLOBAL const double *a = VECTOR(first), *b = VECTOR(first + 1 < count ? first + 1 : first),
                        *c = VECTOR(first + 2 < count ? first + 2 : first);
    GLOBAL double *to = partial + first*GROUPS;
    sums mine = {0.0, 0.0, 0.0};
    FOR_ITEMS(i, skip) {
      mine.a += a[i]*w[i];
      mine.b += b[i]*w[i];
      mine.c += c[i]*w[i];
    }
    PUT_SUMS(mine, to, skip)
  }
}
END

// What is to be taken off w; `again`: added to the column, which else begins with it.
KERNEL(gmres_totals, BUFFER(const int, idle) BUFFER(const double, partial) INT(groups) INT(count) INT(again) BUFFER(double, small))
{
  VECTOR_LOCALS;
  const int mine = GROUP == 0 && ITEM == 0 && idle[0] == 0 && n > 0;
  for (int first = 0; first < count; first += 3) {
    const sums all = GET_SUMS(partial + first*groups, groups);
    const double values[3] = {all.a, all.b, all.c};
    for (int k = 0; k < 3; ++k)
      if (mine && first + k < count) {
        small[GMRES_OFF + first + k] = values[k];
        small[GMRES_COLUMN + first + k] = values[k] + (again != 0 ? small[GMRES_COLUMN + first + k] : 0.0);
      }
  }
}
END

// sums: -, -, w.w
KERNEL(gmres_take_off, BUFFER(const int, idle) BUFFER(const double, basis) BUFFER(const double, small) INT(count) BUFFER(double, w)
                       BUFFER(double, partial))
{
  VECTOR_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const int skip = idle[0];
  FOR_ITEMS(i, skip) {
    double value = w[i];
    for (int k = 0; k < count; ++k) value -= small[GMRES_OFF + k]*VECTOR(k)[i];
    w[i] = value;
    mine.c += value*value;
  }
  PUT_SUMS(mine, partial, skip)
}
END

// The column into the triangle, by Givens' rotations. What is left of it after the passes may be rounding: then the basis ends here, and if
// the pivot is rounding, too, the column makes no step.
KERNEL(gmres_rotate, BUFFER(const int, idle) BUFFER(const double, partial) INT(groups) INT(k) BUFFER(double, small))
{
  VECTOR_LOCALS;
  const sums all = GET_SUMS(partial, groups);
  if (GROUP == 0 && ITEM == 0 && idle[0] == 0 && n > 0) {
    double whole = all.c;
    for (int i = 0; i <= k; ++i) whole += small[GMRES_COLUMN + i]*small[GMRES_COLUMN + i];
    const double least = 1e-14*sqrt(whole), norm = sqrt(all.c) > least ? sqrt(all.c) : 0.0;
    for (int i = 0; i < k; ++i) {
      const double c = small[GMRES_COSINE + i], s = small[GMRES_SINE + i], upper = small[GMRES_COLUMN + i],
                   lower = small[GMRES_COLUMN + i + 1];
      small[GMRES_TRIANGLE + k*GMRES_BASIS + i] = c*upper + s*lower;
      small[GMRES_COLUMN + i + 1] = c*lower - s*upper;
    }
    const double pivot = small[GMRES_COLUMN + k], last = fabs(pivot) > least ? pivot : 0.0, length = sqrt(last*last + norm*norm);
    const double c = length > 0.0 ? last/length : 0.0, s = length > 0.0 ? norm/length : 1.0;
    small[GMRES_TRIANGLE + k*GMRES_BASIS + k] = length;
    small[GMRES_COSINE + k] = c;
    small[GMRES_SINE + k] = s;
    small[GMRES_RIGHT + k + 1] = -s*small[GMRES_RIGHT + k];
    small[GMRES_RIGHT + k] = c*small[GMRES_RIGHT + k];
    small[GMRES_NORM] = norm;
  }
}
END

KERNEL(gmres_substitute, BUFFER(const int, idle) INT(count) BUFFER(double, small))
{
  if (GROUP == 0 && ITEM == 0 && idle[0] == 0 && n > 0)
    for (int i = count - 1; i >= 0; --i) {
      double left = small[GMRES_RIGHT + i];
      for (int k = i + 1; k < count; ++k) left -= small[GMRES_TRIANGLE + k*GMRES_BASIS + i]*small[GMRES_Y + k];
      const double pivot = small[GMRES_TRIANGLE + i*GMRES_BASIS + i];
      small[GMRES_Y + i] = pivot != 0.0 ? left/pivot : 0.0;
    }
}
END

// p = M V y, or V y where M has kernels of its own
KERNEL(gmres_combine, BUFFER(const int, idle) BUFFER(const double, basis) BUFFER(const double, small) INT(count)
                      BUFFER(const double, diagonal) BUFFER(double, p))
{
  (void)diagonal;
  FOR_ITEMS(i, idle[0]) {
    double value = 0.0;
    for (int k = 0; k < count; ++k) value += small[GMRES_Y + k]*VECTOR(k)[i];
    p[i] = SCALED(value, i);
  }
}
END

KERNEL(gmres_add, BUFFER(const int, idle) BUFFER(const double, p) BUFFER(double, x))
{
  FOR_ITEMS(i, idle[0]) x[i] += p[i];
}
END

// sums: -, -, r.r
KERNEL(gmres_residual, MATRIX BUFFER(const int, idle) BUFFER(const double, state) BUFFER(const double, b) BUFFER(const double, x)
                       BUFFER(double, r) BUFFER(double, partial))
{
  ROWS_LOCALS;
  sums mine = {0.0, 0.0, 0.0};
  const double shift = state[STATE_SHIFT];
  const int skip = idle[0];
  FOR_ROWS(row, sum, x, skip) {
    const double left = b[row] - shift - (sum + diagonal[row]*x[row]);
    r[row] = left;
    mine.c += left*left;
  } END_ROWS
  PUT_SUMS(mine, partial, skip)
}
END

KERNEL(gmres_again, BUFFER(const int, idle) BUFFER(const double, partial) INT(groups) BUFFER(double, small))
{
  VECTOR_LOCALS;
  const sums all = GET_SUMS(partial, groups);
  if (GROUP == 0 && ITEM == 0 && idle[0] == 0 && n > 0) small[GMRES_NORM] = small[GMRES_RIGHT] = sqrt(all.c);
}
END
