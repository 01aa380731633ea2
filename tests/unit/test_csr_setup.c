/* Multigrid made on the device, level by level: aggregates against one row after another, interpolation against the host's, products
 * against plain sums, all sizes of groups and all runs against each other. EDGEWISE_TEST_DEVICE: where. */
#include "csr/setup.h"
#include "test_csr_fixture.h"

/* ---- a matrix on a device, and what was made of it ----------------------------------------------------------------- */

typedef struct made {
  dev_context *device;
  csr_matrix matrix;
  dev_buffer *start, *col, *off, *diagonal;
  setup *setup;
} made;

static void load_values(made *o, const csr_model *m) {
  dev_buffer_destroy(&o->off);
  dev_buffer_destroy(&o->diagonal);
  o->off = put(o->device, m->off, 8 * (size_t)m->pattern.start[m->pattern.n]);
  o->diagonal = put(o->device, m->diagonal, 8 * (size_t)m->pattern.n);
  o->matrix.off = o->off;
  o->matrix.diagonal = o->diagonal;
}

static made open_made(const csr_model *m, int group_bits) {
  const size_t n = (size_t)m->pattern.n;
  made o = {.device = open_device("cpu")};
  o.start = put(o.device, m->pattern.start, 4 * (n + 1));
  o.col = put(o.device, m->pattern.col, 4 * (size_t)m->pattern.start[n]);
  o.matrix = (csr_matrix){.device = o.device, .pattern = m->pattern, .start = o.start, .col = o.col};
  load_values(&o, m);
  OK(setup_create(o.device, group_bits, &o.setup, err));
  OK(setup_make(o.setup, &o.matrix, err));
  return o;
}

static void close_made(made *o) {
  setup_destroy(&o->setup);
  dev_buffer *all[] = {o->start, o->col, o->off, o->diagonal};
  for (int k = 0; k < 4; k++) dev_buffer_destroy(&all[k]);
  dev_context_destroy(&o->device);
}

static void *fetch(const dev_buffer *buffer, size_t bytes) {
  void *out = calloc(1, bytes + 8);
  if (bytes) OK(dev_buffer_read(buffer, 0, bytes, out, err));
  return out;
}

static mg_rows fetch_rows(const mg_device_rows *r) {
  const size_t entries = (size_t)r->entries;
  return (mg_rows){r->rows, r->columns, fetch(r->start, 4 * ((size_t)r->rows + 1)),
                   fetch(r->col, 4 * entries), fetch(r->value, 8 * entries)};
}

/* A level's matrix on the host; owned, in spite of its type. */
static mg_matrix fetch_matrix(const mg_device_matrix *a) {
  const size_t n = (size_t)a->n, entries = (size_t)a->entries;
  return (mg_matrix){a->n, fetch(a->start, 4 * (n + 1)), fetch(a->col, 4 * entries),
                     fetch(a->off, 8 * entries), fetch(a->diagonal, 8 * n)};
}

static void clear_matrix(mg_matrix *a) {
  free((void *)a->start), free((void *)a->col), free((void *)a->off), free((void *)a->diagonal);
}

/* ---- aggregates ----------------------------------------------------------------------------------------------------- */

/* Ranks as in setup.cl, from its text alone. */
static uint32_t rank_of(uint32_t row, int bits) {
  const uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
  uint32_t b = row * 0x9e3779b1u & mask;
  b ^= b >> (bits + 1) / 2;
  b = b * 0x85ebca6bu & mask;
  b ^= b >> (bits + 1) / 2;
  b = b * 0xc2b2ae35u & mask;
  return b ^ b >> (bits + 1) / 2;
}

/* The rows by their ranks. */
static int32_t *rows_by_rank(int32_t n) {
  int bits = 0;
  while (((int64_t)1 << bits) < n) bits++;
  int32_t *order = malloc(((size_t)1 << bits) * sizeof *order), *row = malloc((size_t)n * sizeof *row),
          at = 0;
  for (int64_t k = 0; k < (int64_t)1 << bits; k++) order[k] = -1;
  for (int32_t i = 0; i < n; i++) {
    assert_int_equal(order[rank_of((uint32_t)i, bits)], -1); /* each has its own */
    order[rank_of((uint32_t)i, bits)] = i;
  }
  for (int64_t k = 0; k < (int64_t)1 << bits; k++)
    if (order[k] >= 0) row[at++] = order[k];
  free(order);
  return row;
}

