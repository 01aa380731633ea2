/* The forms of a product: names, what a device can run, and the rule for what is left open. */
#include <stdio.h>
#include <string.h>

#include "csr/internal.h"

static const char *const names[CSR_FORM_COUNT] = {"rule", "loop", "paper", "lanes", "stream", "sliced"};

const char *csr_form_name(csr_form form) { return (unsigned)form < CSR_FORM_COUNT ? names[form] : NULL; }

csr_form csr_form_find(const char *name) {
  for (int form = 0; form < CSR_FORM_COUNT; form++)
    if (strcmp(names[form], name) == 0) return (csr_form)form;
  return CSR_FORM_COUNT;
}

static bool loops(const dev_info *info) { return info->type == DEV_CPU || info->type == DEV_HOST; }

/* Of the kernel that does a whole iteration, so many items are at work on a compute unit at once: on an H200 its 48 registers an item leave
 * room for 5/8 of 2048. While all rows are, an iteration takes as long as its longest row; groups that have to wait for room begin
 * anew with the sums of all groups, and cost as much as the launch that was saved. Measured there, 132 units: 11.2 us with 140 608 rows,
 * 20.1 with 185 193, for which two kernels take 15. No cache's size explains the step: products alone get no slower an entry up to 262 144
 * rows. */
enum { merged_items_a_unit = 1280 };

static bool fits_at_once(const dev_info *info, int32_t rows) {
  const int64_t units = info->compute_units ? info->compute_units : 1;
  return rows <= units * merged_items_a_unit;
}

csr_tuning csr_tuning_complete(const dev_info *info, const csr_tuning *asked, int32_t rows) {
  csr_tuning t = *asked;
  if (t.form == CSR_FORM_RULE) t.form = loops(info) ? CSR_FORM_LOOP : CSR_FORM_SLICED;
  if (t.form == CSR_FORM_LOOP) t.group_bits = 0;
  else if (t.group_bits == 0) t.group_bits = 8;
  if (t.form == CSR_FORM_LOOP || t.form == CSR_FORM_SLICED) t.rows_bits = t.group_bits;
  else if (t.rows_bits == 0) t.rows_bits = t.form == CSR_FORM_PAPER ? t.group_bits - 3 : t.group_bits;
  /* Full occupancy of a GPU takes 2048 items a unit; half of it hides the latency, and leaves half as many sums to sum. */
  if (t.row_waves == 0) t.row_waves = t.group_bits == 0 ? 4 : t.group_bits >= 10 ? 2 : 2048 >> t.group_bits;
  if (t.vector_waves == 0)
    t.vector_waves = t.group_bits == 0 ? 4 : t.group_bits >= 10 ? 1 : 1024 >> t.group_bits;
  /* A sixth less traffic for a few more instructions: a GPU has those to spare. */
  bool expensive = loops(info) || t.form == CSR_FORM_PAPER || t.form == CSR_FORM_STREAM;
  if (t.column_bits == 0) t.column_bits = expensive ? 32 : 16;
  if (t.kernels == 0) t.kernels = !loops(info) && fits_at_once(info, rows) ? 1 : 2;
  return t;
}

ew_status csr_tuning_check(const dev_info *info, const csr_tuning *t, ew_error *err) {
  if ((unsigned)t->form >= CSR_FORM_COUNT)
    return ew_fail(err, EW_INPUT, "the solver's tuning: no form of a product has number %d", (int)t->form);
  bool loop = t->form == CSR_FORM_LOOP, sliced = t->form == CSR_FORM_SLICED;
  int least = loop ? 0 : sliced ? csr_slice_bits : 1;
  if (!loop && info->type == DEV_HOST)
    return ew_fail(
        err, EW_INPUT,
        "the solver's tuning: form '%s' needs work-groups, which device '%s' has not; expected 'loop'",
        names[t->form], info->name);
  if (t->group_bits < least || t->group_bits > 10 || ((size_t)1 << t->group_bits) > info->max_work_group)
    return ew_fail(err, EW_INPUT,
                   "the solver's tuning: work-groups of 2^%d items with form '%s'; expected 2^%d to 2^10, "
                   "and at most the %zu of %s",
                   t->group_bits, names[t->form], least, info->max_work_group, info->name);
  if (t->rows_bits < 0 || t->rows_bits > t->group_bits)
    return ew_fail(
        err, EW_INPUT,
        "the solver's tuning: 2^%d rows for work-groups of 2^%d items; expected at most as many rows",
        t->rows_bits, t->group_bits);
  if (t->column_bits != 16 && t->column_bits != 32)
    return ew_fail(err, EW_INPUT, "the solver's tuning: columns of %d bits; expected 16 or 32",
                   t->column_bits);
  if (t->kernels != 1 && t->kernels != 2)
    return ew_fail(err, EW_INPUT, "the solver's tuning: %d kernels an iteration; expected 1 or 2",
                   t->kernels);
  if (t->row_waves < 1 || t->vector_waves < 1 || t->row_waves > 1024 || t->vector_waves > 1024)
    return ew_fail(err, EW_INPUT, "the solver's tuning: %d and %d groups a compute unit; expected 1 to 1024",
                   t->row_waves, t->vector_waves);
  return EW_OK;
}
