// A V-cycle in single precision: half the traffic of the solver's own arithmetic, which corrects what rounding does here.
//
// Rows lie in slices of SLICE: entry k of row i at start[i/SLICE] + i%SLICE + k*SLICE; rows shorter than their slice are filled up
// with zeros. A matrix is applied as rest_i x_i + sum a_ij (x_j - x_i), where rest is the sum of row i, summed in double precision:
// constants stay in the kernel of a matrix without rests, and the rounding of a_ij is one of the coupling alone.
#define FOR_ENTRIES(k, i, start) \
  for (int k = start[(i)/SLICE] + (i)%SLICE, last_##k = start[(i)/SLICE + 1]; k < last_##k; k += SLICE)

static inline float residual_of(int i, GLOBAL const int *start, GLOBAL const int *col, GLOBAL const float *value,
                                GLOBAL const float *rest, GLOBAL const float *b, GLOBAL const float *x)
{
  const float here = x[i];
  float sum = rest[i]*here;
  FOR_ENTRIES(k, i, start) sum += value[k]*(x[col[k]] - here);
  return b[i] - sum;
}

static inline float product_of(int i, GLOBAL const int *start, GLOBAL const int *col, GLOBAL const float *value,
                               GLOBAL const float *x)
{
  float sum = 0.0f;
  FOR_ENTRIES(k, i, start) sum += value[k]*x[col[k]];
  return sum;
}

#define ROWS BUFFER(const int, start) BUFFER(const int, col) BUFFER(const float, value)
#define LEVEL ROWS BUFFER(const float, rest) BUFFER(const float, inverse)

// The finest level from the system's values, times `scale`. inverse: 1 over the row's sum of magnitudes, so that the spectrum of
// inverse*A lies within [0, 1] whatever the matrix is.
KERNEL(mg_take, BUFFER(const int, from_start) BUFFER(const double, off) BUFFER(const double, diagonal) REAL(scale)
       BUFFER(const int, start) BUFFER(float, value) BUFFER(float, rest) BUFFER(float, inverse))
{
  FOR_ITEMS(i, 0) {
    const int begin = from_start[i], first = start[i/SLICE] + i%SLICE;
    double sum = diagonal[i], magnitude = fabs(sum);
    for (int k = begin; k < from_start[i + 1]; ++k) {
      sum += off[k];
      magnitude += fabs(off[k]);
      value[first + (k - begin)*SLICE] = (float)(scale*off[k]);
    }
    rest[i] = (float)(scale*sum);
    inverse[i] = magnitude > 0.0 ? (float)(1.0/(scale*magnitude)) : 0.0f;
  }
}
END

// b = scale r, x = first inverse b: the first step of smoothing from 0.
KERNEL(mg_begin, BUFFER(const int, idle) BUFFER(const double, r) REAL(scale) REAL(first) BUFFER(const float, inverse)
       BUFFER(float, b) BUFFER(float, x))
{
  FOR_ITEMS(i, idle[0]) {
    const float mine = (float)(scale*r[i]);
    b[i] = mine;
    x[i] = (float)first*inverse[i]*mine;
  }
}
END

// next = x + forward (x - before) - from_zero + step inverse (b - A x); `before` is 0 where `old` is 0. Overwrites `before`.
KERNEL(mg_smooth, BUFFER(const int, idle) LEVEL BUFFER(const float, b) BUFFER(const float, x) REAL(forward) REAL(old) REAL(step)
       BUFFER(float, next))
{
  const float f = (float)forward, o = (float)old, s = (float)step;
  FOR_ITEMS(i, idle[0]) {
    float moved = x[i] + f*x[i];
    if (o != 0.0f) moved -= o*next[i];
    next[i] = moved + s*inverse[i]*residual_of(i, start, col, value, rest, b, x);
  }
}
END

// The same as the cycle's last step; `before` stays.
KERNEL(mg_finish, BUFFER(const int, idle) LEVEL BUFFER(const float, b) BUFFER(const float, x) REAL(forward) REAL(old) REAL(step)
       BUFFER(const float, before) BUFFER(double, z))
{
  const float f = (float)forward, o = (float)old, s = (float)step;
  FOR_ITEMS(i, idle[0]) {
    float moved = x[i] + f*x[i];
    if (o != 0.0f) moved -= o*before[i];
    z[i] = moved + s*inverse[i]*residual_of(i, start, col, value, rest, b, x);
  }
}
END

KERNEL(mg_residual, BUFFER(const int, idle) LEVEL BUFFER(const float, b) BUFFER(const float, x) BUFFER(float, r))
{
  (void)inverse;
  FOR_ITEMS(i, idle[0]) r[i] = residual_of(i, start, col, value, rest, b, x);
}
END

// b = R r on the next level, and the first step of smoothing there.
KERNEL(mg_restrict, BUFFER(const int, idle) ROWS BUFFER(const float, r) REAL(first) BUFFER(const float, inverse) BUFFER(float, b)
       BUFFER(float, x))
{
  FOR_ITEMS(i, idle[0]) {
    const float sum = product_of(i, start, col, value, r);
    b[i] = sum;
    x[i] = (float)first*inverse[i]*sum;
  }
}
END

// x += P e
KERNEL(mg_prolong, BUFFER(const int, idle) ROWS BUFFER(const float, e) BUFFER(float, x))
{
  FOR_ITEMS(i, idle[0]) x[i] += product_of(i, start, col, value, e);
}
END

// x = A^-1 b with a symmetric dense inverse: neighbouring items read neighbouring columns, a lone item its row.
KERNEL(mg_dense, BUFFER(const int, idle) BUFFER(const float, dense) BUFFER(const float, b) BUFFER(float, x))
{
  FOR_ITEMS(i, idle[0]) {
    float sum = 0.0f;
#if WORKGROUP_SIZE_BITS == 0
    for (int j = 0; j < n; ++j) sum += dense[i*n + j]*b[j];
#else
    for (int j = 0; j < n; ++j) sum += dense[j*n + i]*b[j];
#endif
    x[i] = sum;
  }
}
END

// z = x for a hierarchy of one level that is solved directly.
KERNEL(mg_widen, BUFFER(const int, idle) BUFFER(const float, x) BUFFER(double, z))
{
  FOR_ITEMS(i, idle[0]) z[i] = x[i];
}
END