/* Both passes, one row after another; founder[i]: by which row, or -1. */
static void found_in_turn(const mg_rows *s, int32_t *founder) {
  int32_t *row = rows_by_rank(s->rows), *before = malloc((size_t)s->rows * sizeof *before);
  for (int32_t i = 0; i < s->rows; i++) founder[i] = -1;
  for (int second = 0; second < 2; second++) {
    memcpy(before, founder, (size_t)s->rows * sizeof *before);
    for (int32_t at = 0; at < s->rows; at++) {
      const int32_t i = row[at], all = s->start[i + 1] - s->start[i];
      int32_t open = 0, lost = 0;
      for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
        open += before[s->col[k]] < 0;
        lost += before[s->col[k]] < 0 && founder[s->col[k]] >= 0;
      }
      const bool enough = second ? open >= 2 && 5 * open >= 2 * all : all > 0 && open == all;
      if (founder[i] >= 0 || lost || !enough) continue;
      founder[i] = i;
      for (int32_t k = s->start[i]; k < s->start[i + 1]; k++)
        if (before[s->col[k]] < 0) founder[s->col[k]] = i;
    }
  }
  free(row);
  free(before);
}

/* Numbers by founders, and the strongest coupling of what is left. Returns how many. */
static int32_t aggregate_in_turn(const mg_rows *s, int32_t *aggregate) {
  int32_t *founder = malloc((size_t)s->rows * sizeof *founder), *number = malloc((size_t)s->rows * 4), n = 0;
  found_in_turn(s, founder);
  for (int32_t i = 0; i < s->rows; i++) number[i] = founder[i] == i ? n++ : -1;
  for (int32_t i = 0; i < s->rows; i++) {
    double most = 0;
    aggregate[i] = founder[i] >= 0 ? number[founder[i]] : -1;
    for (int32_t k = s->start[i]; founder[i] < 0 && k < s->start[i + 1]; k++) {
      if (founder[s->col[k]] < 0 || -s->value[k] <= most) continue;
      most = -s->value[k];
      aggregate[i] = number[founder[s->col[k]]];
    }
  }
  free(founder);
  free(number);
  return n;
}

/* The strong couplings alone. */
static mg_rows strong_of(const mg_matrix *a, const uint8_t *kind) {
  const size_t entries = (size_t)a->start[a->n];
  mg_rows r = {a->n, a->n, calloc((size_t)a->n + 1, 4), malloc(4 * entries + 4), malloc(8 * entries + 8)};
  int32_t at = 0;
  for (int32_t i = 0; i < a->n; i++) {
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
      if (kind[k] != MG_STRONG) continue;
      r.value[at] = a->off[k];
      r.col[at++] = a->col[k];
    }
    r.start[i + 1] = at;
  }
  return r;
}

static void check_aggregates(const setup_level *l, const mg_matrix *a, const uint8_t *kind) {
  mg_rows strong = strong_of(a, kind);
  int32_t *wanted = malloc((size_t)a->n * sizeof *wanted), *got = fetch(l->aggregate, 4 * (size_t)a->n);
  const int32_t n = aggregate_in_turn(&strong, wanted);
  assert_int_equal(n, l->prolong.columns);
  assert_memory_equal(wanted, got, (size_t)a->n * sizeof *got);
  mg_rows_clear(&strong);
  free(wanted);
  free(got);
}

/* ---- interpolation and products -------------------------------------------------------------------------------------- */

/* What interpolates, as the device has it. */
static uint8_t *fetch_kind(const setup_level *l, const mg_matrix *a) {
  const size_t entries = (size_t)a->start[a->n];
  int32_t *reach = fetch(l->reach, 4 * entries);
  uint8_t *kind = calloc(entries + 1, 1);
  for (size_t k = 0; k < entries; k++) {
    assert_true(reach[k] < 0 || reach[k] == a->col[k]);
    kind[k] = reach[k] < 0 ? MG_WEAK : MG_REACHED;
  }
  free(reach);
  return kind;
}

/* The host's couplings, and with them what depends on the values that the patterns were made of. */
static void check_couplings(const setup_level *l, const mg_matrix *a, double threshold) {
  uint8_t *wanted, *got = fetch_kind(l, a);
  OK(mg_couple(a, threshold, &wanted, err));
  for (int32_t k = 0; k < a->start[a->n]; k++) assert_true((got[k] == MG_WEAK) == (wanted[k] == MG_WEAK));
  check_aggregates(l, a, wanted);
  free(wanted);
  free(got);
}

