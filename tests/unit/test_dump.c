/* What --dump-after prints of equations, plan and kernels reads back to the same, after every step; of a plan it is sound, too. */
#include "test_scheme_fixture.h"

#include "dslc_kernel.h"
#include "ir/ir.h"
#include "kernel/kernel.h"
#include "schedule/outline.h"

static void reads_back_as_kernels(const char *text, const char *step) {
  arena *a = arena_create(no_memory, NULL);
  kir_message message;
  kir_program *p = kir_parse(a, text, "", &message);
  if (!p) fail_msg("%s, line %d: %s", step, message.line, message.text);
  if (kir_verify(p, &message, 1)) fail_msg("%s, line %d: %s", step, message.line, message.text);
  assert_string_equal(kir_print(p), text);
  arena_destroy(&a);
}

static void reads_back_as_equations(const char *text, const char *step) {
  arena *a = arena_create(no_memory, NULL);
  char *again = NULL;
  size_t size = 0;
  const char *wrong = NULL;
  ir_module *m = ir_parse(a, intern_create(a), text, &wrong);
  if (!m) fail_msg("%s: %s", step, wrong);
  FILE *out = open_memstream(&again, &size);
  ir_print(m, out);
  fclose(out);
  assert_string_equal(again, text);
  free(again);
  arena_destroy(&a);
}

static void reads_back_as_storage(const char *text, const char *step) {
  arena *a = arena_create(no_memory, NULL);
  const char *wrong = NULL;
  const storage_outline *o = storage_parse(a, intern_create(a), text, &wrong);
  if (!o) fail_msg("%s: %s", step, wrong);
  if (storage_verify(o)) fail_msg("%s: %s", step, storage_verify(o));
  char *again = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&again, &size);
  storage_print(out, o);
  fclose(out);
  assert_string_equal(again, text);
  free(again);
  arena_destroy(&a);
}

static void reads_back_as_plan(const char *text, const char *step) {
  arena *a = arena_create(no_memory, NULL);
  const char *wrong = NULL;
  const outline *o = outline_parse(a, intern_create(a), text, &wrong);
  if (!o) fail_msg("%s: %s", step, wrong);
  if (tasks_verify(o)) fail_msg("%s: %s", step, tasks_verify(o));
  if (launches_verify(o)) fail_msg("%s: %s", step, launches_verify(o));
  char *again = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&again, &size);
  outline_print(out, o);
  fclose(out);
  assert_string_equal(again, text);
  free(again);
  arena_destroy(&a);
}

static void reads_again(const char *text, const char *step) {
  if (dslc_step_is_kernels(step)) reads_back_as_kernels(text, step);
  else if (strcmp(step, "storage") == 0) reads_back_as_storage(text, step);
  else if (strcmp(step, "tasks") == 0 || strcmp(step, "launches") == 0) reads_back_as_plan(text, step);
  else reads_back_as_equations(text, step);
}

static dslc_program *compiled(const dslc_options *o) {
  dslc_messages *m = NULL;
  dslc_program *p = NULL;
  assert_int_equal(dslc_compile(o, &p, &m), 0);
  dslc_messages_destroy(&m);
  return p;
}

static int look_at_all(const dslc_options *o) {
  const char *step[64];
  const int n = dslc_step_names(step, 64);
  int looked_at = 0;
  for (int i = 0; i < n; i++) {
    char *text = dump(o, step[i]);
    const bool unasked = strcmp(step[i], "images") == 0 && !o->periodic;
    if (*text == '\0' && !unasked) fail_msg("%s: nothing is printed", step[i]);
    if (*text) reads_again(text, step[i]), looked_at++;
    free(text);
  }
  return looked_at;
}

static void shallow_water(void **state) {
  (void)state;
  assert_true(look_at_all(&(dslc_options){.path = EW_SOURCE_DIR "/schemes/shallow_water.ew",
                                          .faces_per_cell = 3}) > 23);
}

static void edge_navier_stokes(void **state) {
  (void)state;
  assert_true(look_at_all(&(dslc_options){.path = EW_SOURCE_DIR "/schemes/edge_navier_stokes.ew"}) > 23);
}

static void simple_ts(void **state) {
  (void)state;
  assert_true(look_at_all(&(dslc_options){.path = EW_SOURCE_DIR "/schemes/simple_ts.ew"}) > 23);
}

