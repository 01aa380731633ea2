/* Comparison in double precision: cmocka's assert_float_equal compares floats. Include after cmocka.h. */
#ifndef EW_REFERENCE_NEAR_H
#define EW_REFERENCE_NEAR_H

#include <math.h>

#define assert_near(value, expected, tolerance)                                                              \
  do {                                                                                                       \
    double near_v = (value), near_e = (expected), near_t = (tolerance);                                      \
    if (!(fabs(near_v - near_e) <= near_t))                                                                  \
      fail_msg("%s = %.15g, expected %.15g within %g", #value, near_v, near_e, near_t);                      \
  } while (0)

/* value <= limit, and not NaN. */
#define assert_below(value, limit)                                                                           \
  do {                                                                                                       \
    double near_v = (value), near_l = (limit);                                                               \
    if (!(near_v <= near_l)) fail_msg("%s = %.15g, expected at most %.15g", #value, near_v, near_l);         \
  } while (0)

#endif
