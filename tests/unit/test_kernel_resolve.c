/* Kernels as they are built, with every name resolved, are what their text says. */
#include "test_scheme_fixture.h"

#include "dslc_kernel.h"
#include "kernel/build.h"
#include "kernel/resolve.h"

/* ---- shipped schemes, in several ways --------------------------------------------------------------------------------- */

static const dslc_setting packed[] = {{"edges", "packed"}, {"grid.window", "auto"}, {"reduce", "tree"}},
                          lean[] = {{"edges", "lean"}, {"faces", "store"}, {"grid.walls", "tables"}},
                          patches[] = {{"faces", "patch"}, {"group", "32"}},
                          scatter[] = {{"faces", "scatter"}, {"grid.window", "off"}, {"select", "branch"}};

static const dslc_options ways[] = {{.faces_per_cell = 3},
                                    {.cpu = true},
                                    {.periodic = true},
                                    {.schedule = packed, .n_schedule = 3},
                                    {.schedule = lean, .n_schedule = 3},
                                    {.schedule = patches, .n_schedule = 2},
                                    {.schedule = scatter, .n_schedule = 3}};
enum { WAYS = sizeof ways / sizeof *ways };

/* Also: verified, and with the account that the program gives. */
static void compare(const dslc_program *p, const char *options) {
  char message[1000];
  dslc_kernels *built = dslc_kernels_of(p, options, message, sizeof message);
  if (!built) fail_msg("%s: %s", p->identity.scheme, message);
  dslc_kernels *read = dslc_kernels_parse(p->execution.source, options, message, sizeof message);
  if (!read) fail_msg("%s: %s", p->identity.scheme, message);
  assert_string_equal(dslc_kernels_text(built), dslc_kernels_text(read));
  assert_int_equal(dslc_kernels_verify(built, message, sizeof message), 0);
  assert_int_equal(dslc_kernels_agree(built, p, message, sizeof message), 0);
  dslc_kernels_destroy(&built);
  dslc_kernels_destroy(&read);
}

static void built_kernels_are_what_their_text_says(void **state) {
  glob_t schemes;
  int looked_at = 0;
  (void)state;
  assert_int_equal(glob(EW_SOURCE_DIR "/schemes/*.ew", 0, NULL, &schemes), 0);
  for (size_t i = 0; i < schemes.gl_pathc; i++)
    for (int w = 0; w < WAYS && is_scheme(schemes.gl_pathv[i]); w++, looked_at++) {
      dslc_options o = ways[w];
      dslc_program *p = NULL;
      dslc_messages *messages = NULL;
      o.path = schemes.gl_pathv[i], o.n_rules = o.n_show = -1;
      assert_int_equal(dslc_compile(&o, &p, &messages), 0);
      compare(p, w % 2 ? "-D EDGEWISE_REGISTERS_LIMITED" : "");
      dslc_messages_destroy(&messages);
      dslc_program_destroy(&p);
    }
  globfree(&schemes);
  assert_true(looked_at > 90);
}

/* A statement's line is that of the text, for what the model machine says of it. */
static void built_kernels_know_their_lines(void **state) {
  (void)state;
  dslc_options o = {.path = EW_SOURCE_DIR "/schemes/simple_ts.ew", .n_rules = -1, .n_show = -1};
  dslc_program *p = NULL;
  dslc_messages *messages = NULL;
  kir_message message;
  assert_int_equal(dslc_compile(&o, &p, &messages), 0);
  arena *a = arena_create(no_memory, NULL);
  const kir_program *built = kir_resolve(a, p->execution.unit, "", &message);
  const kir_program *read = kir_parse(a, p->execution.source, "", &message);
  int compared = 0;
  assert_int_equal(built->functions.n, read->functions.n);
  for (int f = 0; f < read->functions.n; f++) {
    const kir_body *x = &built->functions.at[f]->body->body, *y = &read->functions.at[f]->body->body;
    assert_int_equal(x->n, y->n);
    for (int i = 0; i < x->n; i++, compared++)
      if (x->at[i]->kind == KIR_LET || x->at[i]->kind == KIR_EVAL || x->at[i]->kind == KIR_FOR)
        assert_int_equal(x->at[i]->line, y->at[i]->line);
  }
  assert_true(compared > 200);
  arena_destroy(&a);
  dslc_messages_destroy(&messages);
  dslc_program_destroy(&p);
}

/* ---- what no compiler would take ----------------------------------------------------------------------------------------- */

typedef struct fixture {
  arena *memory;
  kir_builder *b;
} fixture;

