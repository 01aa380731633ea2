/* States, what a step leaves for those who look back to its start, time and counts of steps: see kept.c. What is left out follows from these. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/internal.h"
#include "fields/on_grid.h"
#include "formats/checkpoint.h"
#include "reference/reference.h"
#include "run/over_time.h"

enum { COUNTS = 5 }; /* steps, outputs, step of the last row, ramped, first free dt */

static const char TIMES[] = "(times)", GLOBALS[] = "(globals)", OUTPUT_TIMES[] = "(times of outputs)",
                  SERIES[] = "file ", START[] = "the start of the last step",
                  MOMENTS[] = "(moments of values over time)";

/* Of what a step leaves nothing lies in the interpreter's buffers: it holds that itself. */
static bool is_of_interpreter(const exec_run *run, int buffer) {
  return run->reference && run->program->execution.buffer[buffer].kind != DSLC_BUFFER_STATE;
}

/* On a grid how many rows and columns surround the points is up to the schedule; what is there follows from the points. */
static bool is_on_points(const exec_run *run, const dslc_buffer *b) {
  return run->g && b->place >= DSLC_CELLS && b->place <= DSLC_CORNERS;
}

static size_t kept_count(const exec_run *run, int buffer) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  const int64_t points =
      is_on_points(run, b) ? exec_grid_count(run->g, b->place) : run->points.place[b->place].all;
  return (size_t)points * (size_t)b->width;
}

/* Behind the fixed entries of the scalars; how many there are is up to the schedule. The interpreter asks for globals where they are shown. */
static size_t n_globals(const exec_run *run) {
  return run->reference ? 0 : (size_t)(run->seen.n_scalars - DSLC_SCALAR_GLOBALS);
}

