// A V-cycle in single precision: half the traffic of the solver's own arithmetic, which corrects what rounding does here.
//
// A row is dealt to LANES neighbouring items, entry k to item k%LANES; what an item has is a line. Lines lie in slices of SLICE:
// entry k of line i at PLACE(i) + k*SLICE; those shorter than their slice are filled up with zeros.
//
// A matrix is applied as rest_i x_i + sum a_ij (x_j - x_i), where rest is the sum of row i, summed in double precision: constants
// stay in the kernel of a matrix without rests, and the rounding of a_ij is one of the coupling alone.
#define LANES (1 << LANES_BITS)
#define SLICE (1 << SLICE_BITS)
#define PLACE(i) (start[(i) >> SLICE_BITS] + ((i) & (SLICE - 1)))

static inline float line(int i, GLOBAL const int *start, GLOBAL const int *col, GLOBAL const float *value, GLOBAL const float *x,
                         float origin)
{
  float sum = 0.0f;
  for (int k = PLACE(i), last = start[(i >> SLICE_BITS) + 1]; k < last; k += SLICE) sum += value[k]*(x[col[k]] - origin);
  return sum;
}

// For every row i, by one item: sum = sum over its entries of value (x - origin).
#if LANES_BITS == 0
#define ROWS_LOCALS
#define FOR_ROWS(i, sum, x, origin, skip) \
  FOR_ITEMS(i, skip) {                    \
    const float sum = line(i, start, col, value, x, origin);
#define END_ROWS }
#else
#define GROUP_ROWS (WORKGROUP_SIZE/LANES)
#define ROWS_LOCALS LOCAL float scratch[WORKGROUP_SIZE]
#define FOR_ROWS(i, sum, x, origin, skip)                                                                       \
  for (int block_ = GROUP, last_ = (skip) ? 0 : (n + GROUP_ROWS - 1)/GROUP_ROWS; block_ < last_; block_ += GROUPS) { \
    const int i = block_*GROUP_ROWS + (ITEM >> LANES_BITS);                                                               \
    BARRIER;                                                                                                    \
    scratch[ITEM] = i < n ? line(i*LANES + (ITEM & (LANES - 1)), start, col, value, x, origin) : 0.0f;                    \
    BARRIER;                                                                                                    \
    if (i < n && (ITEM & (LANES - 1)) == 0) {                                                                             \
      float sum = 0.0f;                                                                                         \
      for (int lane_ = 0; lane_ < LANES; ++lane_) sum += scratch[ITEM + lane_];
#define END_ROWS }}
#endif

#define ROWS BUFFER(const int, start) BUFFER(const int, col) BUFFER(const float, value)
#define LEVEL ROWS BUFFER(const float, rest) BUFFER(const float, inverse)

// V that makes the diagonal of V A V one; where it is 0 the row stays as it is.
KERNEL(mg_roots, BUFFER(const double, diagonal) BUFFER(double, v))
{
  FOR_ITEMS(i, 0) {
    const double root = sqrt(fabs(diagonal[i]));
    v[i] = root > 0.0 ? 1.0/root : 1.0;
  }
}
END

// The finest level from the system's values: V A V times `scale`, where v is what A takes nearly to zero. inverse: 1 over the row's sum
// of magnitudes, so that the spectrum of inverse*V A V lies within [0, 1] whatever the matrix is.
KERNEL(mg_take, BUFFER(const int, from_start) BUFFER(const int, from_col) BUFFER(const double, off) BUFFER(const double, diagonal)
       BUFFER(const double, v) REAL(scale) BUFFER(const int, start) BUFFER(float, value) BUFFER(float, rest) BUFFER(float, inverse))
{
  FOR_ITEMS(i, 0) {
    const int begin = from_start[i], first = PLACE(i);
    double sum = v[i]*diagonal[i]*v[i], magnitude = fabs(sum);
    for (int k = begin; k < from_start[i + 1]; ++k) {
      const double mine = v[i]*off[k]*v[from_col[k]];
      sum += mine;
      magnitude += fabs(mine);
      value[first + (k - begin)*SLICE] = (float)(scale*mine);
    }
    rest[i] = (float)(scale*sum);
    inverse[i] = magnitude > 0.0 ? (float)(1.0/(scale*magnitude)) : 0.0f;
  }
}
END

// b = scale V r, x = first inverse b: the first step of smoothing from 0.
KERNEL(mg_begin, BUFFER(const int, idle) BUFFER(const double, r) BUFFER(const double, v) REAL(scale) REAL(first)
       BUFFER(const float, inverse) BUFFER(float, b) BUFFER(float, x))
{
  FOR_ITEMS(i, idle[0]) {
    const float mine = (float)(scale*v[i]*r[i]);
    b[i] = mine;
    x[i] = (float)first*inverse[i]*mine;
  }
}
END

// next = x + forward (x - before) + step inverse (b - A x), where `before` is what `next` holds, and 0 where `old` is 0 instead of
// `forward`.
#define SMOOTHED(before) \
  (x[i] + f*x[i] - (o != 0.0f ? o*before[i] : 0.0f) + s*inverse[i]*(b[i] - rest[i]*x[i] - sum))

KERNEL(mg_smooth, BUFFER(const int, idle) LEVEL BUFFER(const float, b) BUFFER(const float, x) REAL(forward) REAL(old) REAL(step)
       BUFFER(float, next))
{
  ROWS_LOCALS;
  const float f = (float)forward, o = (float)old, s = (float)step;
  FOR_ROWS(i, sum, x, x[i], idle[0]) next[i] = SMOOTHED(next); END_ROWS
}
END

// The same as the cycle's last step, z = V x; `before` stays.
KERNEL(mg_finish, BUFFER(const int, idle) LEVEL BUFFER(const float, b) BUFFER(const float, x) REAL(forward) REAL(old) REAL(step)
       BUFFER(const float, before) BUFFER(const double, v) BUFFER(double, z))
{
  ROWS_LOCALS;
  const float f = (float)forward, o = (float)old, s = (float)step;
  FOR_ROWS(i, sum, x, x[i], idle[0]) z[i] = v[i]*SMOOTHED(before); END_ROWS
}
END

KERNEL(mg_residual, BUFFER(const int, idle) LEVEL BUFFER(const float, b) BUFFER(const float, x) BUFFER(float, r))
{
  ROWS_LOCALS;
  (void)inverse;
  FOR_ROWS(i, sum, x, x[i], idle[0]) r[i] = b[i] - rest[i]*x[i] - sum; END_ROWS
}
END

// b = R r on the next level, and the first step of smoothing there.
KERNEL(mg_restrict, BUFFER(const int, idle) ROWS BUFFER(const float, r) REAL(first) BUFFER(const float, inverse) BUFFER(float, b)
       BUFFER(float, x))
{
  ROWS_LOCALS;
  FOR_ROWS(i, sum, r, 0.0f, idle[0])
    b[i] = sum;
    x[i] = (float)first*inverse[i]*sum;
  END_ROWS
}
END

// x += P e
KERNEL(mg_prolong, BUFFER(const int, idle) ROWS BUFFER(const float, e) BUFFER(float, x))
{
  ROWS_LOCALS;
  FOR_ROWS(i, sum, e, 0.0f, idle[0]) x[i] += sum; END_ROWS
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

// z = V x for a hierarchy of one level that is solved directly.
KERNEL(mg_widen, BUFFER(const int, idle) BUFFER(const float, x) BUFFER(const double, v) BUFFER(double, z))
{
  FOR_ITEMS(i, idle[0]) z[i] = v[i]*x[i];
}
END
