/* Numbers of four prime fields at once, to compare rational expressions by their values at a random point: two that are not the
 * same agree there by chance with a probability of about (degree/2^31)^4 (Schwartz 1980, Zippel 1979). */
#ifndef DSLC_SEMA_FIELD_H
#define DSLC_SEMA_FIELD_H

#include <stdbool.h>
#include <stdint.h>

enum { FIELD_LANES = 4 };

typedef struct field {
  uint32_t lane[FIELD_LANES];
} field;

field field_whole(int n);
field field_number(double x); /* finite: a binary fraction is exact */
field field_random(uint64_t key);
field field_add(field a, field b);
field field_sub(field a, field b);
field field_mul(field a, field b);
field field_div(field a, field b); /* b is not 0 */
field field_neg(field a);
bool field_equal(field a, field b);
bool field_is_zero(field a);
bool field_invertible(field a); /* in no lane 0 */
/* Of x and -x, which differ, one has this property. */
bool field_is_upper(field a);
uint64_t field_hash(uint64_t key, field a);

#endif
