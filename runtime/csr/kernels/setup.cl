// Multigrid set up on the device: what aggregate.c, sparse.c and near_null.c do on the host, for work-groups that are wide.
//
// Nothing depends on the order in which items come: what is counted, claimed or sorted by atomics is whole numbers, sums of doubles are
// each one item's, in a fixed order, and no product is fused with a sum. So all devices have the same bits.
#pragma OPENCL FP_CONTRACT OFF
#define SLICE (1 << SLICE_BITS)

// ---- places from counts ---------------------------------------------------------------------------------------------------------

#define SCAN_EACH 8
#define SCAN_BLOCK (WORKGROUP_SIZE*SCAN_EACH)

// sum[b] of the counts of block b.
KERNEL(mg_scan_sums, BUFFER(const int, count) BUFFER(long, sum))
{
  LOCAL long scratch[WORKGROUP_SIZE];
  const int first = GROUP*SCAN_BLOCK;
  long mine = 0;
  for (int k = 0; k < SCAN_EACH; ++k)
    if (first + k*WORKGROUP_SIZE + ITEM < n) mine += count[first + k*WORKGROUP_SIZE + ITEM];
  scratch[ITEM] = mine;
  BARRIER;
  for (int half_ = WORKGROUP_SIZE/2; half_ > 0; half_ /= 2) {
    if (ITEM < half_) scratch[ITEM] += scratch[ITEM + half_];
    BARRIER;
  }
  if (ITEM == 0) sum[GROUP] = scratch[0];
}
END

// One group: sum[b] becomes that of the blocks before b, sum[n] that of all.
KERNEL(mg_scan_tops, BUFFER(long, sum))
{
  LOCAL long scratch[WORKGROUP_SIZE];
  const int each = (n + WORKGROUP_SIZE - 1)/WORKGROUP_SIZE, begin = min(ITEM*each, n), end = min(begin + each, n);
  long before = 0;
  for (int b = begin; b < end; ++b) before += sum[b];
  scratch[ITEM] = before;
  BARRIER;
  before = 0;
  for (int k = 0; k < ITEM; ++k) before += scratch[k];
  for (int b = begin; b < end; ++b) {
    const long mine = sum[b];
    sum[b] = before;
    before += mine;
  }
  if (ITEM == WORKGROUP_SIZE - 1) sum[n] = before;
}
END

// start[i]: the sum of the counts before i; start[n]: of all.
KERNEL(mg_scan_starts, BUFFER(const int, count) BUFFER(const long, sum) BUFFER(int, start))
{
  LOCAL int scratch[WORKGROUP_SIZE];
  const int first = GROUP*SCAN_BLOCK + ITEM*SCAN_EACH;
  int mine = 0;
  for (int i = first; i < first + SCAN_EACH && i < n; ++i) mine += count[i];
  scratch[ITEM] = mine;
  BARRIER;
  for (int step = 1; step < WORKGROUP_SIZE; step *= 2) {
    const int other = ITEM >= step ? scratch[ITEM - step] : 0;
    BARRIER;
    scratch[ITEM] += other;
    BARRIER;
  }
  int at = (int)sum[GROUP] + scratch[ITEM] - mine;
  for (int i = first; i < first + SCAN_EACH && i < n; ++i) {
    start[i] = at;
    at += count[i];
    if (i == n - 1) start[n] = at;
  }
}
END

// ---- what constants do ------------------------------------------------------------------------------------------------------------

// near_null.c says what these are for.
static inline double share_left(int i, GLOBAL const int *start, GLOBAL const int *col, GLOBAL const double *off,
                                GLOBAL const double *diagonal, GLOBAL const double *v)
{
  double sum = 0.0;
  if (!(diagonal[i] > 0.0) || !isfinite(diagonal[i])) return 0.0;
  for (int k = start[i]; k < start[i + 1]; ++k) sum += off[k]*v[col[k]];
  const double share = 1.0 + sum/(diagonal[i]*v[i]);
  return isfinite(share) ? share : 0.0;
}

