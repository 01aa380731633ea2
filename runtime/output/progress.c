#include "output/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/timing.h"

static const double IN_PLACE_INTERVAL = 0.2, LOG_INTERVAL = 5.0; /* s */

progress_options progress_defaults(FILE *out) {
  const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
  bool dumb = terminal && strcmp(terminal, "dumb") == 0;
  bool in_place = out && isatty(fileno(out)) && !dumb;
  return (progress_options){.out = out,
                            .in_place = in_place,
                            .colour = in_place && !(no_colour && *no_colour),
                            .interval = in_place ? IN_PLACE_INTERVAL : LOG_INTERVAL};
}

static double read_clock(const progress *p) {
  return p->options.clock ? p->options.clock(p->options.clock_context) : ew_seconds();
}

void progress_start(progress *p, const progress_options *options, int64_t step, double t) {
  *p = (progress){.options = *options, .first_step = step, .first_t = t};
  p->begun = p->shown = read_clock(p);
}

/* 1234567 as "1.23 M". */
static void format_rate(char *to, size_t room, double rate) {
  static const char *const PREFIX[] = {"", " k", " M", " G", " T"};
  int k = 0;
  while (rate >= 1000 && k < 4) rate /= 1000, k++;
  snprintf(to, room, "%.3g%s", rate, PREFIX[k]);
}

static void format_duration(char *to, size_t room, double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) {
    snprintf(to, room, "?");
    return;
  }
  long s = lround(seconds);
  if (s < 60) snprintf(to, room, "%ld s", s);
  else if (s < 3600) snprintf(to, room, "%ld:%02ld min", s / 60, s % 60);
  else snprintf(to, room, "%ld:%02ld h", s / 3600, s % 3600 / 60);
}

/* From 0 to 1: of the time that the run goes over, or of its steps, whichever ends it sooner. */
static double part_done(const progress *p, const progress_moment *at) {
  double span = p->options.t_end - p->options.t_start;
  double part = span > 0 ? (at->t - p->options.t_start) / span : 1;
  double steps = p->options.most_steps > 0 ? (double)at->step / (double)p->options.most_steps : 0;
  return fmin(fmax(fmax(part, steps), 0), 1);
}

/* Seconds, by what is done since this process began; -1: nothing is. */
static double left(const progress *p, const progress_moment *at, double now) {
  const double begun = part_done(p, &(progress_moment){.step = p->first_step, .t = p->first_t}),
               done = part_done(p, at);
  return done > begun ? (1 - done) / (done - begun) * (now - p->begun) : -1;
}

/* A step that was shortened by a hundredth or more says from what. */
static void format_bound(char *to, size_t room, const progress_moment *at) {
  *to = '\0';
  if (isfinite(at->bound) && at->dt < 0.99 * at->bound) snprintf(to, room, " of %.3g s", at->bound);
}

static int format_line(const progress *p, char *to, size_t room, const progress_moment *at, double now) {
  char rate[32], rest[32], bound[32], inner[200] = "", end[32] = "", most[32] = "";
  double wall = now - p->begun;
  double updates = (double)(at->step - p->first_step) * (double)p->options.n_cells;
  format_rate(rate, sizeof rate, wall > 0 ? updates / wall : 0);
  format_duration(rest, sizeof rest, left(p, at, now));
  format_bound(bound, sizeof bound, at);
  if (p->options.inner) p->options.inner(p->options.inner_context, inner, sizeof inner);
  if (isfinite(p->options.t_end)) snprintf(end, sizeof end, " / %.6g", p->options.t_end);
  if (p->options.most_steps > 0) snprintf(most, sizeof most, " / %lld", (long long)p->options.most_steps);
  return snprintf(to, room, "%3d%%  t %.6g%s s  step %lld%s  dt %.3g s%s%s  %s cell-updates/s  left %s",
                  (int)(100 * part_done(p, at)), at->t, end, (long long)at->step, most, at->dt, bound, inner,
                  rate, rest);
}

static void show(progress *p, const progress_moment *at, double now) {
  char line[512];
  int width = format_line(p, line, sizeof line, at, now);
  FILE *out = p->options.out;
  if (p->options.in_place) /* spaces wipe what a longer line left */
    fprintf(out, "\r%s%.4s%s%s%*s", p->options.colour ? "\x1b[32m" : "", line,
            p->options.colour ? "\x1b[0m" : "", line + 4, p->width > width ? p->width - width : 0, "");
  else fprintf(out, "%s\n", line);
  fflush(out);
  p->width = width;
  p->shown = now;
}

void progress_step(progress *p, const progress_moment *at) {
  if (!p->options.out) return;
  double now = read_clock(p);
  if (now - p->shown >= p->options.interval) show(p, at, now);
}

void progress_finish(progress *p, const progress_moment *at) {
  if (!p->options.out) return;
  show(p, at, read_clock(p));
  if (p->options.in_place) fputc('\n', p->options.out);
  fflush(p->options.out);
}