/* Bit for bit the host's for the same aggregates and couplings; and P' its transpose, rows in order. */
static void check_prolong(const setup_level *l, const mg_matrix *a) {
  mg_rows wanted, back, p = fetch_rows(&l->prolong), r = fetch_rows(&l->restrict_);
  int32_t *aggregate = fetch(l->aggregate, 4 * (size_t)a->n);
  uint8_t *kind = fetch_kind(l, a);
  OK(mg_prolongator(a, kind, aggregate, p.columns, &wanted, err));
  OK(mg_transpose(&p, &back, err));
  const size_t entries = (size_t)p.start[a->n];
  assert_memory_equal(p.start, wanted.start, 4 * ((size_t)a->n + 1));
  assert_memory_equal(p.col, wanted.col, 4 * entries);
  assert_memory_equal(p.value, wanted.value, 8 * entries);
  assert_memory_equal(r.start, back.start, 4 * ((size_t)r.rows + 1));
  assert_memory_equal(r.col, back.col, 4 * entries);
  assert_memory_equal(r.value, back.value, 8 * entries);
  mg_rows *all[] = {&wanted, &back, &p, &r};
  for (int k = 0; k < 4; k++) mg_rows_clear(all[k]);
  free(aggregate);
  free(kind);
}

/* sum[j], size[j] += the terms of row i of P' A P, and of their magnitudes. */
static void add_row(const mg_matrix *a, const mg_rows *p, int32_t row, double factor, double *sum,
                    double *size) {
  for (int32_t k = a->start[row] - 1; k < a->start[row + 1]; k++) {
    const bool own = k < a->start[row];
    const int32_t at = own ? row : a->col[k];
    const double value = factor * (own ? a->diagonal[row] : a->off[k]);
    for (int32_t q = p->start[at]; q < p->start[at + 1]; q++) {
      sum[p->col[q]] += value * p->value[q];
      size[p->col[q]] += fabs(value * p->value[q]);
    }
  }
}

static void check_row(const mg_matrix *next, int32_t i, double *sum, const double *size) {
  double most = 0;
  for (int32_t j = 0; j < next->n; j++) most = fmax(most, size[j]);
  assert_true(fabs(next->diagonal[i] - sum[i]) <= 1e-14 * most);
  sum[i] = 0;
  for (int32_t k = next->start[i]; k < next->start[i + 1]; k++) {
    assert_true(next->col[k] != i && (k == next->start[i] || next->col[k] > next->col[k - 1]));
    assert_true(fabs(next->off[k] - sum[next->col[k]]) <= 1e-14 * most);
    sum[next->col[k]] = 0;
  }
  for (int32_t j = 0; j < next->n; j++) assert_true(sum[j] == 0); /* nothing is left out */
}

static void check_product(const setup_level *l, const mg_matrix *a, const mg_matrix *next) {
  mg_rows p = fetch_rows(&l->prolong), r = fetch_rows(&l->restrict_);
  for (int32_t i = 0; i < next->n; i++) {
    double *sum = calloc((size_t)next->n, sizeof *sum), *size = calloc((size_t)next->n, sizeof *size);
    for (int32_t k = r.start[i]; k < r.start[i + 1]; k++) add_row(a, &p, r.col[k], r.value[k], sum, size);
    check_row(next, i, sum, size);
    free(sum);
    free(size);
  }
  mg_rows_clear(&p);
  mg_rows_clear(&r);
}

/* `fresh`: the patterns are of the values there are. */
static void check_levels(const setup *s, bool fresh) {
  double threshold = MG_THRESHOLD;
  for (int l = 0; l + 1 < s->n_levels; l++, threshold /= 2) {
    mg_matrix a = fetch_matrix(&s->level[l].matrix), next = fetch_matrix(&s->level[l + 1].matrix);
    if (fresh) check_couplings(&s->level[l], &a, threshold);
    if (!s->scaling) { /* else the interpolation is scaled by what the next level has */
      check_prolong(&s->level[l], &a);
      check_product(&s->level[l], &a, &next);
    }
    clear_matrix(&a);
    clear_matrix(&next);
  }
}

static void laplacians(void **state) {
  (void)state;
  for (int fixed = 0; fixed < 2; fixed++) {
    csr_model m;
    OK(csr_model_laplacian(14, fixed, &m, err));
    made o = open_made(&m, 7);
    assert_true(o.setup->n_levels >= 2);
    check_levels(o.setup, true);
    close_made(&o);
    csr_model_clear(&m);
  }
}

/* ---- matrices of all kinds ---------------------------------------------------------------------------------------------- */

