/* What the answer of a run depends on, as names and texts: the scheme's text, its variants, parameters, the values that the case gives, mesh,
 * output times. Not the device, nor the schedule. Checkpoints keep it, so that a run goes on with what it began with. Internal to the
 * runtime. */
#ifndef EW_RUN_IDENTITY_H
#define EW_RUN_IDENTITY_H

#include "dslc.h"
#include "formats/checkpoint.h"
#include "run/pairs.h"

struct exec_run;
struct exec_sampler;

typedef struct exec_identity {
  exec_pairs facts;
  bool recording;   /* values that are sampled are noted */
  const char *when; /* put in front of their names */
} exec_identity;

/* Notes all but the values, which exec_values_fill adds, and exec_reference_create. */
ew_status exec_identity_begin(struct exec_run *run, ew_error *err);
/* While recording: notes what a sampler gave for a state at the start or a given. */
ew_status exec_identity_field(struct exec_run *run, const dslc_field *f, const struct exec_sampler *s,
                              ew_error *err);

/* An argument on a boundary. A rule across one axis of a grid has values of its own there, and so has what a rule does at nodes. */
typedef struct exec_argument_at {
  const char *boundary, *argument;
  char axis;             /* 'x'; 0: across all */
  const dslc_hold *hold; /* NULL: not at nodes */
} exec_argument_at;

ew_status exec_identity_argument(struct exec_run *run, const exec_argument_at *at,
                                 const struct exec_sampler *s, ew_error *err);

/* The facts, what values over time are now, and what they are at the n moments (see over_time.h; none: that is left out), for a checkpoint.
 * The caller clears the pairs. */
ew_status exec_identity_now(struct exec_run *run, const double *moment, int n, exec_pairs *out,
                            ew_error *err);

/* Of the facts what the case gives the scheme, for run.json. The caller clears the pairs. */
ew_status exec_identity_inputs(struct exec_run *run, exec_pairs *out, ew_error *err);

/* Of the facts what lies in memory in single precision: states, givens, "geometry", "equations". The caller clears the pairs. */
ew_status exec_identity_single(const struct exec_run *run, exec_pairs *out, ew_error *err);

/* What differs: a line for each fact, with both values; "" if nothing does. `at_start` leaves out the values over time, which are
 * compared once the run stands at the checkpoint's time. The caller frees the text; NULL: out of memory. */
char *exec_identity_differences(const exec_pairs *run, const checkpoint *saved, bool at_start);

/* The same of what outputs are from now on other than before, or not any more, which is no reason to refuse: each has files of its own. */
char *exec_identity_changes(const exec_pairs *run, const checkpoint *saved);

#endif
