/* Kernel IR that is built: templates in, text out; and the text parses back to the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/build.h"
#include "kernel/pass.h"

static void out_of_memory(void *ctx, size_t size) {
  (void)ctx, (void)size;
  abort();
}

typedef struct fixture {
  arena *memory;
  kir_builder *b;
} fixture;

static fixture begin(void) {
  fixture f = {.memory = arena_create(out_of_memory, NULL)};
  f.b = kir_builder_create(f.memory, intern_create(f.memory));
  return f;
}

static void open_kernel(kir_builder *b) {
  kir_open_function(b, "k", KIR_VOID)->is_kernel = true;
  kir_parameters(b, "const int items, __global double *restrict T_, __global const int *L_");
  kir_open_body(b);
}

/* The text of all functions; closes the one that is open. */
static const char *printed(kir_builder *b) {
  writer *w = writer_create(b->arena);
  kir_close_function(b);
  kir_pass_unused(b->program, NULL);
  for (int i = 0; i < b->program->functions.n; i++)
    kir_print_function(b->program, b->program->functions.at[i], w);
  return writer_text(w);
}

static const char *expression(kir_builder *b, const kir_expr *e) {
  writer *w = writer_create(b->arena);
  kir_print_expr(b->program, e, w);
  return writer_text(w);
}

/* ---- expressions ---- */

static void expressions_keep_their_text_and_know_its_width(void **state) {
  (void)state;
  static const char *const same[] = {"a + b*c",
                                     "(a + b)*c",
                                     "a - (b - c)",
                                     "((a))",
                                     "-a",
                                     "-(-a)",
                                     "a - -1",
                                     "!(a && b) || c",
                                     "a ? b : c ? d : e",
                                     "(a ? b : c) + 1",
                                     "f(a, g(b), 1.5e-3)",
                                     "(double)(a > 0)",
                                     "x[i + 1]",
                                     "walls->pitch_y*2",
                                     "s.b",
                                     "~side",
                                     "i%4u",
                                     "&walls",
                                     "*(const double *)args[3]",
                                     "(unsigned)(a)%3u",
                                     "a << 2 | b & c"};
  fixture f = begin();
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    const kir_expr *e = kir_quote(f.b, "%s", same[i]);
    assert_string_equal(expression(f.b, e), same[i]);
    assert_int_equal(e->width, strlen(same[i]));
  }
  arena_destroy(&f.memory);
}