/* A matrix of rows that each have couplings to some of the 2*width rows around it. */
static csr_model band(int32_t n, int32_t width, double (*value)(uint64_t *seed), bool symmetric) {
  int32_t *start = calloc((size_t)n + 1, sizeof *start), *col = malloc(2 * (size_t)n * width * sizeof *col);
  csr_model m = {{n, start, col}, malloc(2 * (size_t)n * width * sizeof *m.off), malloc((size_t)n * 8)};
  for (int32_t i = 0; i < n; i++) {
    int32_t at = start[i];
    m.diagonal[i] = 0.5;
    for (int32_t j = i < width ? 0 : i - width; j <= i + width && j < n; j++) {
      uint64_t seed = symmetric ? (uint64_t)(i < j ? i : j) * 7919 + (uint64_t)(i < j ? j : i)
                                : (uint64_t)i * 7919 + (uint64_t)j * 31;
      for (int k = 0; k < 5; k++) random_number(&seed);
      if (j == i || i % 13 == 5 || j % 13 == 5 || random_number(&seed) < 0.2) continue;
      col[at] = j;
      m.off[at] = value(&seed);
      m.diagonal[i] += fabs(m.off[at++]);
    }
    start[i + 1] = at;
    if (i % 13 == 5) m.diagonal[i] = i % 2; /* nothing else in the row, or nothing at all */
  }
  return m;
}

static double negative(uint64_t *seed) { return random_number(seed) - 1; }
static double of_both_signs(uint64_t *seed) { return random_number(seed) - 0.5; }
static double over_decades(uint64_t *seed) { return -pow(10, 6 * random_number(seed)); }
static double often_zero(uint64_t *seed) { return random_number(seed) < 0 ? 0 : -1; }

static void random_matrices(void **state) {
  (void)state;
  double (*const of[])(uint64_t *) = {negative, of_both_signs, over_decades, often_zero};
  for (int k = 0; k < 8; k++) {
    csr_model m = band(k < 4 ? 900 : 1300, 2 + 3 * (k % 3), of[k % 4], k < 4);
    made o = open_made(&m, 6);
    check_levels(o.setup, true);
    close_made(&o);
    csr_model_clear(&m);
  }
}

/* Singular: rows sum to 0, of one part and of two. A chain with diagonals of 0 and below in it. */
static void singular_matrices(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    csr_model m = band(1000, 1, often_zero, true);
    for (int32_t i = 0; i < 1000; i++)
      m.diagonal[i] = k == 2 && i % 7 < 2 ? -(i % 7) : m.diagonal[i] - (m.diagonal[i] > 0.6 ? 0.5 : 0);
    made o = open_made(&m, 5);
    check_levels(o.setup, true);
    close_made(&o);
    csr_model_clear(&m);
  }
}

/* Row 0 is coupled to all others, too weakly to be in an aggregate with them: its rows of products are longer than any table. */
static csr_model hub(int32_t n) {
  int32_t *start = calloc((size_t)n + 1, sizeof *start), *col = malloc(4 * (size_t)n * sizeof *col), at = 0;
  csr_model m = {{n, start, col}, malloc(4 * (size_t)n * sizeof *m.off), malloc((size_t)n * 8)};
  for (int32_t i = 0; i < n; i++) {
    for (int32_t j = i ? 0 : 1; j < n; j++) {
      if (i && j && (j == i || j < i - 1 || j > i + 1)) continue;
      col[at] = j;
      m.off[at++] = i && j ? -1 : -1e-4;
      if (i && j > i) break;
    }
    start[i + 1] = at;
    m.diagonal[i] = 2.5;
  }
  return m;
}

static void rows_longer_than_tables(void **state) {
  (void)state;
  csr_model m = hub(4000);
  made o = open_made(&m, 7);
  mg_rows product = fetch_rows(&o.setup->level[0].product);
  int32_t most = 0;
  for (int32_t i = 0; i < product.rows; i++)
    if (product.start[i + 1] - product.start[i] > most) most = product.start[i + 1] - product.start[i];
  assert_true(most > 512);
  check_levels(o.setup, true);
  mg_rows_clear(&product);
  close_made(&o);
  csr_model_clear(&m);
}

/* ---- the same bits ------------------------------------------------------------------------------------------------------- */

static void equal_buffers(const dev_buffer *a, const dev_buffer *b, uint64_t bytes) {
  void *left = fetch(a, bytes), *right = fetch(b, bytes);
  assert_memory_equal(left, right, bytes);
  free(left);
  free(right);
}

