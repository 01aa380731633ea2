/* States, time and counts of steps. What is left out follows from these: work buffers are computed anew in every
 * step, geometry and givens come from the mesh and the case. */
#include <stdlib.h>

#include "run/internal.h"
#include "formats/checkpoint.h"

enum { COUNTS = 2 };

static bool is_kept(const dslc_buffer *b) { return b->kind == DSLC_BUFFER_STATE; }

static size_t kept_count(const exec_run *run, int buffer) {
  const dslc_buffer *b = &run->program->buffer[buffer];
  return (size_t)run->place[b->place].all * (size_t)b->width;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

/* Adds the array of every state, with its ghosts. What was allocated stands in `array` also on failure. */
static ew_status gather(exec_run *run, checkpoint_array *array, size_t *n, ew_error *err) {
  const dslc_program *p = run->program;
  for (int b = 0; b < p->n_buffers; b++) {
    if (!is_kept(&p->buffer[b])) continue;
    size_t count = kept_count(run, b);
    double *values = malloc((count + 1) * sizeof *values);
    if (!values) return ew_fail(err, EW_FAIL, "out of memory for a checkpoint");
    array[(*n)++] = (checkpoint_array){.name = p->buffer[b].name, .count = count, .real = values};
    ew_status status = exec_get(run, b, values, run->place[p->buffer[b].place].all, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

static ew_status write_arrays(exec_run *run, const char *path, const checkpoint_array *array, size_t n,
                              ew_error *err) {
  const checkpoint_label label[] = {{"version", EW_VERSION},
                                    {"scheme", run->program->scheme},
                                    {"scheme hash", run->program->hash},
                                    {"mesh hash", run->mesh_hash},
                                    {"device", dev_name(run->device)}};
  return checkpoint_write(path, label, sizeof label / sizeof *label, array, n, err);
}

ew_status exec_checkpoint_write(exec_run *run, const char *path, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = 0;
  double counts[COUNTS] = {(double)exec_steps(run), (double)run->outputs};
  checkpoint_array *array = calloc((size_t)run->program->n_buffers + 3, sizeof *array);
  if (!array) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  EW_CHECK(gather(run, array, &n, err));
  size_t states = n;
  array[n++] =
      (checkpoint_array){.name = "(scalars)", .count = (size_t)run->n_scalars, .real = run->scalar_values};
  array[n++] = (checkpoint_array){.name = "(counts)", .count = COUNTS, .real = counts};
  status = write_arrays(run, path, array, n, err);
  n = states;
cleanup:
  for (size_t i = 0; array && i < n; i++) free((double *)array[i].real);
  free(array);
  return status;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static ew_status restore_state(exec_run *run, const checkpoint *from, int buffer, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->buffer[buffer];
  size_t count = kept_count(run, buffer);
  double *values = malloc((count + 1) * sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  EW_CHECK(checkpoint_reals(from, b->name, values, count, err));
  EW_CHECK(exec_put(run, buffer, values, run->place[b->place].all, err));
cleanup:
  free(values);
  return status;
}

static ew_status restore_scalars(exec_run *run, const checkpoint *from, ew_error *err) {
  ew_status status = EW_OK;
  double counts[COUNTS];
  EW_CHECK(checkpoint_reals(from, "(scalars)", run->scalar_values, (size_t)run->n_scalars, err));
  EW_CHECK(checkpoint_reals(from, "(counts)", counts, COUNTS, err));
  run->counters = (exec_counters){0};
  run->steps_before = (int64_t)counts[0];
  run->outputs = (int)counts[1];
  EW_CHECK(dev_buffer_write(run->buffer[run->scalars], 0, (uint64_t)run->n_scalars * sizeof(double),
                            run->scalar_values, err));
cleanup:
  return status;
}

/* What the setup computes may depend on the states at the start (`fix` of a boundary), never the other way round, so
 * it is not run again: exec_create did. */
ew_status exec_checkpoint_read(exec_run *run, const char *path, ew_error *err) {
  ew_status status = EW_OK;
  checkpoint *from = NULL;
  EW_CHECK(checkpoint_read(&from, path, err));
  EW_CHECK(checkpoint_require(from, "version", EW_VERSION, err));
  EW_CHECK(checkpoint_require(from, "scheme", run->program->scheme, err));
  EW_CHECK(checkpoint_require(from, "scheme hash", run->program->hash, err));
  EW_CHECK(checkpoint_require(from, "mesh hash", run->mesh_hash, err));
  for (int b = 0; b < run->program->n_buffers; b++)
    if (is_kept(&run->program->buffer[b])) EW_CHECK(restore_state(run, from, b, err));
  EW_CHECK(restore_scalars(run, from, err));
cleanup:
  checkpoint_destroy(&from);
  return status;
}
