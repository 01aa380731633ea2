/* Values at single entries of buffers, at many times in one transfer that nobody waits for: what probes and histories ask for. */
#include <stdlib.h>
#include <string.h>

#include "fields/gather.h"

enum { MOST_BUFFERS = 6 }; /* of a launch: see exec_gather_f64 */

/* Entries of a few buffers, which are all of doubles or all of singles: a launch. */
typedef struct gather_part {
  int buffer[MOST_BUFFERS], n_buffers;
  int first, n;
} gather_part;

struct exec_gather {
  exec_run *run;
  int n, n_parts, rows;
  gather_part *part;
  int32_t *element;                    /* [n] by part; -1 - number of a scalar */
  int32_t *from;                       /* [n] by part: which of the part's buffers */
  int *place;                          /* [n] where entry i of the caller's list stands there */
  double *value, *arrived;             /* [n] as the caller counts; [rows * n] as they come */
  dev_buffer *element_, *from_, *out_; /* on the device */
  dev_event *event;
};

/* ---- life ------------------------------------------------------------------------------------------------------------ */

/* Control buffers are doubles too: of scalars the globals are read. */
static bool is_double(const exec_run *run, int buffer) {
  return buffer == run->seen.scalars || run->program->execution.buffer[buffer].element == DSLC_F64;
}

/* The entries of a buffer become those behind the first `used`; returns how many there are now. Scalars ride along with another buffer. */
static int take_buffer(exec_gather *g, const exec_entry *entry, int buffer, int used) {
  bool scalar = buffer == g->run->seen.scalars;
  for (int i = 0; i < g->n; i++) {
    if (entry[i].buffer != buffer) continue;
    g->element[used] = scalar ? -1 - (int32_t)entry[i].element : (int32_t)entry[i].element;
    g->place[i] = used++;
  }
  return used;
}

/* The part that takes entries of the buffer: the last one, or one behind it. */
static gather_part *part_for(exec_gather *g, int buffer, int first) {
  gather_part *p = g->n_parts > 0 ? &g->part[g->n_parts - 1] : NULL;
  const bool goes_on = p && p->n_buffers < MOST_BUFFERS &&
                       (p->n_buffers == 0 || is_double(g->run, p->buffer[0]) == is_double(g->run, buffer));
  if (!goes_on) g->part[g->n_parts++] = (gather_part){.first = first};
  p = &g->part[g->n_parts - 1];
  p->buffer[p->n_buffers++] = buffer;
  return p;
}

/* Those of a buffer stand together, in the order of the list. */
static void sort_entries(exec_gather *g, const exec_entry *entry) {
  const int scalars = g->run->seen.scalars;
  int used = take_buffer(g, entry, scalars, 0);
  if (used > 0) g->part[g->n_parts++] = (gather_part){.n = used};
  for (int b = 0; b < g->run->program->execution.n_buffers; b++) {
    if (b == scalars) continue;
    const int first = used;
    used = take_buffer(g, entry, b, used);
    if (used == first) continue;
    gather_part *p = part_for(g, b, first);
    for (int i = first; i < used; i++) g->from[i] = p->n_buffers - 1;
    p->n = used - p->first;
  }
  if (g->n_parts == 1 && g->part[0].n_buffers == 0) g->part[0].buffer[g->part[0].n_buffers++] = scalars;
}

ew_status exec_gather_create(exec_run *run, const exec_entry *entry, int n, int rows, exec_gather **out,
                             ew_error *err) {
  ew_status status = EW_OK;
  size_t count = (size_t)n + 1, buffers = (size_t)run->program->execution.n_buffers + 1;
  exec_gather *g = *out = calloc(1, sizeof *g);
  if (!g) return ew_fail(err, EW_FAIL, "out of memory for %d values of probes", n);
  g->run = run, g->n = n, g->rows = rows;
  g->part = calloc(buffers, sizeof *g->part);
  g->element = calloc(count, sizeof *g->element);
  g->from = calloc(count, sizeof *g->from);
  g->place = calloc(count, sizeof *g->place);
  g->value = calloc(count, sizeof *g->value);
  g->arrived = calloc(count * (size_t)rows, sizeof *g->arrived);
  if (!g->part || !g->element || !g->from || !g->place || !g->value || !g->arrived)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for %d values of probes", n);
  sort_entries(g, entry);
  EW_CHECK(dev_buffer_upload(run->device, "gather.element", g->element, (uint64_t)n * sizeof *g->element,
                             &g->element_, err));
  EW_CHECK(
      dev_buffer_upload(run->device, "gather.from", g->from, (uint64_t)n * sizeof *g->from, &g->from_, err));
  EW_CHECK(dev_buffer_create(run->device, "gather.value", (uint64_t)n * (uint64_t)rows * sizeof(double),
                             &g->out_, err));
cleanup:
  return status;
}

