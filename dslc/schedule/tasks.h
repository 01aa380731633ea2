/* A plan looked at as values: tasks (what each kernel reads, writes and keeps) and launches (in which order, with which buffers).
 * They are derived from the finished plan; outlines of them (outline.h) are printed, read back and looked over. */
#ifndef DSLC_SCHEDULE_TASKS_H
#define DSLC_SCHEDULE_TASKS_H

#include "schedule/storage.h"

typedef struct task_read {
  int buffer;
  bool elsewhere; /* at another point than the task's own */
  bool beyond;    /* and that may be a ghost, which somebody has to make */
  bool boundary;  /* at the faces of boundaries only: the kernel computes it at the others */
} task_read;

typedef struct task_write {
  plan_output_kind kind; /* PLAN_STORE to PLAN_PARTIAL */
  int buffer, component;
} task_write;

/* One kernel. */
typedef struct task {
  VEC(task_read) read; /* a buffer once */
  VEC(task_write) write;
  VEC(int) scalar_read, scalar_written; /* entries of the scalars that are globals of the scheme */
  VEC(int) table_read, table_written; /* grids: functions near walls whose tables are looked up, or filled */
  VEC(int) keep;                      /* windows: buffers that stand for rows in local memory */
} task;

typedef struct task_list {
  int n;
  task *at; /* by kernel */
} task_list;

task_list tasks_of(const plan *p);

/* All that a plan of launches consists of. */
typedef struct launches {
  const problem *in;
  const symbol_use *use;
  const symbol_storage *storage; /* as decided, before any window */
  const plan *plan;
  const dslc_program *program; /* its sections */
  const plan_rebind *rebind;
  int n_rebinds;
} launches;

#endif
