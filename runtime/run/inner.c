/* What iterations within the last step came to, for those who watch: passes of repeats with their residuals, iterations of systems. */
#include <stdarg.h>
#include <stdio.h>

#include "run/internal.h"

enum { MOST_SHOWN = 3 };

typedef struct line {
  char *to;
  size_t room, used;
} line;

static void __attribute__((format(printf, 2, 3))) add(line *l, const char *fmt, ...) {
  va_list ap;
  if (l->used >= l->room) return;
  va_start(ap, fmt);
  const int n = vsnprintf(l->to + l->used, l->room - l->used, fmt, ap);
  va_end(ap);
  if (n > 0) l->used += (size_t)n;
}

/* The device keeps the residuals of every repeat; the step's last repeat is the one whose passes are known. */
static void add_repeat(exec_run *run, line *l) {
  const int passes = exec_passes(run), n = run->program->execution.n_repeats;
  if (passes == 0 || n == 0) return;
  add(l, "  %d pass%s", passes, passes == 1 ? "" : "es");
  const dslc_repeat *r = &run->program->execution.repeat[n - 1];
  for (int i = 0; i < r->n_residuals && i < MOST_SHOWN; i++) {
    double value;
    ew_error err;
    const uint64_t at = (uint64_t)r->residual[i] * sizeof value;
    if (dev_buffer_read(run->buffer[run->seen.scalars], at, sizeof value, &value, &err) != EW_OK) return;
    add(l, "%s%.2g", i ? ", " : " to ", value);
  }
}

void exec_inner(exec_run *run, char *to, size_t room) {
  line l = {.to = to, .room = room};
  *to = '\0';
  add_repeat(run, &l);
  for (int i = 0; i < run->program->execution.n_solves && i < MOST_SHOWN; i++) {
    const exec_solve_cost c = exec_get_solve(run, i);
    if (c.solves > 0)
      add(&l, "  %s %d iteration%s to %.2g", c.unknown, c.last, c.last == 1 ? "" : "s", c.residual);
  }
}