void exec_gather_destroy(exec_gather **g) {
  if (!g || !*g) return;
  dev_event_wait(&(*g)->event, NULL);
  dev_buffer_destroy(&(*g)->element_);
  dev_buffer_destroy(&(*g)->from_);
  dev_buffer_destroy(&(*g)->out_);
  free((*g)->part);
  free((*g)->element);
  free((*g)->from);
  free((*g)->place);
  free((*g)->value);
  free((*g)->arrived);
  free(*g);
  *g = NULL;
}

/* ---- a sample ---------------------------------------------------------------------------------------------------------- */

/* Arguments that no entry is of are the first buffer once more. */
static ew_status launch_part(exec_gather *g, const gather_part *p, int row, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = g->run;
  unsigned at = 0;
  dev_kernel *k = is_double(run, p->buffer[0]) ? run->builtin.gather_f64 : run->builtin.gather_f32;
  for (int b = 0; b < MOST_BUFFERS; b++)
    EW_CHECK(dev_kernel_set_buffer(k, at++, run->buffer[p->buffer[b < p->n_buffers ? b : 0]], err));
  EW_CHECK(dev_kernel_set_buffer(k, at++, run->buffer[run->seen.scalars], err));
  EW_CHECK(dev_kernel_set_buffer(k, at++, g->from_, err));
  EW_CHECK(dev_kernel_set_buffer(k, at++, g->element_, err));
  EW_CHECK(dev_kernel_set_buffer(k, at++, g->out_, err));
  EW_CHECK(dev_kernel_set_i32(k, at++, p->n, err));
  EW_CHECK(dev_kernel_set_i32(k, at++, p->first, err));
  EW_CHECK(dev_kernel_set_i32(k, at++, row * g->n, err));
  EW_CHECK(dev_kernel_launch(k, (uint64_t)p->n, 0, err));
cleanup:
  return status;
}

/* A run that is interpreted has no kernels: its buffers are the host's. */
static ew_status read_part(exec_gather *g, const gather_part *p, int row, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = g->run;
  for (int i = p->first; i < p->first + p->n; i++) {
    int32_t e = g->element[i];
    int from = e < 0 ? run->seen.scalars : p->buffer[g->from[i]];
    bool wide = is_double(run, from);
    size_t size = wide ? sizeof(double) : sizeof(float);
    double *to = &g->arrived[(size_t)row * (size_t)g->n + (size_t)i];
    float single = 0;
    EW_CHECK(dev_buffer_read(run->buffer[from], (uint64_t)(e < 0 ? -1 - e : e) * size, size,
                             wide ? (void *)to : (void *)&single, err));
    if (!wide) *to = (double)single;
  }
cleanup:
  return status;
}

ew_status exec_gather_row(exec_gather *g, int row, ew_error *err) {
  ew_status status = EW_OK;
  if (row < 0 || row >= g->rows)
    return ew_fail(err, EW_INTERNAL, "row %d of %d rows of probes", row, g->rows);
  for (int i = 0; i < g->n_parts; i++) {
    const gather_part *p = &g->part[i];
    for (int b = 0; b < p->n_buffers; b++) EW_CHECK(exec_timed_now(g->run, p->buffer[b], err));
    EW_CHECK(g->run->reference ? read_part(g, p, row, err) : launch_part(g, p, row, err));
  }
cleanup:
  return status;
}

ew_status exec_gather_fetch(exec_gather *g, int rows, ew_error *err) {
  ew_status status = EW_OK;
  EW_CHECK(dev_event_wait(&g->event, err));
  if (g->n == 0 || rows == 0 || g->run->reference) return EW_OK;
  EW_CHECK(dev_buffer_read_begin(g->out_, 0, (uint64_t)rows * (uint64_t)g->n * sizeof(double), g->arrived,
                                 &g->event, err));
  EW_CHECK(dev_flush(g->run->device, err));
cleanup:
  return status;
}

ew_status exec_gather_values(exec_gather *g, int row, const double **value, ew_error *err) {
  ew_status status = dev_event_wait(&g->event, err);
  const double *from = g->arrived + (size_t)row * (size_t)g->n;
  for (int i = 0; i < g->n; i++) g->value[i] = from[g->place[i]];
  *value = g->value;
  return status;
}