// Of MG_SURVEYORS items each has every MG_SURVEYORS-th row: how far shares are below 0, in whole 2^-24 and at most; the magnitudes of the
// diagonal.
KERNEL(mg_survey, BUFFER(const int, start) BUFFER(const int, col) BUFFER(const double, off) BUFFER(const double, diagonal)
       BUFFER(const double, v) BUFFER(double, partial))
{
  const int id = GROUP*WORKGROUP_SIZE + ITEM;
  double below_sum = 0.0, most = 0.0, magnitude = 0.0;
  for (int i = id; i < n; i += MG_SURVEYORS) {
    const double below = -share_left(i, start, col, off, diagonal, v);
    if (below > 0.0) below_sum += floor(fmin(below, 1.0)*16777216.0);
    most = fmax(most, below);
    magnitude += fabs(diagonal[i]);
  }
  partial[id] = below_sum;
  partial[MG_SURVEYORS + id] = most;
  partial[2*MG_SURVEYORS + id] = magnitude;
}
END

KERNEL(mg_guess, BUFFER(const double, diagonal) BUFFER(double, v))
{
  FOR_ITEMS(i, 0) {
    const double root = sqrt(fabs(diagonal[i]));
    v[i] = root > 0.0 && isfinite(root) ? 1.0/root : 1.0;
  }
}
END

KERNEL(mg_relax, BUFFER(const int, start) BUFFER(const int, col) BUFFER(const double, off) BUFFER(const double, diagonal)
       BUFFER(const double, v) BUFFER(double, next))
{
  FOR_ITEMS(i, 0) {
    const double factor = 1.0 - 2.0/3.0*share_left(i, start, col, off, diagonal, v);
    next[i] = v[i]*(factor < 0.1 ? 0.1 : factor > 10.0 ? 10.0 : factor);
  }
}
END

// V A V
KERNEL(mg_scale, BUFFER(const int, start) BUFFER(const int, col) BUFFER(const double, v) BUFFER(double, off) BUFFER(double, diagonal))
{
  FOR_ITEMS(i, 0) {
    diagonal[i] = v[i]*diagonal[i]*v[i];
    for (int k = start[i]; k < start[i + 1]; ++k) off[k] = v[i]*off[k]*v[col[k]];
  }
}
END

KERNEL(mg_scale_columns, BUFFER(const int, col) BUFFER(const double, v) BUFFER(double, value))
{
  FOR_ITEMS(k, 0) value[k] *= v[col[k]];
}
END

// ---- aggregates -------------------------------------------------------------------------------------------------------------------

// aggregate: the row that founded it, in the first pass; NONE_YET; NEVER, without strong couplings; or SECOND - that row.
#define NONE_YET -1
#define NEVER -2
#define SECOND -3
#define UNCLAIMED 0x7fffffff

KERNEL(mg_roots_of, BUFFER(const double, diagonal) BUFFER(double, root))
{
  FOR_ITEMS(i, 0) root[i] = diagonal[i] > 0.0 ? 1.0/sqrt(diagonal[i]) : 0.0;
}
END

// strong: the column where the coupling is strong, else ~column.
KERNEL(mg_strong, BUFFER(const int, start) BUFFER(const int, col) BUFFER(const double, off) BUFFER(const double, root) REAL(both)
       BUFFER(int, strong) BUFFER(int, aggregate) BUFFER(int, candidate) BUFFER(int, claim) BUFFER(int, other))
{
  FOR_ITEMS(i, 0) {
    int any = 0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int weak = -off[k]*root[i]*root[col[k]] <= both;
      strong[k] = weak ? ~col[k] : col[k];
      any |= !weak;
    }
    aggregate[i] = any ? NONE_YET : NEVER;
    candidate[i] = any;
    claim[i] = other[i] = UNCLAIMED;
  }
}
END

// A number of its own for each of 2^bits rows, as if by chance.
static inline int rank_of(int row, int bits)
{
  const uint mask = bits < 32 ? (1u << bits) - 1u : 0xffffffffu;
  const int shift = (bits + 1)/2;
  uint b = (uint)row;
  b = b*0x9e3779b1u & mask;
  b ^= b >> shift;
  b = b*0x85ebca6bu & mask;
  b ^= b >> shift;
  b = b*0xc2b2ae35u & mask;
  return (int)(b ^ b >> shift);
}

static inline int taken(int aggregate, int second) { return second ? aggregate <= SECOND : aggregate >= 0; }
static inline int is_free(int aggregate) { return aggregate == NONE_YET || aggregate == NEVER; }

