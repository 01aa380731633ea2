// How rows are dealt to items: each form has `row_product`, which does one block of rows of a group and says which row the calling
// item has finished, or -1. All items of a group call it together. SCRATCH: doubles of local memory a kernel over rows needs.
//
// NARROW: columns are stored as differences to the row, in 16 bits, which is a sixth of the traffic less.
#ifdef NARROW
typedef short column;
#define COLUMN(row, k) ((row) + col[k])
#else
typedef int column;
#define COLUMN(row, k) col[k]
#endif
// SINGLE: the matrix, the vectors of an iteration and what a row makes of them are in single precision, sums over rows in double. GPUs widen
// numbers at a quarter of the rate at which they multiply them, so that to compute in double would cost what narrow numbers save.
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif
#define MATRIX \
  BUFFER(const int, start) BUFFER(const column, col) BUFFER(const real, off) BUFFER(const real, diagonal) BUFFER(const int, slot)
#define ROWS_LOCALS LOCAL double scratch[SCRATCH]
#define FOR_ROWS(row, sum, x, skip) FOR_ROWS_SEEN(row, sum, PLAINLY(x), skip)
#define FOR_ROWS_SEEN(row, sum, x, skip)                                                                 \
  FOR_MINE(block_, BLOCKS, skip) {                                                                       \
    real sum = 0;                                                                                        \
    const int row = row_product(n, start, col, off, slot, x, block_, ITEM, scratch, &sum);               \
    if (row >= 0)
#define END_ROWS }

// The vector that a product reads: as it lies in memory, or, for a kernel that has not updated all of it yet, as its update leaves it.
#ifdef MERGED
typedef struct {
  GLOBAL const real *z, *w, *s; // w, s: 0 for a vector as it lies
  real alpha, beta;
} vector_seen;
static inline real seen(const vector_seen x, int j)
{
  return x.w ? x.z[j] - x.alpha*(x.w[j] + x.beta*x.s[j]) : x.z[j];
}
static inline vector_seen seen_plainly(GLOBAL const real *x)
{
  const vector_seen all = {x, 0, 0, 0, 0};
  return all;
}
#define SEEN(x, j) seen(x, j)
#define PLAINLY(x) seen_plainly(x)
#else
typedef GLOBAL const real *vector_seen;
#define SEEN(x, j) x[j]
#define PLAINLY(x) x
#endif

#if WORKGROUP_SIZE_BITS > 0
#define SUMS_SCRATCH (3*WORKGROUP_SIZE)
#else
#define SUMS_SCRATCH 1
#endif
#define SCRATCH SUMS_SCRATCH

#if !defined FORM_PAPER && !defined FORM_STREAM
static inline real strided_sum(int row, int begin, int end, int stride, GLOBAL const column *col, GLOBAL const real *off,
                                 const vector_seen x)
{
  real sum = 0;
  (void)row;
  for (int k = begin; k < end; k += stride) sum += off[k]*SEEN(x, COLUMN(row, k));
  return sum;
}
#endif

#define ROW_PRODUCT                                                                                              \
  static inline int row_product(int n, GLOBAL const int *start, GLOBAL const column *col, GLOBAL const real *off,   \
                                GLOBAL const int *slot, const vector_seen x, int block, int item,                \
                                LOCAL double *scratch, real *sum)

#ifdef FORM_LOOP
#define BLOCKS n
ROW_PRODUCT
{
  (void)n, (void)slot, (void)item, (void)scratch;
  *sum = strided_sum(block, start[block], start[block + 1], 1, col, off, x);
  return block;
}
#endif

#ifndef BLOCKS
#define BLOCKS ((n + ROWS_PER_WORKGROUP - 1)/ROWS_PER_WORKGROUP)
#define LANES_BITS (WORKGROUP_SIZE_BITS - ROWS_PER_WORKGROUP_BITS)
#define LANES (1 << LANES_BITS)
#endif

// The kernel of paper 000, section 5.
#ifdef FORM_PAPER
ROW_PRODUCT
{
  (void)slot;
  const int row = block*ROWS_PER_WORKGROUP + (item >> LANES_BITS), lane = item & (LANES - 1);
  BARRIER;
  scratch[item] = 0.0;
  if (row < n)
    for (int k = start[row] + lane; k < start[row + 1]; k += LANES) scratch[item] += off[k]*SEEN(x, col[k]);
  for (int reach = LANES/2; reach > 0; reach /= 2) {
    BARRIER;
    if (lane < reach) scratch[item] += scratch[item + reach];
  }
  *sum = (real)scratch[item];
  return row < n && lane == 0 ? row : -1;
}
#endif

// As many lanes a row, but sums in registers and two barriers however many lanes there are. The rows are finished by neighbouring
// items, which write neighbouring results.
#ifdef FORM_LANES
ROW_PRODUCT
{
  (void)slot;
#if WORKGROUP_SIZE_BITS == ROWS_PER_WORKGROUP_BITS
  const int row = block*ROWS_PER_WORKGROUP + item;
  (void)scratch;
  if (row >= n) return -1;
  *sum = strided_sum(row, start[row], start[row + 1], 1, col, off, x);
  return row;
#else
  const int mine = block*ROWS_PER_WORKGROUP + (item >> LANES_BITS), row = block*ROWS_PER_WORKGROUP + item;
  const double part = mine < n ? strided_sum(mine, start[mine] + (item & (LANES - 1)), start[mine + 1], LANES, col, off, x) : 0.0;
  BARRIER;
  scratch[item] = part;
  BARRIER;
  if (item >= ROWS_PER_WORKGROUP || row >= n) return -1;
  double all = 0.0;
  for (int lane = 0; lane < LANES; ++lane) all += scratch[item*LANES + lane];
  *sum = (real)all;
  return row;
#endif
}
#endif

// STREAM_ENTRIES: the most entries that any block has.
#ifdef FORM_STREAM
#undef SCRATCH
#define SCRATCH (STREAM_ENTRIES > SUMS_SCRATCH ? STREAM_ENTRIES : SUMS_SCRATCH)
ROW_PRODUCT
{
  (void)slot;
  const int first = block*ROWS_PER_WORKGROUP, row = first + item;
  const int last = first + ROWS_PER_WORKGROUP < n ? first + ROWS_PER_WORKGROUP : n;
  const int base = start[first], end = start[last];
  BARRIER;
  for (int k = base + item; k < end; k += WORKGROUP_SIZE) scratch[k - base] = off[k]*SEEN(x, col[k]);
  BARRIER;
  if (row >= last) return -1;
  double all = 0.0;
  for (int k = start[row]; k < start[row + 1]; ++k) all += scratch[k - base];
  *sum = (real)all;
  return row;
}
#endif

// Slices of 2^SLICE_BITS rows, one item a row: entry k of the rows of a slice lies at start[slice] + (k << SLICE_BITS) + lane. Rows shorter than the
// slice is wide are filled up with zeros. slot[]: the row at each place, where they are SORTED.
#ifdef FORM_SLICED
ROW_PRODUCT
{
  const int place = block*WORKGROUP_SIZE + item, slice = place >> SLICE_BITS;
  (void)scratch;
  if (place >= n) return -1;
#ifdef SORTED
  const int row = slot[place];
#else
  const int row = place;
  (void)slot;
#endif
  *sum = strided_sum(row, start[slice] + (place & ((1 << SLICE_BITS) - 1)), start[slice + 1], 1 << SLICE_BITS, col, off, x);
  return row;
}
#endif

