/* The progress line, with a clock that the test sets. */
#include "test_io_fixture.h"

#include <math.h>

#include "output/progress.h"

typedef struct bench {
  char *text;
  size_t size;
  double now;
  progress p;
} bench;

static double now(void *context) { return *(double *)context; }

static void start(bench *b, bool in_place, bool colour) {
  FILE *out = open_memstream(&b->text, &b->size);
  progress_options options = {.out = out,
                              .in_place = in_place,
                              .colour = colour,
                              .interval = 5,
                              .t_end = 10,
                              .n_cells = 1000,
                              .clock = now,
                              .clock_context = &b->now};
  b->now = 100;
  progress_start(&b->p, &options, 0, 0);
}

static void step(bench *b, double at, int64_t n, double t) {
  b->now = at;
  progress_step(&b->p, &(progress_moment){.step = n, .t = t, .dt = 0.01});
}

static void assert_printed(bench *b, const char *expected) {
  fclose(b->p.options.out);
  assert_string_equal(b->text, expected);
  free(b->text);
}

static void a_plain_line_every_few_seconds(void **state) {
  (void)state;
  bench b = {0};
  start(&b, false, false);
  step(&b, 101, 100, 1);
  step(&b, 105, 500, 5);
  step(&b, 109.9, 980, 9.8);
  b.now = 110;
  progress_finish(&b.p, &(progress_moment){.step = 1000, .t = 10, .dt = 0.005});
  assert_printed(&b, " 50%  t 5 / 10 s  step 500  dt 0.01 s  100 k cell-updates/s  left 5 s\n"
                     "100%  t 10 / 10 s  step 1000  dt 0.005 s  100 k cell-updates/s  left 0 s\n");
}

static void a_terminal_is_rewritten_and_wiped(void **state) {
  (void)state;
  bench b = {0};
  start(&b, true, false);
  step(&b, 110, 500, 0.0123457);
  step(&b, 200, 5000, 5);
  fflush(b.p.options.out);
  assert_non_null(strstr(
      b.text, "left 2:14 h\r 50%  t 5 / 10 s  step 5000  dt 0.01 s  50 k cell-updates/s  left 1:40 min  "));
  assert_null(strchr(b.text, '\n'));
  assert_null(strchr(b.text, '\x1b'));
  progress_finish(&b.p, &(progress_moment){.step = 5000, .t = 5, .dt = 0.01});
  fclose(b.p.options.out);
  assert_int_equal(b.text[b.size - 1], '\n');
  free(b.text);
}

static void colour_is_an_option(void **state) {
  (void)state;
  bench b = {0};
  start(&b, true, true);
  step(&b, 105, 500, 5);
  assert_printed(&b,
                 "\r\x1b[32m 50%\x1b[0m  t 5 / 10 s  step 500  dt 0.01 s  100 k cell-updates/s  left 5 s");
}

static void a_resumed_run_counts_its_own_steps(void **state) {
  (void)state;
  bench b = {0};
  FILE *out = open_memstream(&b.text, &b.size);
  progress_options options = {
      .out = out, .interval = 5, .t_end = 10, .n_cells = 1000, .clock = now, .clock_context = &b.now};
  progress_start(&b.p, &options, 5000, 8);
  step(&b, 10, 5010, 9);
  assert_printed(&b, " 90%  t 9 / 10 s  step 5010  dt 0.01 s  1 k cell-updates/s  left 10 s\n");
}

/* It said 0%, t / inf and no time that is left. */
static void a_number_of_steps_ends_a_run_too(void **state) {
  (void)state;
  bench b = {0};
  start(&b, false, false);
  b.p.options.t_end = INFINITY, b.p.options.most_steps = 20;
  step(&b, 105, 5, 0.5);
  b.p.options.t_end = 1;
  step(&b, 110, 10, 0.6);
  assert_printed(&b, " 25%  t 0.5 s  step 5 / 20  dt 0.01 s  1 k cell-updates/s  left 15 s\n"
                     " 60%  t 0.6 / 1 s  step 10 / 20  dt 0.01 s  1 k cell-updates/s  left 7 s\n");
}

static void tell(void *context, char *to, size_t room) { snprintf(to, room, "  %s", (const char *)context); }

/* Which step the scheme would have made, if another is made, and what the iterations within it came to. */
static void the_bound_and_what_iterates_are_shown(void **state) {
  (void)state;
  bench b = {0};
  start(&b, false, false);
  b.p.options.inner = tell;
  b.p.options.inner_context = (void *)"7 passes to 1e-09";
  b.now = 105;
  progress_step(&b.p, &(progress_moment){.step = 5, .t = 5, .dt = 0.01, .bound = 0.025});
  b.now = 110;
  progress_step(&b.p, &(progress_moment){.step = 10, .t = 10, .dt = 0.01, .bound = 0.01001});
  assert_printed(
      &b, " 50%  t 5 / 10 s  step 5  dt 0.01 s of 0.025 s  7 passes to 1e-09  1 k cell-updates/s  left 5 s\n"
          "100%  t 10 / 10 s  step 10  dt 0.01 s  7 passes to 1e-09  1 k cell-updates/s  left 0 s\n");
}

static void nothing_done_gives_no_estimate(void **state) {
  (void)state;
  bench b = {0};
  start(&b, false, false);
  step(&b, 105, 0, 0);
  assert_printed(&b, "  0%  t 0 / 10 s  step 0  dt 0.01 s  0 cell-updates/s  left ?\n");
}

static void silent_without_a_file(void **state) {
  (void)state;
  progress p;
  progress_start(&p, &(progress_options){.t_end = 1}, 0, 0);
  progress_step(&p, &(progress_moment){.step = 1, .t = 0.5, .dt = 0.5});
  progress_finish(&p, &(progress_moment){.step = 2, .t = 1, .dt = 0.5});
}

static void a_file_is_no_terminal(void **state) {
  (void)state;
  FILE *out = fopen("log.txt", "w");
  progress_options options = progress_defaults(out);
  assert_false(options.in_place);
  assert_false(options.colour);
  assert_true(options.interval >= 2);
  fclose(out);
}

static void no_color_is_respected(void **state) {
  (void)state;
  int terminal = posix_openpt(0x2 /* O_RDWR */);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) skip();
  FILE *out = fopen(ptsname(terminal), "w");
  if (!out) skip();
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  assert_true(progress_defaults(out).colour);
  setenv("NO_COLOR", "1", 1);
  assert_true(progress_defaults(out).in_place);
  assert_false(progress_defaults(out).colour);
  setenv("TERM", "dumb", 1);
  assert_false(progress_defaults(out).in_place);
  fclose(out);
  close(terminal);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plain_line_every_few_seconds),
      cmocka_unit_test(a_terminal_is_rewritten_and_wiped),
      cmocka_unit_test(colour_is_an_option),
      cmocka_unit_test(a_resumed_run_counts_its_own_steps),
      cmocka_unit_test(a_number_of_steps_ends_a_run_too),
      cmocka_unit_test(the_bound_and_what_iterates_are_shown),
      cmocka_unit_test(nothing_done_gives_no_estimate),
      cmocka_unit_test(silent_without_a_file),
      cmocka_unit_test(a_file_is_no_terminal),
      cmocka_unit_test(no_color_is_respected),
  };
  return cmocka_run_group_tests_name("io_progress", tests, enter_scratch, leave_scratch);
}
