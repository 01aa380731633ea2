#include <string.h>

#include "tune/linear_internal.h"

typedef struct shape {
  csr_form form;
  int group_bits, rows_bits;
} shape;

/* The likely ones first, for time may run out. */
static const shape wide[] = {
    {CSR_FORM_SLICED, 8, 0}, {CSR_FORM_SLICED, 7, 0}, {CSR_FORM_STREAM, 8, 8}, {CSR_FORM_STREAM, 7, 7},
    {CSR_FORM_LANES, 8, 6},  {CSR_FORM_LANES, 8, 7},  {CSR_FORM_LANES, 8, 5},  {CSR_FORM_SLICED, 9, 0},
    {CSR_FORM_STREAM, 8, 7}, {CSR_FORM_LANES, 7, 5},  {CSR_FORM_LANES, 8, 8},  {CSR_FORM_PAPER, 8, 5},
    {CSR_FORM_PAPER, 7, 4},  {CSR_FORM_SLICED, 6, 0}, {CSR_FORM_STREAM, 9, 8}, {CSR_FORM_STREAM, 6, 6},
    {CSR_FORM_LANES, 7, 4},  {CSR_FORM_LANES, 7, 7},  {CSR_FORM_LANES, 9, 6},  {CSR_FORM_PAPER, 8, 6},
    {CSR_FORM_PAPER, 6, 3},  {CSR_FORM_PAPER, 8, 4},  {CSR_FORM_SLICED, 10, 0}};

/* On CPUs the loop is hard to beat; one candidate of each other form shows it. */
static const shape narrow[] = {{CSR_FORM_LOOP, 0, 0},
                               {CSR_FORM_SLICED, 8, 0},
                               {CSR_FORM_LANES, 6, 6},
                               {CSR_FORM_STREAM, 6, 6},
                               {CSR_FORM_PAPER, 6, 4}};

static bool fits(const dev_info *device, const shape *s) {
  if (device->type == DEV_HOST && s->form != CSR_FORM_LOOP) return false;
  return ((size_t)1 << s->group_bits) <= device->max_work_group;
}

static bool same(const csr_options *a, const csr_options *b) {
  return a->method == b->method && memcmp(&a->tuning, &b->tuning, sizeof a->tuning) == 0;
}

/* Appends unless it is there already. */
static int append(csr_options *out, int n, const csr_options *candidate) {
  for (int i = 0; i < n; i++)
    if (same(&out[i], candidate)) return n;
  if (n < most_candidates) out[n++] = *candidate;
  return n;
}

/* Both widths of columns where the form has a choice. */
static int append_widths(csr_options *out, int n, csr_options c) {
  for (int bits = 16; bits <= 32; bits += 16) {
    c.tuning.column_bits = bits;
    if (bits == 32 || (c.tuning.form != CSR_FORM_PAPER && c.tuning.form != CSR_FORM_STREAM))
      n = append(out, n, &c);
  }
  return n;
}

int tune_linear_forms(const dev_info *device, const csr_options *base, int32_t rows,
                      csr_options out[most_candidates]) {
  bool cpu = device->type == DEV_CPU || device->type == DEV_HOST;
  const shape *shapes = cpu ? narrow : wide;
  int count = cpu ? (int)(sizeof narrow / sizeof *narrow) : (int)(sizeof wide / sizeof *wide), n = 1;
  out[0] = *base;
  for (int i = 0; i < count; i++) {
    csr_options c = *base;
    c.tuning = (csr_tuning){
        .form = shapes[i].form, .group_bits = shapes[i].group_bits, .rows_bits = shapes[i].rows_bits};
    c.tuning = csr_tuning_complete(device, &c.tuning, rows);
    c.tuning.kernels = base->tuning.kernels;
    if (fits(device, &shapes[i])) n = append_widths(out, n, c);
  }
  return n;
}

static int at_least_one(double value) { return value >= 1.0 ? (int)value : 1; }

/* More groups hide more latency, fewer leave fewer sums for each group of the next kernel to sum. An iteration of cg in one kernel, where
 * launches are expensive, in two, and in three terms. */
int tune_linear_details(const csr_options *base, const csr_options *best, csr_options out[most_candidates]) {
  static const struct {
    double row, vector;
  } factor[] = {{1, 1},     {1, .5}, {.5, .5}, {.5, 1}, {1, .25}, {.5, .25},
                {.25, .25}, {2, 1},  {1, 2},   {2, .5}, {2, 2},   {4, 4}};
  const bool cg = base->method == CSR_CG, expensive = best->tuning.form != CSR_FORM_LOOP;
  out[0] = *base;
  int n = append(out, 1, best);
  for (size_t at = 0; at < sizeof factor / sizeof *factor; at++)
    for (int way = cg && expensive ? 1 : 2; way <= (cg ? 3 : 2); way++) {
      csr_options c = *best;
      c.tuning.row_waves = at_least_one(c.tuning.row_waves * factor[at].row);
      c.tuning.vector_waves = at_least_one(c.tuning.vector_waves * factor[at].vector);
      c.tuning.kernels = way == 1 ? 1 : 2;
      if (way == 3) c.method = CSR_CG_THREE_TERM;
      n = append(out, n, &c);
    }
  return n;
}
