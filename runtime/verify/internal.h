/* Shared by the files of this folder. */
#ifndef EW_VERIFY_INTERNAL_H
#define EW_VERIFY_INTERNAL_H

#include "verify/verify.h"

/* base + amplitude*sin(k.x + omega*t + phase + 0.7*d) in component d; whole: the nearest whole number. */
typedef struct verify_wave {
  double base, amplitude, k[3], omega, phase;
  int dim;
  bool whole;
  bool cut; /* what would be negative is 0: a lake at rest, dry ground, ties */
} verify_wave;

ew_status verify_wave_at(void *context, const double *x, double t, double *out, int n, ew_error *err);

/* A value of `n` components under a name that the caller keeps. */
typedef enum verify_kind { VERIFY_NUMBERS, VERIFY_PLACE, VERIFY_TIME, VERIFY_SERIES } verify_kind;
typedef struct verify_value_request {
  const char *name;
  int n;
  verify_kind kind;
  uint64_t seed;
  const char *bounds; /* see dslc_within */
} verify_value_request;
ew_status verify_value(ew_case *c, const verify_setup *s, const verify_value_request *r, case_value *out,
                       ew_error *err);

/* Uniform in [low, high). */
double verify_uniform(uint64_t *state, double low, double high);
int verify_below(uint64_t *state, int n);

/* Names of rules, each once; a grid's rule may have a version for each axis. */
int verify_rules(const dslc_program *p, const char *name[], int most);
/* Whether the rule has a version across the axis (0..2). */
bool verify_rule_across(const dslc_program *p, const char *name, int axis);

/* What parts a mesh has: its sides have the usual names, or those by which the scheme asks for patches; its cells lie in "all", or by
 * chance in one of the groups that the scheme asks for. */
enum { VERIFY_GROUPS = 8 };
typedef struct verify_parts {
  char side[VERIFY_SIDES][VERIFY_TEXT];
  int n_groups;
  char group[VERIFY_GROUPS][VERIFY_TEXT];
  bool named[VERIFY_SIDES]; /* the scheme asks for that side */
  bool own;                 /* some name is the scheme's own: no generator makes such a mesh */
} verify_parts;
void verify_find_parts(const dslc_program *p, verify_parts *out);

/* Writes a Gmsh file of triangles and quadrangles by chance. */
ew_status verify_write_mixed(const verify_setup *s, const verify_parts *parts, const char *path,
                             ew_error *err);

#endif
