/* Runs that interpret a scheme's equations instead of launching kernels: `--device reference`. The run's buffers hold what output,
 * hooks and checkpoints look at; the interpreter (dslc_reference.h) has values of its own, which are brought up to date before
 * steps and outputs, and back behind them. Internal to the runtime. */
#ifndef EW_REFERENCE_REFERENCE_H
#define EW_REFERENCE_REFERENCE_H

#include "dslc_reference.h"
#include "run/internal.h"

typedef struct exec_reference exec_reference;

/* After places, buffers and values are there. Fixes the values at the start. */
ew_status exec_reference_create(exec_run *run, ew_error *err);
void exec_reference_destroy(exec_run *run);
/* Steps until the time or the number of steps is met; as exec_advance. EW_DIVERGED: a fault, told in full. */
ew_status exec_reference_advance(exec_run *run, const exec_until *until, ew_error *err);
/* What the last step began with, as a checkpoint holds it: the time, then all states; *n numbers. NULL: out of memory. The caller frees it. */
double *exec_reference_start_values(const exec_run *run, size_t *n);
/* Behind the scalars. */
void exec_reference_resume(exec_run *run, const double *values);
/* Computes the quantity or global that a section shows. */
ew_status exec_reference_show(exec_run *run, int section, ew_error *err);

/* Where dt has its value from, with the run's states as they are, at time t. */
ew_status exec_reference_bound(exec_run *run, double t, dslc_ref_bound *out, ew_error *err);

/* domain.c: what the equations stand on, as the interpreter sees it. */
typedef struct reference_domain {
  exec_run *run;
  ew_error err; /* why a callback failed */
  dslc_ref_domain view;
  dslc_ref_mesh mesh;
  dslc_ref_grid grid;
  int32_t *face_rule;
  uint8_t *solid, *active_above;
  int32_t *wall[3];
} reference_domain;
ew_status reference_domain_create(exec_run *run, reference_domain *d, ew_error *err);
void reference_domain_clear(reference_domain *d);

/* values.c: what the case says; callbacks of the interpreter. */
bool reference_field(void *context, const char *name, double t, double *out);
bool reference_argument(void *context, int rule, int argument, int hold, double t, double *out);
/* Asks for all of them once, at the start, for what a checkpoint knows of the case. */
ew_status reference_note_arguments(reference_domain *d);

#endif