static void equal_levels(const setup *a, const setup *b) {
  assert_int_equal(a->n_levels, b->n_levels);
  for (int l = 0; l < a->n_levels; l++) {
    const setup_level *x = &a->level[l], *y = &b->level[l];
    assert_int_equal(x->matrix.n, y->matrix.n);
    assert_int_equal(x->matrix.entries, y->matrix.entries);
    equal_buffers(x->matrix.col, y->matrix.col, 4 * (uint64_t)x->matrix.entries);
    equal_buffers(x->matrix.off, y->matrix.off, 8 * (uint64_t)x->matrix.entries);
    equal_buffers(x->matrix.diagonal, y->matrix.diagonal, 8 * (uint64_t)x->matrix.n);
    if (l + 1 == a->n_levels) break;
    equal_buffers(x->restrict_.value, y->restrict_.value, 8 * (uint64_t)x->restrict_.entries);
    equal_buffers(x->product.value, y->product.value, 8 * (uint64_t)x->product.entries);
  }
}

/* D A D with D = 10^u, u of each row by chance within -width ... width. */
static void scale_rows(csr_model *m, double width) {
  double *d = random_vector(m->pattern.n, 11);
  for (int32_t i = 0; i < m->pattern.n; i++) d[i] = pow(10, width * d[i]);
  for (int32_t i = 0; i < m->pattern.n; i++) {
    m->diagonal[i] *= d[i] * d[i];
    for (int32_t k = m->pattern.start[i]; k < m->pattern.start[i + 1]; k++)
      m->off[k] *= d[i] * d[m->pattern.col[k]];
  }
  free(d);
}

static void every_run_and_size_of_groups(void **state) {
  (void)state;
  for (int scaled = 0; scaled < 2; scaled++) {
    csr_model m;
    OK(csr_model_laplacian(16, true, &m, err));
    if (scaled) scale_rows(&m, 1);
    made first = open_made(&m, 7);
    assert_true((first.setup->scaling != NULL) == (scaled == 1));
    check_levels(first.setup, true);
    for (int bits = 5; bits <= 8; bits++) {
      made other = open_made(&m, bits);
      equal_levels(first.setup, other.setup);
      OK(setup_make(other.setup, &other.matrix, err));
      equal_levels(first.setup, other.setup);
      close_made(&other);
    }
    close_made(&first);
    csr_model_clear(&m);
  }
}

/* ---- new values ------------------------------------------------------------------------------------------------------------ */

static void refresh(made *o, const csr_model *m) {
  bool kept;
  load_values(o, m);
  OK(setup_refresh(o->setup, &o->matrix, &kept, err));
  assert_true(kept);
}

/* A small change leaves aggregates and couplings as they are: what is made anew and what is made fresh is the same, to the bit. */
static void new_values_on_old_patterns(void **state) {
  (void)state;
  for (int scaled = 0; scaled < 2; scaled++) {
    csr_model m;
    OK(csr_model_laplacian(16, true, &m, err));
    if (scaled) scale_rows(&m, 1);
    made o = open_made(&m, 7);
    const size_t bytes = 8 * (size_t)o.setup->level[1].matrix.n;
    double *before = fetch(o.setup->level[1].matrix.diagonal, bytes);
    for (int32_t i = 0; i < m.pattern.n; i++) m.diagonal[i] *= 1 + 1e-9 * (i % 3);
    refresh(&o, &m);
    double *after = fetch(o.setup->level[1].matrix.diagonal, bytes);
    assert_memory_not_equal(before, after, bytes);
    made fresh = open_made(&m, 7);
    equal_levels(o.setup, fresh.setup);
    free(before), free(after);
    close_made(&fresh);
    close_made(&o);
    csr_model_clear(&m);
  }
}

/* A large one does not; products are those of the old aggregates and couplings then. */
static void other_values_on_old_patterns(void **state) {
  (void)state;
  csr_model m;
  OK(csr_model_laplacian(14, true, &m, err));
  made o = open_made(&m, 6);
  for (int32_t k = 0; k < m.pattern.start[m.pattern.n]; k++) m.off[k] *= 1 + 0.4 * sin(0.37 * k);
  for (int32_t i = 0; i < m.pattern.n; i++) m.diagonal[i] *= 2.5 + sin(0.11 * i);
  refresh(&o, &m);
  check_levels(o.setup, false);
  close_made(&o);
  csr_model_clear(&m);
}

