#include "output/writer.h"

#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct exec_writer {
  exec_job *job;
  int n, capacity;
  bool running;
  pthread_t thread;
  locale_t locale; /* of the thread that asks for files: programs that embed the runtime may have another decimal point */
  ew_status status; /* of the jobs since the last wait */
  ew_error err;
};

ew_status exec_writer_create(exec_writer **out, ew_error *err) {
  *out = calloc(1, sizeof **out);
  return *out ? EW_OK : ew_fail(err, EW_FAIL, "out of memory for output");
}

void exec_writer_destroy(exec_writer **w) {
  if (!w || !*w) return;
  exec_writer_wait(*w, NULL);
  for (int i = 0; i < (*w)->n; i++) (*w)->job[i].destroy((*w)->job[i].data);
  free((*w)->job);
  free(*w);
  *w = NULL;
}

ew_status exec_writer_add(exec_writer *w, exec_job job, ew_error *err) {
  if (w->n == w->capacity) {
    int capacity = w->capacity ? 2 * w->capacity : 8;
    exec_job *grown = realloc(w->job, (size_t)capacity * sizeof *grown);
    if (!grown) return job.destroy(job.data), ew_fail(err, EW_FAIL, "out of memory for output");
    w->job = grown;
    w->capacity = capacity;
  }
  w->job[w->n++] = job;
  return EW_OK;
}

/* A failure does not keep the other files from being written. */
static void *write_all(void *writer) {
  exec_writer *w = writer;
  uselocale(w->locale);
  for (int i = 0; i < w->n; i++) {
    ew_error err = {0};
    ew_status status = w->job[i].write(w->job[i].data, &err);
    if (status != EW_OK && w->status == EW_OK) {
      w->status = status;
      w->err = err;
    }
    w->job[i].destroy(w->job[i].data);
  }
  w->n = 0;
  return NULL;
}

/* Without a thread the caller does the work. */
void exec_writer_start(exec_writer *w) {
  w->locale = uselocale((locale_t)0);
  w->running = pthread_create(&w->thread, NULL, write_all, w) == 0;
  if (!w->running) write_all(w);
}

ew_status exec_writer_wait(exec_writer *w, ew_error *err) {
  if (w->running) pthread_join(w->thread, NULL);
  w->running = false;
  ew_status status = w->status;
  w->status = EW_OK;
  return status == EW_OK ? EW_OK : ew_fail(err, status, "%s", w->err.text);
}