/* From a buffer to the values that a checkpoint has of it, or, with `put`, the other way. */
static ew_status move_kept(exec_run *run, int buffer, double *values, bool put, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  const int32_t all = run->points.place[b->place].all;
  if (!is_on_points(run, b))
    return put ? exec_put(run, buffer, values, all, err) : exec_get(run, buffer, values, all, err);
  const dslc_field whole = {.place = b->place, .buffer = buffer, .components = b->width};
  double *entries = malloc(((size_t)all * (size_t)b->width + 1) * sizeof *entries);
  if (!entries) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  EW_CHECK(exec_get(run, buffer, entries, all, err));
  if (put) exec_grid_scatter(run, &whole, b->width, values, entries);
  else exec_grid_gather(run, &whole, b->width, entries, values);
  if (put) EW_CHECK(exec_put(run, buffer, entries, all, err));
cleanup:
  free(entries);
  return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

/* Adds the array of every buffer that is kept, on meshes with its ghosts. What was allocated stands in `array` also on failure. */
static ew_status gather(exec_run *run, checkpoint_array *array, size_t *n, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_program *p = run->program;
  bool *kept = exec_kept(p);
  if (!kept) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  for (int b = 0; b < p->execution.n_buffers; b++) {
    if (!kept[b] || is_of_interpreter(run, b)) continue;
    size_t count = kept_count(run, b);
    double *values = malloc((count + 1) * sizeof *values);
    if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
    array[(*n)++] = (checkpoint_array){.name = p->execution.buffer[b].name, .count = count, .real = values};
    EW_CHECK(move_kept(run, b, values, false, err));
  }
  if (!run->reference) goto cleanup;
  checkpoint_array start = {.name = START};
  start.real = exec_reference_start_values(run, &start.count);
  if (!start.real) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  array[(*n)++] = start;
cleanup:
  free(kept);
  return status;
}

enum { OWN_LABELS = 4 };

static ew_status gather_labels(exec_run *run, const exec_pairs *identity, checkpoint_label **out, size_t *n,
                               ew_error *err) {
  const checkpoint_label own[OWN_LABELS] = {{"version", EW_VERSION},
                                            {"schedule", run->program->identity.hash},
                                            {"device", dev_name(run->device)},
                                            {"driver", dev_get_info(run->device)->driver}};
  *out = calloc((size_t)(identity->n + run->files.series.n) + OWN_LABELS, sizeof **out);
  if (!*out) return ew_fail(err, EW_FAIL, "out of memory for a checkpoint");
  for (int i = 0; i < OWN_LABELS; i++) (*out)[(*n)++] = own[i];
  for (int i = 0; i < identity->n; i++)
    (*out)[(*n)++] = (checkpoint_label){identity->item[i].name, identity->item[i].value};
  for (int i = 0; i < run->files.series.n; i++)
    (*out)[(*n)++] = (checkpoint_label){run->files.series.item[i].name, run->files.series.item[i].value};
  return EW_OK;
}

ew_status exec_checkpoint_write(exec_run *run, const char *path, const char *before, ew_error *err) {
  ew_status status = EW_OK;
  size_t n = 0, n_labels = 0;
  double counts[COUNTS] = {(double)exec_steps(run), (double)run->files.outputs, (double)run->files.sampled,
                           run->growth.ramped, run->growth.first_free};
  double moment[2 * OVER_TIME_MOMENTS];
  exec_pairs identity = {0};
  checkpoint_label *label = NULL;
  checkpoint_array *array = calloc((size_t)run->program->execution.n_buffers + 6, sizeof *array);
  exec_over_time_moments(0, exec_time(run), moment);
  exec_over_time_moments(exec_time(run), exec_over_time_end(run), moment + OVER_TIME_MOMENTS);
  if (!array) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  EW_CHECK(gather(run, array, &n, err));
  EW_CHECK(exec_identity_now(run, moment, 2 * OVER_TIME_MOMENTS, &identity, err));
  EW_CHECK(gather_labels(run, &identity, &label, &n_labels, err));
  checkpoint_array *more = array + n;
  more[0] = (checkpoint_array){.name = TIMES, .count = DSLC_SCALAR_GLOBALS, .real = run->seen.scalar_values};
  more[1] = (checkpoint_array){
      .name = GLOBALS, .count = n_globals(run), .real = run->seen.scalar_values + DSLC_SCALAR_GLOBALS};
  more[2] = (checkpoint_array){.name = "(counts)", .count = COUNTS, .real = counts};
  more[3] = (checkpoint_array){
      .name = OUTPUT_TIMES, .count = (size_t)run->files.outputs, .real = run->files.output_time};
  more[4] = (checkpoint_array){.name = MOMENTS, .count = 2 * OVER_TIME_MOMENTS, .real = moment};
  const checkpoint_content content = {label, n_labels, array, n + 5};
  status = checkpoint_write(path, before, &content, err);
cleanup:
  for (size_t i = 0; array && i < n; i++) free((double *)array[i].real);
  free(array);
  free(label);
  exec_pairs_clear(&identity);
  return status;
}

/* ---- reading --------------------------------------------------------------------------------------------------------- */

static ew_status restore_buffer(exec_run *run, const checkpoint *from, int buffer, ew_error *err) {
  ew_status status = EW_OK;
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  size_t count = kept_count(run, buffer);
  double *values = malloc((count + 1) * sizeof *values);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  EW_CHECK(checkpoint_reals(from, b->name, values, count, err));
  EW_CHECK(move_kept(run, buffer, values, true, err));
cleanup:
  free(values);
  return status;
}

/* The number of entries is a power of two, as exec_count_output expects. */
static ew_status restore_times(exec_run *run, const checkpoint *from, ew_error *err) {
  size_t room = 1, n = (size_t)run->files.outputs;
  while (room < n) room *= 2;
  double *times = realloc(run->files.output_time, room * sizeof *times);
  if (!times) return ew_fail(err, EW_FAIL, "out of memory for a checkpoint");
  run->files.output_time = times;
  return checkpoint_reals(from, OUTPUT_TIMES, times, n, err);
}

static ew_status restore_series(exec_run *run, const checkpoint *from, ew_error *err) {
  checkpoint_label l;
  exec_pairs_clear(&run->files.series);
  for (size_t i = 0; checkpoint_label_at(from, i, &l); i++) {
    if (strncmp(l.name, SERIES, strlen(SERIES)) != 0) continue;
    ew_status status = exec_pairs_add(&run->files.series, l.name, l.value, err);
    if (status != EW_OK) return status;
  }
  return EW_OK;
}

/* What a step leaves in globals lies elsewhere, or nowhere, where a checkpoint of another schedule or of the interpreter is taken. */
static ew_status restore_globals(exec_run *run, const checkpoint *from, const char **lacks, ew_error *err) {
  const size_t n = n_globals(run);
  if (checkpoint_count(from, GLOBALS) == n)
    return checkpoint_reals(from, GLOBALS, run->seen.scalar_values + DSLC_SCALAR_GLOBALS, n, err);
  if (run->program->model.shows_start) *lacks = START;
  return EW_OK;
}

static ew_status restore_scalars(exec_run *run, const checkpoint *from, const char **lacks, ew_error *err) {
  ew_status status = EW_OK;
  double counts[COUNTS];
  EW_CHECK(checkpoint_reals(from, TIMES, run->seen.scalar_values, DSLC_SCALAR_GLOBALS, err));
  if (!run->reference) EW_CHECK(restore_globals(run, from, lacks, err));
  EW_CHECK(checkpoint_reals(from, "(counts)", counts, COUNTS, err));
  if (counts[1] != (double)checkpoint_count(from, OUTPUT_TIMES))
    EXEC_LEAVE(err, EW_CHECKPOINT, "the checkpoint counts %g outputs and has the times of %zu", counts[1],
               checkpoint_count(from, OUTPUT_TIMES));
  run->account.counters = (exec_counters){0};
  run->account.steps_before = (int64_t)counts[0];
  run->files.outputs = (int)counts[1];
  run->files.sampled = (int64_t)counts[2];
  run->growth.ramped = counts[3] != 0;
  run->growth.first_free = counts[4];
  run->growth.most_step = run->seen.scalar_values[DSLC_SCALAR_MOST]; /* as the last step had it, which may be shown */
  EW_CHECK(dev_buffer_write(run->buffer[run->seen.scalars], 0, (uint64_t)run->seen.n_scalars * sizeof(double),
                            run->seen.scalar_values, err));
cleanup:
  return status;
}

/* What a step leaves may lie in other buffers where a checkpoint of another schedule is taken. */
static bool is_there(const exec_run *run, const checkpoint *from, int buffer) {
  const dslc_buffer *b = &run->program->execution.buffer[buffer];
  return b->kind == DSLC_BUFFER_STATE || checkpoint_count(from, b->name) == kept_count(run, buffer);
}

/* The interpreter holds such values itself. */
static ew_status restore_reference(exec_run *run, const checkpoint *from, const char **lacks, ew_error *err) {
  ew_status status = EW_OK;
  size_t n;
  double *values = exec_reference_start_values(run, &n);
  if (!values) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  if (checkpoint_count(from, START) == n) EW_CHECK(checkpoint_reals(from, START, values, n, err));
  else if (run->program->model.shows_start) *lacks = START;
  exec_reference_resume(run, values);
cleanup:
  free(values);
  return status;
}

/* `lacks`: of what nothing is known until the next step; NULL: all is there. */
static ew_status restore(exec_run *run, const checkpoint *from, const char **lacks, ew_error *err) {
  ew_status status = EW_OK;
  bool *kept = exec_kept(run->program);
  *lacks = NULL;
  if (!kept) EXEC_LEAVE(err, EW_FAIL, "out of memory for a checkpoint");
  for (int b = 0; b < run->program->execution.n_buffers; b++) {
    if (!kept[b] || is_of_interpreter(run, b)) continue;
    if (is_there(run, from, b)) EW_CHECK(restore_buffer(run, from, b, err));
    else *lacks = run->program->execution.buffer[b].name;
  }
  EW_CHECK(restore_scalars(run, from, lacks, err));
  if (run->reference) EW_CHECK(restore_reference(run, from, lacks, err));
  EW_CHECK(restore_times(run, from, err));
  EW_CHECK(restore_series(run, from, err));
  EW_CHECK(exec_values_spread(run, err));
cleanup:
  free(kept);
  return status;
}

/* The interpreter asks for values over time wherever it needs one: of either run they are known at its start alone. */
static bool knows_no_times(const exec_run *run, const checkpoint *from) {
  const char *device = checkpoint_text(from, "device");
  return run->reference || (device && strcmp(device, "reference") == 0);
}

/* What differs is refused, or with `force` left in *differences. */
static ew_status compare(exec_run *run, const checkpoint *from, const char *path, bool at_start,
                         exec_resumed *out, ew_error *err) {
  exec_pairs now = {0};
  double moment[2 * OVER_TIME_MOMENTS];
  const size_t n = checkpoint_count(from, MOMENTS), most = sizeof moment / sizeof *moment;
  ew_status status = n > 0 ? checkpoint_reals(from, MOMENTS, moment, most, err) : EW_OK;
  if (status == EW_OK) status = exec_identity_now(run, moment, (int)n, &now, err);
  char *text =
      status == EW_OK ? exec_identity_differences(&now, from, at_start || knows_no_times(run, from)) : NULL;
  char *changes = status == EW_OK ? exec_identity_changes(&now, from) : NULL;
  exec_pairs_clear(&now);
  free(out->changes);
  out->changes = changes;
  if (status != EW_OK) return status;
  if (!text || !changes) return free(text), ew_fail(err, EW_FAIL, "out of memory for a checkpoint");
  if (*text && !out->force) {
    status =
        ew_fail(err, EW_CHECKPOINT,
                "the checkpoint '%s' does not fit this run:%.6000s\nhint: resume with what it was made with, "
                "or take it as it is with --force",
                path, text);
    free(text);
    return status;
  }
  free(out->differences);
  out->differences = text;
  return EW_OK;
}

/* What the setup computes may depend on the states at the start (`fix` of a boundary), never the other way round, so
 * it is not run again: exec_create did. */
ew_status exec_checkpoint_read(exec_run *run, const char *path, exec_resumed *out, ew_error *err) {
  ew_status status = EW_OK;
  checkpoint *from = NULL;
  exec_resumed plain = {0};
  exec_resumed *to = out ? out : &plain;
  to->readable = false;
  EW_CHECK(checkpoint_read(&from, path, err));
  to->readable = true;
  EW_CHECK(checkpoint_require(from, "version", EW_VERSION, err));
  to->knows_no_times = checkpoint_count(from, MOMENTS) == 0 && exec_over_time_any(run, true);
  EW_CHECK(compare(run, from, path, true, to, err));
  EW_CHECK(restore(run, from, &to->lacks, err));
  EW_CHECK(compare(run, from, path, false, to, err));
cleanup:
  checkpoint_destroy(&from);
  free(plain.differences);
  free(plain.changes);
  return status;
}
