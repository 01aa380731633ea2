/* Values at single entries of buffers, at many times in one transfer that nobody waits for: what probes and histories ask for. */
#include <stdlib.h>
#include <string.h>

#include "fields/gather.h"

/* Entries of one buffer. */
typedef struct gather_part {
  int buffer, first, n;
} gather_part;

struct exec_gather {
  exec_run *run;
  int n, n_parts, rows;
  gather_part *part;
  int32_t *element;            /* [n] by part; -1 - number of a scalar */
  int *place;                  /* [n] where entry i of the caller's list stands there */
  double *value, *arrived;     /* [n] as the caller counts; [rows * n] as they come */
  dev_buffer *element_, *out_; /* on the device */
  dev_event *event;
};

/* ---- life ------------------------------------------------------------------------------------------------------------ */

/* The entries of a buffer become part of what is gathered behind the first `used`; scalars ride along with another buffer. */
static int take_buffer(exec_gather *g, const exec_entry *entry, int buffer, int used) {
  bool scalar = buffer == g->run->seen.scalars;
  for (int i = 0; i < g->n; i++) {
    if (entry[i].buffer != buffer) continue;
    g->element[used] = scalar ? -1 - (int32_t)entry[i].element : (int32_t)entry[i].element;
    g->place[i] = used++;
  }
  return used;
}

/* Those of a buffer stand together, in the order of the list. */
static void sort_entries(exec_gather *g, const exec_entry *entry) {
  int used = take_buffer(g, entry, g->run->seen.scalars, 0);
  gather_part part = {.buffer = g->run->seen.scalars, .n = used};
  for (int b = 0; b < g->run->program->execution.n_buffers; b++) {
    if (b == g->run->seen.scalars) continue;
    int end = take_buffer(g, entry, b, used);
    if (end == used) continue;
    part.buffer = b;
    part.n = end - part.first;
    g->part[g->n_parts++] = part;
    part = (gather_part){.first = used = end};
  }
  if (g->n_parts == 0 && part.n > 0) g->part[g->n_parts++] = part;
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
  g->place = calloc(count, sizeof *g->place);
  g->value = calloc(count, sizeof *g->value);
  g->arrived = calloc(count * (size_t)rows, sizeof *g->arrived);
  if (!g->part || !g->element || !g->place || !g->value || !g->arrived)
    EXEC_LEAVE(err, EW_FAIL, "out of memory for %d values of probes", n);
  sort_entries(g, entry);
  EW_CHECK(dev_buffer_upload(run->device, "gather.element", g->element, (uint64_t)n * sizeof *g->element,
                             &g->element_, err));
  EW_CHECK(dev_buffer_create(run->device, "gather.value", (uint64_t)n * (uint64_t)rows * sizeof(double),
                             &g->out_, err));
cleanup:
  return status;
}

void exec_gather_destroy(exec_gather **g) {
  if (!g || !*g) return;
  dev_event_wait(&(*g)->event, NULL);
  dev_buffer_destroy(&(*g)->element_);
  dev_buffer_destroy(&(*g)->out_);
  free((*g)->part);
  free((*g)->element);
  free((*g)->place);
  free((*g)->value);
  free((*g)->arrived);
  free(*g);
  *g = NULL;
}

/* ---- a sample ---------------------------------------------------------------------------------------------------------- */

/* Control buffers are doubles too: of scalars the globals are read. */
static bool is_double(const exec_run *run, int buffer) {
  return buffer == run->seen.scalars || run->program->execution.buffer[buffer].element == DSLC_F64;
}

static ew_status launch_part(exec_gather *g, const gather_part *p, int row, ew_error *err) {
  ew_status status = EW_OK;
  exec_run *run = g->run;
  dev_kernel *k = is_double(run, p->buffer) ? run->builtin.gather_f64 : run->builtin.gather_f32;
  EW_CHECK(dev_kernel_set_buffer(k, 0, run->buffer[p->buffer], err));
  EW_CHECK(dev_kernel_set_buffer(k, 1, run->buffer[run->seen.scalars], err));
  EW_CHECK(dev_kernel_set_buffer(k, 2, g->element_, err));
  EW_CHECK(dev_kernel_set_buffer(k, 3, g->out_, err));
  EW_CHECK(dev_kernel_set_i32(k, 4, p->n, err));
  EW_CHECK(dev_kernel_set_i32(k, 5, p->first, err));
  EW_CHECK(dev_kernel_set_i32(k, 6, row * g->n, err));
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
    int from = e < 0 ? run->seen.scalars : p->buffer;
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
    EW_CHECK(exec_timed_now(g->run, g->part[i].buffer, err));
    EW_CHECK(g->run->reference ? read_part(g, &g->part[i], row, err) : launch_part(g, &g->part[i], row, err));
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