// A candidate claims itself and its free neighbours, unless this pass has taken one of them; of several the one of the least rank has it.
KERNEL(mg_claim, BUFFER(const int, start) BUFFER(const int, strong) BUFFER(const int, aggregate) INT(bits) INT(second) INT(round)
       BUFFER(int, candidate) BUFFER(int, claim) BUFFER(int, other) BUFFER(int, left))
{
  const int skip = round > 0 && left[round > 0 ? round - 1 : 0] == 0;
  FOR_ITEMS(i, skip) {
    other[i] = UNCLAIMED;
    if (!candidate[i]) continue;
    int alive = is_free(aggregate[i]);
    for (int k = start[i]; alive && k < start[i + 1]; ++k)
      if (strong[k] >= 0) alive = !taken(aggregate[strong[k]], second);
    if (!alive) {
      candidate[i] = 0;
      continue;
    }
    const int rank = rank_of(i, bits);
    atomic_min(&claim[i], rank);
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (strong[k] >= 0 && is_free(aggregate[strong[k]])) atomic_min(&claim[strong[k]], rank);
    atomic_or(&left[round], 1);
  }
}
END

// Who has all that it claimed founds an aggregate. What was not free nobody has claimed.
KERNEL(mg_found, BUFFER(const int, start) BUFFER(const int, strong) BUFFER(const int, candidate) BUFFER(const int, claim) INT(bits)
       INT(second) INT(round) BUFFER(const int, left) BUFFER(int, aggregate))
{
  FOR_ITEMS(i, left[round] == 0) {
    if (!candidate[i]) continue;
    const int rank = rank_of(i, bits);
    int mine = claim[i] == rank;
    for (int k = start[i]; mine && k < start[i + 1]; ++k) mine = strong[k] < 0 || claim[strong[k]] >= rank;
    if (!mine) continue;
    aggregate[i] = second ? SECOND - i : i;
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (strong[k] >= 0 && claim[strong[k]] == rank) aggregate[strong[k]] = second ? SECOND - i : i;
  }
}
END

// The second pass: rows of whose strong couplings two, and two in five, lead to rows that are still free.
KERNEL(mg_reopen, BUFFER(const int, start) BUFFER(const int, strong) BUFFER(const int, aggregate) BUFFER(int, candidate)
       BUFFER(int, claim) BUFFER(int, other))
{
  FOR_ITEMS(i, 0) {
    int all = 0, open = 0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (strong[k] >= 0) {
        ++all;
        open += is_free(aggregate[strong[k]]);
      }
    candidate[i] = aggregate[i] == NONE_YET && open >= 2 && 5*(long)open >= 2*(long)all;
    claim[i] = other[i] = UNCLAIMED;
  }
}
END

KERNEL(mg_founders, BUFFER(const int, aggregate) BUFFER(int, founder))
{
  FOR_ITEMS(i, 0) founder[i] = aggregate[i] == i || aggregate[i] == SECOND - i;
}
END

static inline int number_of(int aggregate, GLOBAL const int *number)
{
  return aggregate >= 0 ? number[aggregate] : aggregate <= SECOND ? number[SECOND - aggregate] : -1;
}

// The aggregates' numbers, by founders; rows that are still free join that of their strongest coupling.
KERNEL(mg_join, BUFFER(const int, start) BUFFER(const int, strong) BUFFER(const double, off) BUFFER(const int, aggregate)
       BUFFER(const int, number) BUFFER(int, joined))
{
  FOR_ITEMS(i, 0) {
    int best = number_of(aggregate[i], number);
    double most = 0.0;
    for (int k = start[i]; aggregate[i] == NONE_YET && k < start[i + 1]; ++k) {
      if (strong[k] < 0 || is_free(aggregate[strong[k]]) || -off[k] <= most) continue;
      most = -off[k];
      best = number_of(aggregate[strong[k]], number);
    }
    joined[i] = best;
  }
}
END

// ---- interpolation ----------------------------------------------------------------------------------------------------------------