/* Products were made without an entry that was 0: with it they would be wrong. */
static void entries_that_were_zero(void **state) {
  (void)state;
  bool kept;
  csr_model m = band(1000, 3, often_zero, true);
  made o = open_made(&m, 7);
  assert_true(o.setup->n_levels > 1);
  int32_t k = 0;
  while (m.off[k] != 0) k++;
  OK(setup_refresh(o.setup, &o.matrix, &kept, err));
  assert_true(kept);
  m.off[k] = -1e-3;
  load_values(&o, &m);
  OK(setup_refresh(o.setup, &o.matrix, &kept, err));
  assert_false(kept);
  close_made(&o);
  csr_model_clear(&m);
}

/* ---- the cycle's form --------------------------------------------------------------------------------------------------------- */

/* Rows put together again from lines in slices. */
static void check_cut(const mg_rows *r, const cycle_rows *cut) {
  const int lanes = 1 << cut->lanes_bits;
  const int32_t slices = (r->rows * lanes + CYCLE_SLICE - 1) / CYCLE_SLICE;
  int32_t *start = fetch(cut->start, 4 * ((size_t)slices + 1)),
          *col = fetch(cut->col, 4 * (size_t)start[slices]);
  float *value = fetch(cut->value, 4 * (size_t)start[slices]);
  for (int32_t i = 0; i < r->rows; i++) {
    const int32_t begin = r->start[i], n = r->start[i + 1] - begin;
    for (int lane = 0; lane < lanes; lane++) {
      const int32_t line = i * lanes + lane, s = line / CYCLE_SLICE;
      int32_t k = lane;
      for (int32_t p = start[s] + line % CYCLE_SLICE; p < start[s + 1]; p += CYCLE_SLICE, k += lanes) {
        assert_int_equal(col[p], k < n ? r->col[begin + k] : n ? r->col[begin] : 0);
        assert_true(value[p] == (k < n ? (float)(4 * r->value[begin + k]) : 0));
      }
      assert_true(k >= n);
    }
  }
  free(start), free(col), free(value);
}

static void slices_hold_the_rows(void **state) {
  (void)state;
  csr_model m;
  OK(csr_model_laplacian(13, true, &m, err));
  made o = open_made(&m, 7);
  for (int k = 0; k < 4; k++) {
    const mg_device_rows *from[] = {&o.setup->level[0].prolong, &o.setup->level[0].restrict_,
                                    &o.setup->level[1].own, &o.setup->level[1].own};
    cycle_rows cut = {.lanes_bits = k % 2 ? CYCLE_MANY_LANES_BITS : 0};
    mg_rows r = fetch_rows(from[k]);
    OK(mg_device_cut(o.setup->device, r.rows, from[k]->start, from[k]->col, &cut, err));
    OK(mg_device_cut_values(o.setup->device, from[k], 4, &cut, err));
    check_cut(&r, &cut);
    dev_buffer_destroy(&cut.own[0]);
    dev_buffer_destroy(&cut.own[1]);
    dev_buffer_destroy(&cut.value);
    mg_rows_clear(&r);
  }
  close_made(&o);
  csr_model_clear(&m);
}

/* The last level's inverse, bit for bit the host's in single precision. */
static void last_level(void **state) {
  (void)state;
  csr_model m;
  OK(csr_model_laplacian(11, false, &m, err));
  made o = open_made(&m, 7);
  cycle_parts parts;
  OK(setup_parts(o.setup, &parts, err));
  mg_matrix a = fetch_matrix(&o.setup->level[o.setup->n_levels - 1].matrix);
  const size_t all = (size_t)a.n * (size_t)a.n;
  double *wanted = malloc(8 * all);
  float *got = fetch(parts.dense, 4 * all);
  OK(mg_dense_inverse(&a, wanted, err));
  for (size_t k = 0; k < all; k++) assert_true(got[k] == (float)(wanted[k] / parts.scale));
  free(wanted);
  free(got);
  clear_matrix(&a);
  cycle_parts_clear(&parts);
  close_made(&o);
  csr_model_clear(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laplacians),
      cmocka_unit_test(random_matrices),
      cmocka_unit_test(singular_matrices),
      cmocka_unit_test(rows_longer_than_tables),
      cmocka_unit_test(every_run_and_size_of_groups),
      cmocka_unit_test(new_values_on_old_patterns),
      cmocka_unit_test(other_values_on_old_patterns),
      cmocka_unit_test(entries_that_were_zero),
      cmocka_unit_test(slices_hold_the_rows),
      cmocka_unit_test(last_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