/* A sum in a hole joins the sum around it, as text would; anything else that binds less tightly is bracketed. */
static void holes_are_filled(void **state) {
  (void)state;
  fixture f = begin();
  kir_expr *sum = kir_quote(f.b, "p - 1"), *either = kir_quote(f.b, "a || b"),
           *c = kir_quote(f.b, "c ? x : y");
  static const struct {
    const char *template, *expected;
  } cases[] = {{"y + %e + H", "y + p - 1 + H"},
               {"y - %e", "y - (p - 1)"},
               {"2*%e", "2*(p - 1)"},
               {"%e*2", "(p - 1)*2"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const kir_expr *e = kir_quote(f.b, cases[i].template, sum);
    assert_string_equal(expression(f.b, e), cases[i].expected);
    assert_int_equal(e->width, strlen(cases[i].expected));
  }
  assert_string_equal(expression(f.b, kir_quote(f.b, "z || %e", either)), "z || a || b");
  assert_string_equal(expression(f.b, kir_quote(f.b, "z && %e", either)), "z && (a || b)");
  assert_string_equal(expression(f.b, kir_quote(f.b, "%e + %s_%c(%d%%%e)", c, "X", 'y', 7, sum)),
                      "(c ? x : y) + X_y(7%(p - 1))");
  assert_string_equal(expression(f.b, kir_unary(f.b, KIR_NEG, kir_literal(f.b, KIR_DOUBLE, "-1.0"))),
                      "-(-1.0)");
  arena_destroy(&f.memory);
}

static void expressions_are_typed(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  kir_line(f.b, "const double x = 1.0;");
  assert_int_equal(kir_quote(f.b, "x*items")->type->kind, KIR_DOUBLE);
  assert_int_equal(kir_quote(f.b, "items + 1")->type->kind, KIR_INT);
  assert_int_equal(kir_quote(f.b, "x > 0.0 && items > 1")->type->kind, KIR_BOOL);
  assert_int_equal(kir_quote(f.b, "T_[items]")->type->kind, KIR_DOUBLE);
  assert_int_equal(kir_quote(f.b, "L_[0]")->type->kind, KIR_INT);
  assert_int_equal(kir_quote(f.b, "x")->kind, KIR_VAR);
  assert_int_equal(kir_quote(f.b, "HALO")->kind, KIR_NAMED);
  kir_close_function(f.b);
  assert_int_equal(kir_quote(f.b, "x")->kind, KIR_NAMED); /* its block has ended */
  arena_destroy(&f.memory);
}

static void names_are_spelled(void **state) {
  (void)state;
  fixture f = begin();
  assert_string_equal(kir_spelled_name(f.b, kir_quote(f.b, "T"), 24), "T");
  assert_string_equal(kir_spelled_name(f.b, kir_quote(f.b, "M(i)"), 24), "M(i)");
  assert_null(kir_spelled_name(f.b, kir_quote(f.b, "M(i)"), 3));
  assert_null(kir_spelled_name(f.b, kir_quote(f.b, "M(i + 1)"), 24));
  assert_null(kir_spelled_name(f.b, kir_quote(f.b, "a*b"), 24));
  arena_destroy(&f.memory);
}

/* ---- statements ---- */

static void statements_are_printed_as_they_stand(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  kir_line(f.b, "const int i = get_global_id(0), j = i + 1; // an item");
  kir_line(f.b, "if (i >= items) return;\n");
  kir_line(f.b, "for (int k = 0, n = 2; k < 4; ++k, n += 2) {");
  kir_line(f.b, "switch (k) {\ncase 0: T_[i] = 0.0; break;\ncase 1:\ncase 2: { // two");
  kir_expr *x = kir_let(f.b, KIR_DOUBLE, "x", kir_quote(f.b, "T_[j]*2.0"));
  kir_note(f.b, "heat.ew:8");
  kir_assign(f.b, kir_quote(f.b, "T_[i]"), KIR_ADD, x);
  kir_line(f.b, "break;\n}\ndefault: break;\n}\n}");
  kir_line(f.b, "if (j > 2) {\nT_[i] = 1.0;\n} else if (j > 1) {\nT_[i] = 2.0;\n} else {\nT_[i] = 3.0;\n}");
  kir_line(f.b, "// all of them");
  kir_line(f.b, "for (int k = 0; k < 2; ++k)");
  kir_line(f.b, "T_[i] += 1.0;");
  kir_line(f.b, "for (int k = 0; k < 2; ++k)\nfor (int n = 0; n < k; ++n) {\nT_[i] -= 1.0;\n}");
  kir_line(f.b, "(void)j;");
  assert_string_equal(
      printed(f.b),
      "\n__kernel\nvoid k(const int items, __global double *restrict T_, __global const int *L_)\n{\n"
      "  const int i = get_global_id(0), j = i + 1; // an item\n"
      "  if (i >= items) return;\n\n"
      "  for (int k = 0, n = 2; k < 4; ++k, n += 2) {\n"
      "    switch (k) {\n"
      "    case 0: T_[i] = 0.0; break;\n"
      "    case 1:\n"
      "    case 2: { // two\n"
      "      const double x = T_[j]*2.0;                                       // heat.ew:8\n"
      "      T_[i] += x;\n"
      "      break;\n"
      "    }\n"
      "    default: break;\n"
      "    }\n"
      "  }\n"
      "  if (j > 2) {\n    T_[i] = 1.0;\n  } else if (j > 1) {\n    T_[i] = 2.0;\n  } else {\n"
      "    T_[i] = 3.0;\n  }\n"
      "  // all of them\n"
      "  for (int k = 0; k < 2; ++k)\n    T_[i] += 1.0;\n"
      "  for (int k = 0; k < 2; ++k)\n  for (int n = 0; n < k; ++n) {\n    T_[i] -= 1.0;\n  }\n"
      "  (void)j;\n"
      "}\n");
  arena_destroy(&f.memory);
}

static void a_column_is_where_a_statement_begins(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  assert_int_equal(kir_column(f.b), 2);
  kir_line(f.b, "if (items > 2) {");
  assert_int_equal(kir_column(f.b), 4);
  kir_line(f.b, "} else if (items > 1) {");
  assert_int_equal(kir_column(f.b), 4);
  kir_line(f.b, "switch (items) {\ncase 1: {");
  assert_int_equal(kir_column(f.b), 6);
  kir_line(f.b, "}\n}\n}");
  assert_int_equal(kir_column(f.b), 2);
  kir_close_function(f.b);
  arena_destroy(&f.memory);
}

/* Blank lines stand between statements only. */
static void blank_lines_are_tidy(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  kir_line(f.b, "\nif (items > 1) {\n");
  kir_line(f.b, "T_[0] = 1.0;\n");
  kir_line(f.b, "}\n");
  kir_blank(f.b);
  kir_line(f.b, "T_[1] = 1.0;\n");
  assert_string_equal(strstr(printed(f.b), "{\n"),
                      "{\n  if (items > 1) {\n    T_[0] = 1.0;\n  }\n\n  T_[1] = 1.0;\n}\n");
  arena_destroy(&f.memory);
}

/* What is named by a declaration that is dropped itself is not named. */
static void declarations_that_nothing_names_are_dropped(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  kir_line_if_named(f.b, "const int row = items + 1;");
  kir_line_if_named(f.b, "const int point = row + 1;");
  kir_line_if_named(f.b, "const int col = items + 2;");
  kir_line(f.b, "for (int row = 0; row < 2; ++row) {\nT_[col + row] = 1.0;\n}");
  assert_string_equal(strstr(printed(f.b), "{\n"),
                      "{\n  const int col = items + 2;\n  for (int row = 0; row < 2; ++row) {\n"
                      "    T_[col + row] = 1.0;\n  }\n}\n");
  arena_destroy(&f.memory);
}

/* Also by what was built before they were declared; what never is, is told. */
/* A march with two pieces, between which stands a barrier; the second one may not fuse operations. */
static void build_march(kir_builder *b) {
  kir_open_function(b, "k", KIR_VOID)->is_kernel = true;
  kir_parameters(
      b, "const int items, const double a, __global const double *restrict s_, __global double *restrict T_");
  kir_open_body(b);
  kir_line(b, "const int i = get_global_id(0);");
  kir_line(b, "barrier(CLK_LOCAL_MEM_FENCE);");
  kir_line(b, "for (int pass = 0; pass < items; ++pass) {");
  b->last->over = KIR_OVER_ROWS;
  kir_line(b, "if (pass > 1) {");
  kir_line(b, "const double dt = s_[1];\nconst double twice = 2.0*a;\nconst double inverse_dt = 1.0/dt;");
  kir_line(b, "const double both = sqrt(twice);\nconst double cheap = a*a;\nconst double here = T_[i];");
  kir_line(b, "T_[i] = here*inverse_dt + both + cheap + twice;\n}\nbarrier(CLK_LOCAL_MEM_FENCE);\n{");
  kir_line(b, "#pragma OPENCL FP_CONTRACT OFF");
  kir_line(b, "const double dt_2 = s_[1];\nconst double dt = T_[i]/a;\nconst double fused = sqrt(a*a + a);");
  kir_line(b, "T_[i] = dt_2*dt + fused;\n}\n}");
}

static void what_is_the_same_in_a_march_stands_before_it(void **state) {
  (void)state;
  fixture f = begin();
  build_march(f.b);
  kir_close_function(f.b);
  kir_pass_constants(f.b->program, NULL);
  writer *w = writer_create(f.b->arena);
  kir_print_function(f.b->program, f.b->program->functions.at[0], w);
  assert_string_equal(writer_text(w),
                      "\n__kernel\n"
                      "void k(const int items, const double a, __global const double *restrict s_, "
                      "__global double *restrict T_)\n"
                      "{\n"
                      "  const int i = get_global_id(0);\n"
                      "  const double dt_2 = s_[1];\n"
                      "  const double twice = 2.0*a;\n"
                      "  const double inverse_dt = 1.0/dt_2;\n"
                      "  const double both = sqrt(twice);\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  for (int pass = 0; pass < items; ++pass) {\n"
                      "    if (pass > 1) {\n"
                      "      const double cheap = a*a;\n"
                      "      const double here = T_[i];\n"
                      "      T_[i] = here*inverse_dt + both + cheap + twice;\n"
                      "    }\n"
                      "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "    {\n"
                      "      #pragma OPENCL FP_CONTRACT OFF\n"
                      "      const double dt = T_[i]/a;\n"
                      "      const double fused = sqrt(a*a + a);\n"
                      "      T_[i] = dt_2*dt + fused;\n"
                      "    }\n"
                      "  }\n"
                      "}\n");
  arena_destroy(&f.memory);
}

/* The rows of a field, from the lowest: statements by a template. */
static void build_rows(kir_builder *b, kir_march *march, bool shared, const char *lower, const char *higher) {
  kir_rows rows = {.shared = shared};
  kir_line(b, lower);
  vec_push(b->arena, &rows.load, b->last);
  if (higher) {
    kir_line(b, higher);
    vec_push(b->arena, &rows.load, b->last);
  }
  vec_push(b->arena, &march->field, rows);
}

static kir_variable *build_point(kir_builder *b, const char *line) {
  kir_line_if_named(b, line);
  return b->last->variable;
}

static void build_rows_of_march(kir_builder *b, kir_march *march) {
  kir_open_function(b, "k", KIR_VOID)->is_kernel = true;
  kir_parameters(b, "const int n, __global const int *restrict f_, __global const double *restrict T_");
  kir_parameters(b, "__global double *restrict S_");
  kir_open_body(b);
  march->before = build_point(b, "const int below = n - 1;");
  kir_line(b, "for (int pass = 0; pass < n; ++pass) {");
  b->last->over = KIR_OVER_ROWS;
  b->last->march = march;
  march->here = build_point(b, "const int above = n + pass;");
  build_rows(b, march, false, "const int f_0 = f_[above];", "const int f_1 = f_[above + n];");
  build_rows(b, march, true, "const double T_m1 = f_0 ? T_[above - n] : 0.0;",
             "const double T_0 = f_1 ? T_[above] : 0.0;");
  build_rows(b, march, false, "const double u_0 = T_[above + 9];", NULL);
  march->next = build_point(b, "const int next = above + 1;");
  march->after_next = build_point(b, "const int after_next = above + 2;");
  kir_line(b, "S_[pass] = T_m1 + T_0 + u_0 + f_0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n}");
}

static void rows_are_handed_down_in_a_march(void **state) {
  (void)state;
  fixture f = begin();
  build_rows_of_march(f.b, arena_new(f.memory, kir_march));
  kir_close_function(f.b);
  kir_pass_march(f.b->program, NULL);
  kir_pass_unused(f.b->program, NULL);
  writer *w = writer_create(f.b->arena);
  kir_print_body(f.b->program, &f.b->program->functions.at[0]->body->body, w);
  assert_string_equal(writer_text(w), "const int below = n - 1;\n"
                                      "int f_0 = f_[below + n];\n"
                                      "double T_m1 = f_0 ? T_[below] : 0.0;\n"
                                      "for (int pass = 0; pass < n; ++pass) {\n"
                                      "  const int above = n + pass;\n"
                                      "  const int f_1 = f_[above + n];\n"
                                      "  const double T_0 = f_1 ? T_[above] : 0.0;\n"
                                      "  const double u_0 = read_once(T_[above + 9]);\n"
                                      "  const int next = above + 1;\n"
                                      "  fetch_near(f_1 ? T_[next] : 0.0);\n"
                                      "  fetch_near(T_[next + 9]);\n"
                                      "  S_[pass] = T_m1 + T_0 + u_0 + f_0;\n"
                                      "  f_0 = f_1;\n"
                                      "  T_m1 = T_0;\n"
                                      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                      "}\n");
  arena_destroy(&f.memory);
}

static void names_stand_for_what_is_declared(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  kir_function *kernel = f.b->function;
  kir_expr *slot = kir_quote(f.b, "L_[slot]"), *stage = kir_quote(f.b, "stage*2.0");
  kir_line(f.b, "for (int slot = 0, next = %e; slot < HALO; ++slot) T_[next] = %e;", slot, stage);
  kir_open_prologue(f.b);
  kir_let(f.b, KIR_DOUBLE, "stage", kir_quote(f.b, "0.5"));
  kir_close_prologue(f.b);
  kir_close_function(f.b);
  assert_null(kernel->undeclared);
  assert_int_equal(slot->b->kind, KIR_VAR);
  assert_int_equal(stage->type->kind, KIR_DOUBLE);
  assert_int_equal(stage->a->kind, KIR_VAR);
  open_kernel(f.b);
  kernel = f.b->function;
  kir_line(f.b, "{\nconst int inner = 1;\nT_[inner] = 0.0;\n}\nT_[inner] = 1.0;");
  kir_close_function(f.b);
  assert_string_equal(kernel->undeclared, "inner");
  arena_destroy(&f.memory);
}

static void a_prologue_stands_first(void **state) {
  (void)state;
  fixture f = begin();
  open_kernel(f.b);
  kir_line(f.b, "T_[0] = 1.0;");
  kir_open_prologue(f.b);
  kir_line(f.b, "(void)items;");
  kir_close_prologue(f.b);
  assert_string_equal(strstr(printed(f.b), "{\n"), "{\n  (void)items;\n  T_[0] = 1.0;\n}\n");
  arena_destroy(&f.memory);
}

/* ---- back ---- */

/* Built, printed, parsed, printed: the same as parsed and printed once more. */
static void what_is_built_reads_back(void **state) {
  (void)state;
  fixture f = begin();
  kir_struct *walls = kir_add_struct(f.b, "walls_seen");
  const kir_type *number = kir_scalar(f.b->program, KIR_DOUBLE);
  vec_push(f.memory, &walls->fields, ((kir_field){"stage", number}));
  kir_open_function(f.b, "of", KIR_DOUBLE)->noinline = true;
  kir_parameters(f.b, "__local const walls_seen *walls, const int point");
  kir_open_body(f.b);
  kir_line(f.b, "return point > 0 ? walls->stage : -walls->stage;");
  kir_close_function(f.b);
  open_kernel(f.b);
  f.b->function->shape = "8, 1, 1";
  kir_line(f.b, "__local double scratch[2*8];");
  kir_line(f.b, "__local walls_seen walls_of_group[1], *const walls = walls_of_group + get_local_id(2);");
  kir_line(f.b, "if (get_local_id(0) == 0) walls->stage = 0.5;");
  kir_line(f.b, "const int place = get_local_id(0); // of the group");
  kir_line(f.b, "scratch[place] = 1.0; scratch[place + 8] = L_[place];");
  kir_line(f.b, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
  kir_line(f.b, "for (int e = place, s = 1;\n e < items; ++e, s += 2) {\nT_[e] = scratch[7 - place]*s + "
                "of(walls, e);\n}");
  writer *w = writer_create(f.memory);
  kir_print_struct(walls, w);
  const char *text = arena_printf(f.memory, "%s%s", writer_text(w), printed(f.b));
  kir_message message = {0};
  kir_program *once = kir_parse(f.memory, text, "", &message);
  if (!once) fail_msg("line %d: %s\n%s", message.line, message.text, text);
  assert_int_equal(kir_verify(once, &message, 1), 0);
  const char *back = kir_print(once);
  kir_program *twice = kir_parse(f.memory, back, "", &message);
  assert_non_null(twice);
  assert_string_equal(kir_print(twice), back);
  assert_int_equal(once->functions.n, f.b->program->functions.n);
  assert_non_null(strstr(back, "T_[e] = scratch[7 - place]*s + of(walls, e);"));
  arena_destroy(&f.memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expressions_keep_their_text_and_know_its_width),
      cmocka_unit_test(holes_are_filled),
      cmocka_unit_test(expressions_are_typed),
      cmocka_unit_test(names_are_spelled),
      cmocka_unit_test(statements_are_printed_as_they_stand),
      cmocka_unit_test(a_column_is_where_a_statement_begins),
      cmocka_unit_test(blank_lines_are_tidy),
      cmocka_unit_test(declarations_that_nothing_names_are_dropped),
      cmocka_unit_test(what_is_the_same_in_a_march_stands_before_it),
      cmocka_unit_test(rows_are_handed_down_in_a_march),
      cmocka_unit_test(names_stand_for_what_is_declared),
      cmocka_unit_test(a_prologue_stands_first),
      cmocka_unit_test(what_is_built_reads_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
