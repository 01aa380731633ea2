/* What is printed after each step of the compiler reads back to the same, is sound, and says what lowerings have made. */
#include "test_scheme_fixture.h"

#include "ir/ir.h"
#include "kernel/kernel.h"

enum { MOST_STEPS = 64, PLANS = 3 };

/* The text after a step; the caller frees it. */
static char *dump_scheme(const char *path, const char *step, bool cpu) {
  static const dslc_setting windows = {"grid.window", "auto"};
  dslc_options o = {.path = path, .cpu = cpu};
  if (strstr(path, "simple_ts") || strstr(path, "gray_scott")) o.schedule = &windows, o.n_schedule = 1;
  return dump(&o, step);
}

static void reads_back(const char *path, const char *step, bool cpu) {
  char *text = dump_scheme(path, step, cpu), *again = NULL;
  size_t size = 0;
  if (!*text) fail_msg("%s: nothing is printed after %s", path, step);
  arena *a = arena_create(no_memory, NULL);
  const char *error = NULL;
  ir_module *m = ir_parse(a, intern_create(a), text, &error);
  if (!m) fail_msg("%s after %s does not read back: %s", path, step, error);
  const char *broken = ir_verify(m);
  if (broken) fail_msg("%s after %s: %s", path, step, broken);
  FILE *out = open_memstream(&again, &size);
  ir_print(m, out);
  fclose(out);
  assert_string_equal(again, text);
  free(again);
  arena_destroy(&a);
  free(text);
}

static void kernels_read_back(const char *path, const char *step, bool cpu) {
  char *text = dump_scheme(path, step, cpu);
  arena *a = arena_create(no_memory, NULL);
  kir_message message;
  kir_program *p = kir_parse(a, text, "", &message);
  if (!p) fail_msg("%s after %s, line %d: %s", path, step, message.line, message.text);
  assert_true(p->functions.n > 2);
  assert_string_equal(kir_print(p), text);
  arena_destroy(&a);
  free(text);
}

static void every_step_of_every_scheme_reads_back(void **state) {
  (void)state;
  const char *step[MOST_STEPS];
  int n = dslc_step_names(step, MOST_STEPS), read = 0;
  glob_t schemes;
  assert_int_equal(glob(EW_SOURCE_DIR "/schemes/*.ew", 0, NULL, &schemes), 0);
  for (size_t i = 0; i < schemes.gl_pathc; i++) {
    const bool scheme = is_scheme(schemes.gl_pathv[i]);
    int kernels = 0; /* the first of their steps */
    while (!dslc_step_is_kernels(step[kernels])) kernels++;
    if (scheme) kernels_read_back(schemes.gl_pathv[i], step[kernels + (int)i % (n - kernels)], i % 2);
    for (int k = 0; scheme && k < kernels - PLANS; k++, read++) /* test_plan.c has the plans */
      reads_back(schemes.gl_pathv[i], step[k], (i + (size_t)k) % 2);
  }
  globfree(&schemes);
  assert_true(read > 200);
}

static void says(const char *scheme, const char *step, const char *const *pieces) {
  char path[1024];
  snprintf(path, sizeof path, "%s/schemes/%s.ew", EW_SOURCE_DIR, scheme);
  char *text = dump_scheme(path, step, false);
  for (; *pieces; pieces++)
    if (!strstr(text, *pieces)) fail_msg("%s after %s does not say: %s\n%s", scheme, step, *pieces, text);
  free(text);
}

static void says_what_was_made(void **state) {
  (void)state;
  says("poisson", "constraints",
       (const char *[]){"\nconstraint phi = ", "\nconstraint load = ", " rule=2 add",
                        "role=by_row of=value constraint=0", NULL});
}

static void a_system_is_three_equations(void **state) {
  (void)state;
  says("edge_navier_stokes", "systems",
       (const char *[]){"role=entry of=", "role=diagonal of=", "role=right_side of=p", "right_side=p.rhs",
                        NULL});
}

static void stages_are_quantities(void **state) {
  (void)state;
  says("convection_diffusion", "integrators",
       (const char *[]){"equation phi.k2 : scalar @ nodes dims=2 role=slope of=phi", "role=stage of=phi",
                        NULL});
}

static void names_that_no_step_has(void **state) {
  (void)state;
  const char *one[1];
  int n = dslc_step_names(one, 1);
  assert_true(n > 15);
  assert_string_equal(one[0], "sema");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_of_every_scheme_reads_back),
      cmocka_unit_test(says_what_was_made),
      cmocka_unit_test(a_system_is_three_equations),
      cmocka_unit_test(stages_are_quantities),
      cmocka_unit_test(names_that_no_step_has),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
