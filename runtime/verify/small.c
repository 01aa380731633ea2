/* Fields far smaller than others. A difference of one of them is nothing beside the largest field's rounding, if it is made of that by
 * cancellation, and all of the field, if it is not. The reference, begun with values that are off by a few roundings, says which. */
#include <math.h>
#include <stdlib.h>

#include "verify/internal.h"

#define SMALL     1e-6 /* of the largest value of all fields */
#define ROUNDINGS 16   /* how often what that makes counts as rounding */

double verify_largest(const verify_result *r) {
  double most = 0;
  for (int i = 0; i < r->n_fields; i++) most = fmax(most, verify_largest_of(&r->field[i]));
  return most;
}

static bool is_small(const verify_field *f, double most) {
  const double own = verify_largest_of(f);
  return own > 0 && own < SMALL * most;
}

/* 1e-9 of what is not small, but no more than a part of the field: iterations of its equations end at a tolerance. */
static double floor_of(const verify_field *f, double most) {
  return fmin(1e-6, 1e-9 * SMALL * most / verify_largest_of(f));
}

static bool any_small(const verify_result *r, double most) {
  for (int i = 0; i < r->n_fields; i++)
    if (is_small(&r->field[i], most)) return true;
  return false;
}

ew_status verify_small_find(ew_case *c, const verify_way *plain, const verify_result *base, double off,
                            double **allowed, ew_error *err) {
  ew_status status = EW_OK;
  verify_way way = *plain;
  verify_result other = {0};
  const double most = verify_largest(base);
  double *of = *allowed = calloc((size_t)base->n_fields + 1, sizeof *of);
  if (!of) return ew_fail(err, EW_FAIL, "out of memory for differences");
  if (!any_small(base, most)) return EW_OK;
  way.nudge = off;
  status = verify_run(c, &way, NULL, &other, err);
  for (int i = 0; status == EW_OK && i < base->n_fields; i++) {
    if (!is_small(&base->field[i], most)) continue;
    const double grown = verify_compare_own(base, &other, i).most;
    of[i] = fmax(floor_of(&base->field[i], most), ROUNDINGS * (grown + (double)base->steps * off));
  }
  verify_result_clear(&other);
  return status;
}

verify_difference verify_small_compare(const verify_result *base, const verify_result *other,
                                       const double *allowed) {
  verify_difference worst = {0};
  for (int i = 0; i < base->n_fields; i++) {
    if (allowed[i] == 0) continue;
    const verify_difference d = verify_compare_own(base, other, i);
    if (d.most > allowed[i] && d.most > worst.most) worst = d;
  }
  return worst;
}

void verify_small_print(const verify_result *base, const double *allowed, FILE *out) {
  for (int i = 0; i < base->n_fields; i++)
    if (allowed[i] >= 1)
      fprintf(out, "  %s is too small beside other fields to be compared: rounding may make all of it\n",
              base->field[i].name);
    else if (allowed[i] > 1.01e-6)
      fprintf(out, "  %s is small beside other fields: up to %.1e of it is rounding\n", base->field[i].name,
              allowed[i]);
}