// strong becomes reach: the couplings above a share of the row's own diagonal, too. Entries that are 0 are marked ZERO.
#define ZERO ((int)0x80000000)
KERNEL(mg_reach, BUFFER(const int, start) BUFFER(const double, off) BUFFER(const double, root) REAL(share) BUFFER(int, strong))
{
  FOR_ITEMS(i, 0)
    for (int k = start[i]; k < start[i + 1]; ++k) {
      if (strong[k] < 0 && -off[k]*root[i]*root[i] > share) strong[k] = ~strong[k];
      if (off[k] == 0.0) strong[k] = ZERO;
    }
}
END

// Whether an entry that was 0 is not any more. n: entries
KERNEL(mg_changed, BUFFER(const int, reach) BUFFER(const double, off) BUFFER(int, changed))
{
  FOR_ITEMS(k, 0)
    if (reach[k] == ZERO && off[k] != 0.0) atomic_or(changed, 1);
}
END

#define REMEMBERED 32

// How many aggregates a row reaches. Those beyond the first REMEMBERED are looked for in the row.
KERNEL(mg_prolong_count, BUFFER(const int, start) BUFFER(const int, reach) BUFFER(const int, aggregate) BUFFER(int, count))
{
  FOR_ITEMS(i, 0) {
    int seen[REMEMBERED], found = 0;
    if (aggregate[i] >= 0) seen[found++] = aggregate[i];
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int to = reach[k] >= 0 ? aggregate[reach[k]] : -1;
      int known = to < 0;
      for (int s = 0; !known && s < found && s < REMEMBERED; ++s) known = seen[s] == to;
      for (int b = start[i]; !known && found > REMEMBERED && b < k; ++b) known = reach[b] >= 0 && aggregate[reach[b]] == to;
      if (known) continue;
      if (found < REMEMBERED) seen[found] = to;
      ++found;
    }
    count[i] = found;
  }
}
END

KERNEL(mg_prolong_fill, BUFFER(const int, start) BUFFER(const int, reach) BUFFER(const int, aggregate) BUFFER(const int, to_start)
       BUFFER(int, to_col) BUFFER(int, to_row))
{
  FOR_ITEMS(i, 0) {
    const int first = to_start[i];
    int last = first;
    if (aggregate[i] >= 0) to_col[last++] = aggregate[i];
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int to = reach[k] >= 0 ? aggregate[reach[k]] : -1;
      int known = to < 0;
      for (int s = first; !known && s < last; ++s) known = to_col[s] == to;
      if (!known) to_col[last++] = to;
    }
    for (int s = first; s < last; ++s) to_row[s] = i;
  }
}
END

// As prolong_row of aggregate.c.
KERNEL(mg_prolong_values, BUFFER(const int, start) BUFFER(const int, reach) BUFFER(const double, off) BUFFER(const double, diagonal)
       BUFFER(const int, aggregate) BUFFER(const int, to_start) BUFFER(const int, to_col) BUFFER(double, value))
{
  FOR_ITEMS(i, 0) {
    double all = 0.0, kept = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      all += off[k];
      if (reach[k] >= 0) kept += off[k];
    }
    const double filtered = diagonal[i] + all - kept, d = filtered > 0.25*diagonal[i] ? filtered : diagonal[i];
    const int apart = aggregate[i] < 0, first = to_start[i];
    const double weight = apart ? 1.0/d : 4.0/3.0/(d - kept);
    for (int s = first; s < to_start[i + 1]; ++s) value[s] = 0.0;
    if (!apart) value[first] = 1.0 - weight*d;
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int to = reach[k] >= 0 ? aggregate[reach[k]] : -1;
      if (to < 0) continue;
      int s = first;
      while (to_col[s] != to) ++s;
      value[s] += -weight*off[k];
    }
  }
}
END

// ---- transpose --------------------------------------------------------------------------------------------------------------------

// n: entries
KERNEL(mg_count_columns, BUFFER(const int, col) BUFFER(int, count))
{
  FOR_ITEMS(k, 0) atomic_inc(&count[col[k]]);
}
END

// Entries of a column together, in any order; count: their number, which comes down to 0.
KERNEL(mg_scatter, BUFFER(const int, col) BUFFER(const int, start) BUFFER(int, count) BUFFER(int, loose))
{
  FOR_ITEMS(k, 0) loose[start[col[k]] + atomic_dec(&count[col[k]]) - 1] = k;
}
END

