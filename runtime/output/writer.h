/* Writes files while the next steps run: what is to be written is gathered first, so that jobs need neither device nor
 * case. Internal to the runtime. */
#ifndef EW_EXEC_WRITER_H
#define EW_EXEC_WRITER_H

#include "base/error.h"

typedef struct exec_writer exec_writer;

/* `data` belongs to the job; destroy is called once, also if write is not. */
typedef struct exec_job {
  ew_status (*write)(void *data, ew_error *err);
  void (*destroy)(void *data);
  void *data;
} exec_job;

ew_status exec_writer_create(exec_writer **out, ew_error *err);
/* Waits for what was started. */
void exec_writer_destroy(exec_writer **w);

/* Notes a job, which is destroyed if that fails. Not while jobs are running. */
ew_status exec_writer_add(exec_writer *w, exec_job job, ew_error *err);
/* Runs the jobs in their order behind the caller's back. */
void exec_writer_start(exec_writer *w);
/* Until all jobs are done; the first failure among them. */
ew_status exec_writer_wait(exec_writer *w, ew_error *err);

#endif