static fixture begin(void) {
  fixture f = {.memory = arena_create(no_memory, NULL)};
  f.b = kir_builder_create(f.memory, intern_create(f.memory));
  kir_open_function(f.b, "k", KIR_VOID)->is_kernel = true;
  kir_add_parameter(f.b, kir_pointer_to(f.b->program, kir_scalar(f.b->program, KIR_DOUBLE), KIR_GLOBAL), "T_",
                    true);
  kir_open_body(f.b);
  return f;
}

/* The kernel in a file that begins so; NULL: the message is left. */
static const char *text_of(fixture *f, const char *beginning, kir_message *message) {
  kir_close_function(f->b);
  const kir_unit unit = {f->b->program, 1, beginning, NULL};
  kir_program *p = kir_resolve(f->memory, &unit, "", message);
  return p ? kir_print(p) : NULL;
}

static void macros_are_what_they_stand_for(void **state) {
  (void)state;
  fixture f = begin();
  kir_message message = {0};
  kir_line(f.b, "const int stride = 2*GROUP;");
  kir_line(f.b, "const int i = get_global_id(0);");
  kir_expr *to = kir_element(f.b, "T_y", KIR_DOUBLE, kir_quote(f.b, "i + 1"), NULL);
  kir_assign(f.b, to, KIR_NONE, kir_quote(f.b, "twice(max_of(%e, 0.5))", to));
  const char *text = text_of(&f,
                             "#define GROUP 64\n#define T_y(i) T_[stride + (i)]\n#define twice(x) (2.0*(x))\n"
                             "static inline double max_of(const double a, const double b)\n"
                             "{ return a < b ? b : a; }\n",
                             &message);
  if (!text) fail_msg("%s", message.text);
  assert_non_null(strstr(text, "T_[stride + (i + 1)] = 2.0*max_of(T_[stride + (i + 1)], 0.5);"));
  assert_non_null(strstr(text, "const int stride = 2*64;"));
  arena_destroy(&f.memory);
}

static void expect_refused(fixture *f, const char *beginning, const char *what) {
  kir_message message = {0};
  if (text_of(f, beginning, &message)) fail_msg("taken, but: %s", what);
  if (!strstr(message.text, what)) fail_msg("`%s` instead of `%s`", message.text, what);
  arena_destroy(&f->memory);
}

static void a_captured_name_is_found(void **state) {
  (void)state;
  fixture f = begin();
  kir_expr *outer = kir_let(f.b, KIR_DOUBLE, "dt", kir_literal(f.b, KIR_DOUBLE, "0.5"));
  kir_line(f.b, "{");
  kir_let(f.b, KIR_DOUBLE, "dt", kir_literal(f.b, KIR_DOUBLE, "2.0"));
  kir_line(f.b, "T_[0] = %e;", outer);
  kir_line(f.b, "}");
  expect_refused(&f, "", "`dt` stands for another variable here");
}

static void what_is_declared_nowhere_is_found(void **state) {
  (void)state;
  fixture f = begin();
  kir_line(f.b, "T_[0] = scratch;");
  expect_refused(&f, "", "`scratch` is declared nowhere");
  f = begin();
  kir_line(f.b, "T_[0] = cube_root(T_[1]);");
  expect_refused(&f, "", "`cube_root` is called, and is no function");
  f = begin();
  kir_line(f.b, "T_[0] = half(T_[1], 2.0);");
  expect_refused(&f, "#define half(x) (0.5*(x))\n", "the macro `half` has 1 parameters and is given 2");
  f = begin();
  kir_line(f.b, "{\nconst double inner = 1.0;\n");
  kir_expr *inner = kir_name(f.b, "inner");
  kir_line(f.b, "}");
  kir_assign(f.b, kir_quote(f.b, "T_[0]"), KIR_NONE, inner);
  expect_refused(&f, "", "`inner` is not declared here");
}

static void types_that_do_not_fit_are_found(void **state) {
  (void)state;
  fixture f = begin();
  kir_line(f.b, "T_[0.5] = 1.0;");
  expect_refused(&f, "", "an index of type double into __global double *");
  f = begin();
  kir_line(f.b, "const int i = T_;");
  expect_refused(&f, "", "an initial value: __global double * is given, int is wanted");
  f = begin();
  kir_line(f.b, "const double x = 1.0;\nx = 2.0;");
  expect_refused(&f, "", "what is assigned to is constant");
  f = begin();
  kir_line(f.b, "double values[GROUPS];");
  expect_refused(&f, "", "`GROUPS` is declared nowhere");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_kernels_are_what_their_text_says),
      cmocka_unit_test(built_kernels_know_their_lines),
      cmocka_unit_test(macros_are_what_they_stand_for),
      cmocka_unit_test(a_captured_name_is_found),
      cmocka_unit_test(what_is_declared_nowhere_is_found),
      cmocka_unit_test(types_that_do_not_fit_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