// from: the same in their order.
KERNEL(mg_order, BUFFER(const int, col) BUFFER(const int, row) BUFFER(const int, start) BUFFER(const int, loose) BUFFER(int, from)
       BUFFER(int, to_col))
{
  FOR_ITEMS(p, 0) {
    const int k = loose[p], begin = start[col[k]], end = start[col[k] + 1];
    int at = begin;
    for (int q = begin; q < end; ++q) at += loose[q] < k;
    from[at] = k;
    to_col[at] = row[k];
  }
}
END

KERNEL(mg_permute, BUFFER(const int, from) BUFFER(const double, value) BUFFER(double, to))
{
  FOR_ITEMS(p, 0) to[p] = value[from[p]];
}
END

// ---- products of sparse matrices -----------------------------------------------------------------------------------------------------

// The pattern of X Y, or of (1 + X) Y where `unit`, without column i of row i where `apart`; columns increase. With `unit` entries of X
// that are 0 count as none: see mg_changed. By teams of TEAM items, a row each, in a table in local memory; rows that it cannot take are listed for mg_union_long.
#define TEAM 32
#define TEAMS (WORKGROUP_SIZE/TEAM)
#define TABLE_BITS 9
#define TABLE (1 << TABLE_BITS)
#define MOST_PROBES 48

#define FACTORS BUFFER(const int, x_start) BUFFER(const int, x_col) BUFFER(const double, x) BUFFER(const int, y_start) BUFFER(const int, y_col)

static inline int insert(LOCAL volatile int *table, int column)
{
  uint at = (uint)column*2654435761u >> (32 - TABLE_BITS);
  for (int probe = 0; probe < MOST_PROBES; ++probe, at = (at + 1) & (TABLE - 1)) {
    const int there = atomic_cmpxchg(&table[at], -1, column);
    if (there == -1 || there == column) return 1;
  }
  return 0;
}

// fill 0: count[row]. fill 1: the columns, and the row of each.
KERNEL(mg_union, FACTORS INT(unit) INT(apart) INT(fill) BUFFER(int, count) BUFFER(const int, start) BUFFER(int, col) BUFFER(int, row_of)
       BUFFER(int, long_rows))
{
  LOCAL int table_[WORKGROUP_SIZE/TEAM*TABLE], list_[WORKGROUP_SIZE/TEAM*TABLE], used_[TEAMS], full_[TEAMS];
  const int team = ITEM/TEAM, lane = ITEM%TEAM;
  LOCAL int *table = table_ + team*TABLE, *list = list_ + team*TABLE, *used = used_ + team, *full = full_ + team;
  for (int block = GROUP; block < (n + TEAMS - 1)/TEAMS; block += GROUPS) {
    const int row = block*TEAMS + team, begin = row < n ? x_start[row] : 0, end = row < n ? x_start[row + 1] : 0;
    for (int s = lane; s < TABLE; s += TEAM) table[s] = -1;
    if (lane == 0) *used = *full = 0;
    BARRIER;
    int room = 1;
    for (int k = begin + lane - unit; room && row < n && k < end; k += TEAM) {
      const int own = k < begin, y_row = own ? row : x_col[k];
      if (!own && unit && x[k] == 0.0) continue;
      for (int q = y_start[y_row]; room && q < y_start[y_row + 1]; ++q)
        if (!apart || y_col[q] != row) room = insert(table, y_col[q]);
    }
    if (!room) atomic_or(full, 1);
    BARRIER;
    for (int s = lane; s < TABLE; s += TEAM)
      if (table[s] >= 0) list[atomic_inc(used)] = table[s];
    BARRIER;
    const int found = *used, failed = *full;
    if (row < n && lane == 0 && !fill) count[row] = found;
    if (row < n && lane == 0 && failed) long_rows[1 + atomic_inc(&long_rows[0])] = row;
    for (int s = lane; fill && !failed && s < found; s += TEAM) {
      int at = start[row];
      for (int t = 0; t < found; ++t) at += list[t] < list[s];
      col[at] = list[s];
      row_of[at] = row;
    }
    BARRIER;
  }
}
END

