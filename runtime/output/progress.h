/* The progress line: t, t_end, step, dt with the bound that it was cut from, what iterations within the step came to, cell updates a second,
 * time left. On a terminal it updates in place;
 * otherwise a plain line is printed every few seconds, so that a log stays short. */
#ifndef EW_IO_PROGRESS_H
#define EW_IO_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct progress_options {
  FILE *out;     /* borrowed; NULL is silent */
  bool in_place; /* rewrite one line */
  bool colour;
  double interval;       /* s between two lines */
  double t_start, t_end; /* s, of the simulation; t_end may be infinite where `most_steps` ends the run */
  int64_t most_steps;    /* the run ends with this step at the latest; 0: with any */
  int64_t n_cells;
  double (*clock)(void *context); /* s, monotonic; NULL: the system's */
  void *clock_context;
  void (*inner)(
      void *context, char *to,
      size_t room); /* what iterations came to, "" or "  ..."; asked when a line is shown; or NULL */
  void *inner_context;
} progress_options;

/* Options for `out` as it is: in place with colour on a terminal (no colour if NO_COLOR is set or TERM is
 * "dumb"), else a plain line every 5 s. The caller fills in the times and cells. */
progress_options progress_defaults(FILE *out);

typedef struct progress {
  progress_options options;
  double begun, shown; /* clock times */
  int64_t first_step;  /* of this process: a resumed run does not start at 0 */
  double first_t;
  int width; /* characters on the line that is shown in place */
} progress;

/* Starts the clock. No memory is owned: nothing to destroy. */
void progress_start(progress *p, const progress_options *options, int64_t step, double t);

typedef struct progress_moment {
  int64_t step;
  double t, dt; /* s */
  double bound; /* s: what the scheme would have let the step be; 0: not known */
} progress_moment;

/* After a step. Prints if the interval has passed. */
void progress_step(progress *p, const progress_moment *at);

/* Prints the last state and leaves the line. */
void progress_finish(progress *p, const progress_moment *at);

#endif