/* What passes over kernels are for is there behind them, and was not before. */
static void passes_do_what_they_say(void **state) {
  static const dslc_setting unrolled[] = {{"unroll", "yes"}};
  const dslc_options shallow = {.path = EW_SOURCE_DIR "/schemes/shallow_water.ew",
                                .faces_per_cell = 3,
                                .schedule = unrolled,
                                .n_schedule = 1},
                     second = {.path = EW_SOURCE_DIR "/schemes/shallow_water_2.ew",
                               .faces_per_cell = 3,
                               .schedule = unrolled,
                               .n_schedule = 1},
                     edge = {.path = EW_SOURCE_DIR "/schemes/edge_navier_stokes.ew"},
                     ts = {.path = EW_SOURCE_DIR "/schemes/simple_ts.ew"};
  const struct {
    const dslc_options *options;
    const char *before, *behind, *text; /* NULL: less is left */
  } pass[] = {{&ts, "built", "constants", NULL},
              {&ts, "constants", "march", "T_row_m1 = T_row_0;"},
              {&edge, "march", "reads", "mem_fence(CLK_LOCAL_MEM_FENCE);"},
              {&second, "reads", "gather", "h_d_of[k] = h_[d];"},
              {&shallow, "gather", "unroll", "#pragma unroll 3\n"},
              {&ts, "unroll", "unused", NULL}};
  (void)state;
  for (size_t i = 0; i < sizeof pass / sizeof *pass; i++) {
    char *before = dump(pass[i].options, pass[i].before), *behind = dump(pass[i].options, pass[i].behind);
    if (!pass[i].text) assert_true(strlen(behind) < strlen(before));
    else if (strstr(before, pass[i].text)) fail_msg("before %s", pass[i].behind);
    else if (!strstr(behind, pass[i].text)) fail_msg("behind %s", pass[i].behind);
    free(before);
    free(behind);
  }
}

/* Printing the kernels of a step leaves them to the passes behind it as they were: what is run of them, and what is written. */
static void printing_changes_nothing(void **state) {
  static const dslc_setting unrolled[] = {{"unroll", "yes"}, {"reads", "first"}};
  const dslc_options plain = {.path = EW_SOURCE_DIR "/schemes/shallow_water_2.ew",
                              .faces_per_cell = 3,
                              .schedule = unrolled,
                              .n_schedule = 2};
  const char *step[64];
  const int n = dslc_step_names(step, 64);
  dslc_program *expected = compiled(&plain);
  (void)state;
  for (int i = 0; i < n; i++) {
    if (!dslc_step_is_kernels(step[i])) continue;
    char message[500] = "", *text = NULL;
    size_t size = 0;
    dslc_options printed = plain;
    printed.inspect.dump_after = step[i], printed.inspect.dump = open_memstream(&text, &size);
    dslc_program *p = compiled(&printed);
    dslc_kernels *kernels = dslc_kernels_of(p, "", message, sizeof message);
    if (!kernels) fail_msg("printed after %s: %s", step[i], message);
    assert_string_equal(p->execution.source, expected->execution.source);
    dslc_kernels_destroy(&kernels);
    dslc_program_destroy(&p);
    fclose(printed.inspect.dump);
    free(text);
  }
  dslc_program_destroy(&expected);
}

/* Where what is stored would be computed from itself, planning begins anew: what it decided first is not printed. */
static void storage_is_printed_once(void **state) {
  dslc_options o = {.path = EW_SOURCE_DIR "/tests/bad/circle_near_walls.ew"};
  dslc_messages *messages = NULL;
  dslc_program *p = NULL;
  char *text = NULL;
  size_t size = 0;
  (void)state;
  o.n_rules = o.n_show = -1, o.inspect.dump_after = "storage", o.inspect.dump = open_memstream(&text, &size);
  dslc_compile(&o, &p, &messages);
  assert_null(p); /* refused in the end */
  dslc_messages_destroy(&messages);
  fclose(o.inspect.dump);
  reads_back_as_storage(text, "storage");
  free(text);
}

/* What is shown at the start may ask for dt, and that for states at the start of the step, through dt.free: then these have been copied. */
static void start_of_what_dt_reads(void **state) {
  const char *const rule[] = {"body"}, *const show[] = {"drag"};
  dslc_options o = {.path = EW_SOURCE_DIR "/schemes/edge_navier_stokes.ew",
                    .dims = 3,
                    .rule = rule,
                    .n_rules = 1,
                    .show = show,
                    .n_show = 1};
  char *text = NULL;
  size_t size = 0;
  (void)state;
  o.inspect.dump_after = "launches", o.inspect.dump = open_memstream(&text, &size);
  dslc_program *p = compiled(&o);
  assert_non_null(p);
  fclose(o.inspect.dump);
  reads_back_as_plan(text, "launches");
  dslc_program_destroy(&p);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shallow_water),
      cmocka_unit_test(edge_navier_stokes),
      cmocka_unit_test(simple_ts),
      cmocka_unit_test(passes_do_what_they_say),
      cmocka_unit_test(printing_changes_nothing),
      cmocka_unit_test(storage_is_printed_once),
      cmocka_unit_test(start_of_what_dt_reads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