// The rows listed, each by a group with a bit a column.
KERNEL(mg_union_long, FACTORS INT(unit) INT(apart) INT(fill) BUFFER(int, count) BUFFER(const int, start) BUFFER(int, col)
       BUFFER(int, row_of) BUFFER(const int, long_rows) INT(words) BUFFER(uint, bits_))
{
  LOCAL int before[WORKGROUP_SIZE];
  GLOBAL uint *bits = bits_ + (size_t)GROUP*(size_t)words;
  const int each = (words + WORKGROUP_SIZE - 1)/WORKGROUP_SIZE, first = min(ITEM*each, words), last = min(first + each, words);
  for (int listed = GROUP; listed < long_rows[0]; listed += GROUPS) {
    const int row = long_rows[1 + listed], begin = x_start[row], end = x_start[row + 1];
    for (int w = first; w < last; ++w) bits[w] = 0;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int k = begin + ITEM - unit; k < end; k += WORKGROUP_SIZE) {
      const int own = k < begin, y_row = own ? row : x_col[k];
      if (!own && unit && x[k] == 0.0) continue;
      for (int q = y_start[y_row]; q < y_start[y_row + 1]; ++q)
        if (!apart || y_col[q] != row) atomic_or(&bits[y_col[q] >> 5], 1u << (y_col[q] & 31));
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    int mine = 0;
    for (int w = first; w < last; ++w) mine += popcount(bits[w]);
    before[ITEM] = mine;
    BARRIER;
    int at = 0;
    for (int t = 0; t < ITEM; ++t) at += before[t];
    if (ITEM == WORKGROUP_SIZE - 1 && !fill) count[row] = at + mine;
    if (fill) at += start[row];
    for (int w = first; fill && w < last; ++w)
      for (int bit = 0; bit < 32; ++bit)
        if (bits[w] >> bit & 1u) {
          col[at] = w*32 + bit;
          row_of[at++] = row;
        }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
END

#define VALUES BUFFER(const int, x_start) BUFFER(const int, x_col) BUFFER(const double, x) BUFFER(const int, y_start) \
  BUFFER(const int, y_col) BUFFER(const double, y)

// Rows in any order, which are short, and rows whose columns increase, as those of a product.
static inline double entry_of(int row, int column, GLOBAL const int *y_start, GLOBAL const int *y_col, GLOBAL const double *y)
{
  double sum = 0.0;
  for (int q = y_start[row]; q < y_start[row + 1]; ++q) sum = y_col[q] == column ? y[q] : sum;
  return sum;
}

static inline double sorted_entry_of(int row, int column, GLOBAL const int *y_start, GLOBAL const int *y_col, GLOBAL const double *y)
{
  const int end = y_start[row + 1];
  int low = y_start[row], high = end;
  while (low < high) {
    const int middle = low + ((high - low) >> 1);
    if (y_col[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low < end && y_col[low] == column ? y[low] : 0.0;
}

#define ENTRY(sum, row, column, of)                     \
  for (int k = x_start[row]; k < x_start[row + 1]; ++k) \
    if (x[k] != 0.0) sum += x[k]*of(x_col[k], column, y_start, y_col, y)

// n: entries of the product, an item each. Columns of Y increase.
KERNEL(mg_product, VALUES BUFFER(const int, row) BUFFER(const int, col) BUFFER(double, value))
{
  FOR_ITEMS(p, 0) {
    double sum = 0.0;
    ENTRY(sum, row[p], col[p], sorted_entry_of);
    value[p] = sum;
  }
}
END

// (D + X) Y.
KERNEL(mg_product_with, VALUES BUFFER(const double, diagonal) BUFFER(const int, row) BUFFER(const int, col) BUFFER(double, value))
{
  FOR_ITEMS(p, 0) {
    double sum = diagonal[row[p]]*entry_of(row[p], col[p], y_start, y_col, y);
    ENTRY(sum, row[p], col[p], entry_of);
    value[p] = sum;
  }
}
END

KERNEL(mg_product_diagonal, VALUES BUFFER(double, diagonal))
{
  FOR_ITEMS(i, 0) {
    double sum = 0.0;
    ENTRY(sum, i, i, sorted_entry_of);
    diagonal[i] = sum;
  }
}
END

// ---- the cycle's form ------------------------------------------------------------------------------------------------------------------

// Rows as lines in slices: see multigrid.cl. n: slices; width: places of each.
KERNEL(mg_widths, INT(rows) INT(lanes_bits) BUFFER(const int, start) BUFFER(int, width))
{
  FOR_ITEMS(s, 0) {
    const int lanes = 1 << lanes_bits, each = SLICE >> lanes_bits;
    int most = 0;
    for (int i = s*each; i < s*each + each && i < rows; ++i) most = max(most, (start[i + 1] - start[i] + lanes - 1) >> lanes_bits);
    width[s] = most*SLICE;
  }
}
END

// n: lines, of rows or of nothing
KERNEL(mg_cut, INT(rows) INT(lanes_bits) BUFFER(const int, start) BUFFER(const int, col) BUFFER(const int, to_start) BUFFER(int, to_col))
{
  FOR_ITEMS(i, 0) {
    const int row = i >> lanes_bits, lanes = 1 << lanes_bits, begin = row < rows ? start[row] : 0, end = row < rows ? start[row + 1] : 0;
    int from = begin + (i & (lanes - 1));
    for (int p = to_start[i >> SLICE_BITS] + (i & (SLICE - 1)); p < to_start[(i >> SLICE_BITS) + 1]; p += SLICE, from += lanes)
      to_col[p] = from < end ? col[from] : begin < end ? col[begin] : 0;
  }
}
END

KERNEL(mg_cut_values, INT(rows) INT(lanes_bits) BUFFER(const int, start) BUFFER(const double, value) REAL(scale)
       BUFFER(const int, to_start) BUFFER(float, to))
{
  FOR_ITEMS(i, 0) {
    const int row = i >> lanes_bits, lanes = 1 << lanes_bits, end = row < rows ? start[row + 1] : 0;
    int from = (row < rows ? start[row] : 0) + (i & (lanes - 1));
    for (int p = to_start[i >> SLICE_BITS] + (i & (SLICE - 1)); p < to_start[(i >> SLICE_BITS) + 1]; p += SLICE, from += lanes)
      to[p] = from < end ? (float)(scale*value[from]) : 0.0f;
  }
}
END

// As mg_take's.
KERNEL(mg_rests, BUFFER(const int, start) BUFFER(const double, off) BUFFER(const double, diagonal) REAL(scale) BUFFER(float, rest)
       BUFFER(float, inverse))
{
  FOR_ITEMS(i, 0) {
    double sum = diagonal[i], magnitude = fabs(sum);
    for (int k = start[i]; k < start[i + 1]; ++k) {
      sum += off[k];
      magnitude += fabs(off[k]);
    }
    rest[i] = (float)(scale*sum);
    inverse[i] = magnitude > 0.0 ? (float)(1.0/(scale*magnitude)) : 0.0f;
  }
}
END

// ---- the last level's inverse: see mg_dense_inverse ------------------------------------------------------------------------------------

// m: of zeros before
KERNEL(mg_spread, BUFFER(const int, start) BUFFER(const int, col) BUFFER(const double, off) BUFFER(const double, diagonal)
       BUFFER(double, m))
{
  FOR_ITEMS(i, 0) {
    m[i*n + i] = diagonal[i];
    for (int k = start[i]; k < start[i + 1]; ++k) m[i*n + col[k]] += off[k];
  }
}
END

// Pivot k from `m` to `next`, an item an entry; n: entries.
KERNEL(mg_sweep, INT(side) INT(k) BUFFER(const double, diagonal) BUFFER(const double, m) BUFFER(double, next) BUFFER(int, zero))
{
  const double pivot = m[k*side + k];
  const int none = !(pivot > 1e-11*diagonal[k]);
  FOR_ITEMS(e, 0) {
    const int i = e/side, j = e%side;
    const double in_row = m[k*side + j]/pivot, factor = m[i*side + k];
    if (none) next[e] = m[e];
    else if (i == k) next[e] = j == k ? 1.0/pivot : in_row;
    else next[e] = j == k ? -factor/pivot : m[e] - factor*in_row;
    if (e == 0) zero[k] = none;
  }
}
END

KERNEL(mg_inverse, INT(side) REAL(scale) BUFFER(const double, m) BUFFER(const int, zero) BUFFER(float, dense))
{
  FOR_ITEMS(e, 0) {
    const int i = e/side, j = e%side;
    dense[e] = zero[i] || zero[j] ? 0.0f : (float)(0.5*(m[i*side + j] + m[j*side + i])/scale);
  }
}
END
