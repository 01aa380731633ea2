/* The model machine: each kind of fault is found in a kernel of a few lines, and nothing in the right one beside it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dslc_kernel.h"

enum { n_words = 64 };

typedef struct fixture {
  dslc_kernels *program;
  dslc_machine *machine;
  dslc_memory *a, *b;
  int found;
} fixture;

/* `body` of a kernel k(a: 64 doubles 0, 1, 2, ..., b: 64 ints that are not set, n). */
static fixture run_text(const char *text, size_t items, size_t group, uint64_t seed, int n) {
  char message[500];
  fixture f = {.program = dslc_kernels_parse(text, "", message, sizeof message)};
  if (!f.program) fail_msg("%s", message);
  dslc_kernel_info info;
  const int kernel = dslc_kernels_find(f.program, "k");
  if (!dslc_kernels_open(f.program, kernel, &info, message, sizeof message)) fail_msg("%s", message);
  f.machine = dslc_machine_create(&(dslc_machine_options){.seed = seed, .loop_limit = 100000});
  f.a = dslc_memory_create("first", 8 * n_words);
  f.b = dslc_memory_create("b", 4 * n_words);
  assert_true(f.machine && f.a && f.b);
  for (int i = 0; i < n_words; i++) ((double *)dslc_memory_data(f.a))[i] = i;
  dslc_memory_mark(f.a, 0, 8 * n_words);
  const dslc_launch_argument arguments[] = {{.kind = DSLC_ARGUMENT_MEMORY, .memory = f.a},
                                            {.kind = DSLC_ARGUMENT_MEMORY, .memory = f.b},
                                            {.kind = DSLC_ARGUMENT_I32, .i32 = n}};
  const dslc_launch_range range = {.dims = 1, .global = {items}, .local = {group}};
  f.found = dslc_machine_launch(f.machine, f.program, kernel, arguments, 3, &range);
  return f;
}

static fixture run_body(const char *body, int n) {
  char text[3000];
  snprintf(text, sizeof text, "__kernel void k(__global double *a, __global int *b, const int n)\n{\n%s\n}\n",
           body);
  return run_text(text, 32, 16, 1, n);
}

static void close_fixture(fixture *f) {
  dslc_kernels_destroy(&f->program);
  dslc_machine_destroy(&f->machine);
  dslc_memory_destroy(&f->a);
  dslc_memory_destroy(&f->b);
}

static void is_right(const char *body) {
  int n;
  fixture f = run_body(body, 7);
  if (f.found) fail_msg("%s\n%s", body, dslc_machine_faults(f.machine, &n)->text);
  close_fixture(&f);
}

/* Among the faults is one of this kind, whose message has this part. */
static void is_wrong(const char *body, dslc_fault_kind kind, const char *part) {
  int n;
  fixture f = run_body(body, 7);
  if (!f.found) fail_msg("nothing found: %s", body);
  const dslc_fault *fault = dslc_machine_faults(f.machine, &n);
  bool among = false;
  for (int i = 0; i < n; i++) among = among || (fault[i].kind == kind && strstr(fault[i].text, part));
  if (!among) fail_msg("%s\n%s\nis not: %s", body, fault->text, part);
  close_fixture(&f);
}

/* ---- Faults ----------------------------------------------------------------------------------------------------------------- */

static void races_in_local_memory(void **state) {
  (void)state;
  is_wrong(
      "__local double s[16];\nconst int i = get_local_id(0);\ns[i] = 1.0;\na[get_global_id(0)] = s[15 - i];",
      DSLC_FAULT_RACE, "of `s`");
  is_right(
      "__local double s[16];\nconst int i = get_local_id(0);\ns[i] = 1.0;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
      "a[get_global_id(0)] = s[15 - i];");
  is_wrong("__local int s[1];\ns[0] = 3;", DSLC_FAULT_RACE, "a race: write of what is written by item (");
  is_wrong("__local int s;\nif (get_local_id(0) == 0) s = "
           "3;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nb[get_global_id(0)] = s;",
           DSLC_FAULT_RACE, "of `s`"); /* a barrier for other memory */
  is_right(
      "__local int s;\nif (get_local_id(0) == 0) s = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\natomic_max(&s, 3);\n"
      "barrier(CLK_LOCAL_MEM_FENCE);\nb[get_global_id(0)] = s;");
  is_wrong(
      "__local int s;\nif (get_local_id(0) == 0) s = 0;\nbarrier(CLK_LOCAL_MEM_FENCE);\natomic_max(&s, 3);\n"
      "b[get_global_id(0)] = s;",
      DSLC_FAULT_RACE, "of `s`");
}

static void races_in_buffers(void **state) {
  (void)state;
  is_wrong("a[get_global_id(0)] = a[(get_global_id(0) + 1)%32];", DSLC_FAULT_RACE, "`a` (buffer `first`)");
  is_right("a[get_global_id(0)] = a[32 + get_global_id(0)];");
  is_wrong("b[get_global_id(0)/2] = 1;", DSLC_FAULT_RACE, "a race: write of what is written by");
  is_right("volatile __global int *const flags = b;\nflags[0] = 1;");
  is_wrong("volatile __global int *const flags = b;\nflags[0] = get_global_id(0);", DSLC_FAULT_RACE,
           "element 0 of `b`");
  /* a barrier orders a group's items, not groups */
  is_wrong("if (get_local_id(0) == 0) b[0] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\nif (get_local_id(0) == 1) "
           "b[0] = 2;",
           DSLC_FAULT_RACE, "element 0 of `b`");
  is_right(
      "const int g = get_group_id(0);\nif (get_local_id(0) == 0) b[g] = 1;\nbarrier(CLK_GLOBAL_MEM_FENCE);\n"
      "if (get_local_id(0) == 1) b[g] = 2;");
  is_wrong("const double x = a[0];\nif (get_global_id(0) == 17) a[0] = x;", DSLC_FAULT_RACE,
           "element 0 of `a`");
}

static void reads_of_what_nobody_wrote(void **state) {
  (void)state;
  is_wrong("__local double s[16];\na[get_global_id(0)] = s[get_local_id(0)];", DSLC_FAULT_UNSET,
           "read of what was never written: element ");
  is_wrong("b[get_global_id(0)] += 1;", DSLC_FAULT_UNSET, "of `b`");
  is_right("b[get_global_id(0)] = 0;\nb[get_global_id(0)] += 1;");
  is_wrong("double x;\nif (n < 0) x = 1.0;\na[get_global_id(0)] = x;", DSLC_FAULT_UNSET,
           "read of a variable that was never set: `x`");
  is_right("double x;\nif (n > 0) x = 1.0;\na[get_global_id(0)] = x;");
  is_wrong("double x[4];\nx[1] = 1.0;\na[get_global_id(0)] = x[2];", DSLC_FAULT_UNSET, "element 2 of `x`");
  is_right("double x[4];\nx[1] = 1.0;\na[get_global_id(0)] = x[1];");
  is_wrong("for (int i = 0; i < 2; ++i) {\nint x;\nif (i == 0) x = 1;\nb[get_global_id(0)] = x;\n}",
           DSLC_FAULT_UNSET, "`x`");
  /* local memory of one group is not the next one's */
  is_wrong(
      "__local int s[16];\nif (get_group_id(0) == 0) s[get_local_id(0)] = 1;\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
      "b[get_global_id(0)] = s[get_local_id(0)];",
      DSLC_FAULT_UNSET, "of `s`");
}

/* What stands in local memory before is no pointer, whatever its bits. */
static void pointers_that_nobody_wrote(void **state) {
  (void)state;
  fixture f = run_text("typedef struct seen {\n  __global double *x;\n} seen;\n"
                       "__kernel void k(__global double *a, __global int *b, const int n)\n{\n"
                       "  __local seen s[1];\n  s->x[n] = 1.0;\n}\n",
                       1, 1, 1, 7);
  int n;
  assert_true(f.found);
  assert_int_equal(dslc_machine_faults(f.machine, &n)->kind, DSLC_FAULT_UNSET);
  assert_int_equal(dslc_machine_faults(f.machine, &n)[1].kind, DSLC_FAULT_OUTSIDE);
  assert_int_equal(n, 2);
  close_fixture(&f);
}

/* A fault deep in functions names the calls that led there, from the inside out. */
static void callers(void **state) {
  (void)state;
  fixture f =
      run_text("double deep(__global const double *a, const int i)\n{\n  return a[i];\n}\n"
               "double middle(__global const double *a, const int i)\n{\n  return deep(a, i) + 1.0;\n}\n"
               "__kernel void k(__global double *a, __global int *b, const int n)\n{\n"
               "  if (n < 0) a[0] = deep(a, 1);\n  a[0] = middle(a, -5);\n}\n",
               1, 1, 1, 7);
  int n;
  assert_true(f.found);
  const char *text = dslc_machine_faults(f.machine, &n)->text;
  if (!strstr(text, "line 3: ") || !strstr(text, ", called in line 7, in line 12\n")) fail_msg("%s", text);
  close_fixture(&f);
}

static void accesses_outside(void **state) {
  (void)state;
  is_wrong("a[64 + get_global_id(0)] = 1.0;", DSLC_FAULT_OUTSIDE,
           "of `a` (buffer `first`), which has 64 of 8 bytes");
  is_wrong("a[-1 - n] = 1.0;", DSLC_FAULT_OUTSIDE, "element -8 of `a`");
  is_wrong("double x[4];\nx[n] = 1.0;", DSLC_FAULT_OUTSIDE, "element 7 of `x`");
  is_wrong("__local double s[4];\ns[get_local_id(0)] = 1.0;", DSLC_FAULT_OUTSIDE,
           "of `s`, which has 4 of 8 bytes");
  is_wrong("__global double *x = 0;\nx[n] = 1.0;", DSLC_FAULT_OUTSIDE, "through a pointer to nothing");
  is_right("a[32 + get_global_id(0)] = 1.0;");
}

static void barriers_that_some_miss(void **state) {
  (void)state;
  is_wrong("if (get_local_id(0) > 3) return;\nbarrier(CLK_LOCAL_MEM_FENCE);", DSLC_FAULT_BARRIER,
           "a barrier that other items");
  is_wrong("if (get_local_id(0) > 3) barrier(CLK_LOCAL_MEM_FENCE);\nelse barrier(CLK_LOCAL_MEM_FENCE);",
           DSLC_FAULT_BARRIER, "a barrier");
  is_wrong("for (int i = 0; i < (int)get_local_id(0); ++i) barrier(CLK_LOCAL_MEM_FENCE);", DSLC_FAULT_BARRIER,
           "a barrier");
  is_right("for (int i = 0; i < n; ++i) barrier(CLK_LOCAL_MEM_FENCE);");
  is_right("if (get_group_id(0) > 0) return;\nbarrier(CLK_LOCAL_MEM_FENCE);");
  const char *by_two_ways = "void meet(const int i) { barrier(CLK_LOCAL_MEM_FENCE); }\n"
                            "__kernel void k(__global double *a, __global int *b, const int n)\n"
                            "{ if (get_local_id(0) > 3) meet(1); else meet(2); }\n";
  int n;
  fixture f = run_text(by_two_ways, 32, 16, 1, 7);
  assert_int_equal(f.found, 1);
  assert_non_null(strstr(dslc_machine_faults(f.machine, &n)->text, "reach by another way"));
  close_fixture(&f);
}

static void arithmetic_of_integers(void **state) {
  (void)state;
  is_wrong("b[get_global_id(0)] = INT_MAX - 3 + n;", DSLC_FAULT_ARITHMETIC, "an integer overflows");
  is_wrong("b[get_global_id(0)] = 3/(n - 7);", DSLC_FAULT_ARITHMETIC, "a division by zero");
  is_wrong("b[get_global_id(0)] = 1 << (n + 25);", DSLC_FAULT_ARITHMETIC, "a shift by too much");
  is_wrong("b[get_global_id(0)] = (int)(1e10*n);", DSLC_FAULT_ARITHMETIC,
           "a number that does not fit an int");
  is_wrong("b[get_global_id(0)] = (int)(a[0]/a[0]);", DSLC_FAULT_ARITHMETIC, "an integer made of a NaN");
  is_right(
      "b[get_global_id(0)] = INT_MAX - 11 + n + 3/(n - 6) - (1 << (n - 7)) + (int)((unsigned)(n - 8)%2u);");
  is_wrong("while (n > 0) b[get_global_id(0)] = 1;", DSLC_FAULT_ENDLESS, "a loop without end");
}

static void faults_say_where(void **state) {
  (void)state;
  int n;
  fixture f = run_text("__kernel void k(__global double *a, __global int *b, const int n)\n{\n"
                       "  const double x = a[0]; // heat.ew:12\n  a[1] = x; // heat.ew:14 (3)\n}\n",
                       4, 4, 0, 0);
  assert_int_equal(f.found, 1);
  const dslc_fault *fault = dslc_machine_faults(f.machine, &n);
  assert_int_equal(n, 1);
  assert_int_equal(fault->line, 4);
  assert_int_equal(fault->times, 3);
  assert_string_equal(fault->scheme_line, "heat.ew:14");
  assert_string_equal(
      fault->text,
      "kernel 'k', line 4 (heat.ew:14): a race: write of what is written by item (0, 0, 0): element 1 "
      "of `a` (buffer `first`), which has 64 of 8 bytes, by item (1, 0, 0), and again\n"
      "  a[1] = x; // heat.ew:14 (3)");
  close_fixture(&f);
}

/* ---- Meaning ---------------------------------------------------------------------------------------------------------------- */

/* a[0] is what the text says; by one item. */
static void gives(const char *body, double expected) {
  int n;
  char text[3000];
  snprintf(text, sizeof text,
           "typedef struct { double x; int i; } pair;\n"
           "static inline double twice(const double x) { return 2.0*x; }\n"
           "static inline pair swap(const pair p) { const pair q = {(double)p.i, (int)p.x}; return q; }\n"
           "static inline void set(double *x, const double to) { *x = to; }\n"
           "static inline int sign(const int i) { switch (i & 3) { case 0: return 5; case 1: { int k = i; k "
           "+= 1; return k; } case 2: "
           "break; default: return -1; } return 9; }\n"
           "__kernel void k(__global double *a, __global int *b, const int n)\n{\n%s\n}\n",
           body);
  fixture f = run_text(text, 1, 1, 1, 7);
  if (f.found) fail_msg("%s\n%s", body, dslc_machine_faults(f.machine, &n)->text);
  const double got = ((const double *)dslc_memory_data(f.a))[0];
  if (got != expected) fail_msg("%s\ngives %.17g, not %.17g", body, got, expected);
  close_fixture(&f);
}

static void expressions_mean_what_c_says(void **state) {
  (void)state;
  gives("a[0] = 7/2*2.0 + 7%4 - (-7)/2;", 12.0);
  gives("a[0] = 1.0/3.0 + n;", 1.0 / 3.0 + 7.0);
  gives("const float f = 0.1f; a[0] = f*3;", (double)(0.1f * 3));
  gives("a[0] = (n > 3 && n < 9) + (n == 7 || a[100] > 0.0) + !(n != 7);", 3.0);
  gives("a[0] = n > 3 ? n > 8 ? 1.0 : 2.0 : 3.0;", 2.0);
  gives("int i = 3; int j = i++ + ++i; i <<= 2; i -= 1; a[0] = 100*j + i;", 819.0);
  gives("a[0] = twice(twice(3.0) + twice(twice(1.0)));", 20.0);
  gives("const pair p = {3.0, 4}; a[0] = swap(p).x*10.0 + swap(swap(p)).x;", 43.0);
  gives("pair p; p.x = 2.0; p.i = 5; pair q = p; q.i *= 2; a[0] = p.i + q.i + q.x;", 17.0);
  gives("double x = 1.0; set(&x, 4.0); a[0] = x;", 4.0);
  gives("a[0] = sign(0)*1000 + sign(1)*100 + sign(2)*10 + sign(3);", 5289.0);
  gives("int sum = 0; for (int i = 0, j = 9; i < j; ++i, --j) { if (i == 1) continue; if (i == 4) break; sum "
        "+= i*j; } a[0] = sum;",
        0 * 9 + 2 * 7 + 3 * 6);
  gives("int i = 0; do { i += 3; } while (i < 7); while (i > 4) i -= 2; a[0] = i;", 3.0);
  gives("double x[3] = {1.0, 2.0, 3.0}; int s = 0; for (int i = 0; i < 3; ++i) s += (int)x[i]*(i + 1); a[0] "
        "= s;",
        14.0);
  gives("a[0] = min(3, n) + max(n, 9) + fmax(1.5, 0.5) + sqrt(16.0) + fabs(-2.0) + floor(2.7);",
        3 + 9 + 1.5 + 4 + 2 + 2.0);
  gives("a[0] = as_double(as_long(3.5)) + (as_long(1.0) == 0x3ff0000000000000);", 4.5);
  gives("a[0] = (double)((unsigned)(-1)%10u) + (~n & 15) + (5 ^ 3) + (13 >> 2);", 5 + 8 + 6 + 3);
  gives("__global double *p = a + 3; p += 2; --p; *p = 8.0; a[0] = p[0] + p[-1] + a[4];", 19.0);
  gives("a[0] = -INFINITY < INFINITY && !(NAN == NAN) ? 1.0 : 2.0;", 1.0);
  gives("a[0] = 1e16 + 1.0*1.0 - 1e16;", 0.0);
  gives("b[1] = 2; b[0] = b[1] = b[1] + 1; a[0] = b[0] + b[1];", 6.0);
}

static void the_order_is_random_and_repeats(void **state) {
  (void)state;
  double seen[3] = {0.0};
  for (int i = 0; i < 3; i++) {
    fixture f = run_text("__kernel void k(__global double *a, __global int *b, const int n) { a[0] = "
                         "2.0*a[0] + get_global_id(0); }",
                         16, 8, i < 2 ? 5 : 6, 0);
    assert_int_equal(f.found, 2); /* which is why it is a race */
    seen[i] = ((const double *)dslc_memory_data(f.a))[0];
    close_fixture(&f);
  }
  assert_true(seen[0] == seen[1]);
  assert_true(seen[0] != seen[2]);
}

/* Arrays of one type serve launch after launch, each as long as the longest needs it. */
static void joined_launches_share_local_memory(void **state) {
  (void)state;
  static const char text[] =
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void one(__global double *a)\n"
      "{ __local double x[8]; __local double y[4]; __local int n[3]; x[get_local_id(0)] = 1.0; "
      "y[get_local_id(0)/2] = 2.0; n[0] = 1; }\n"
      "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void two(__global double *a)\n"
      "{ __local double z[16]; z[get_local_id(0)] = 1.0; }\n";
  char message[500];
  dslc_kernels *program = dslc_kernels_parse(text, "", message, sizeof message);
  if (!program) fail_msg("%s", message);
  const int launches[] = {0, 1, 0, 1};
  enum { SEATS = 8 }; /* bytes, of join.cl */
  assert_int_equal(dslc_kernels_join_local(program, launches, 1), SEATS + 8 * 8 + 4 * 8 + 2 * 8);
  for (int n = 2; n <= 4; n++)
    assert_int_equal(dslc_kernels_join_local(program, launches, n), SEATS + 16 * 8 + 4 * 8 + 2 * 8);
  const uint64_t bytes = dslc_kernels_join_local(program, launches, 2);
  const char *const kernel[] = {"one", "two"};
  const bool alone[] = {false, false};
  const dslc_join join = {.name = "both", .n = 2, .kernel = kernel, .alone = alone, .group = 8};
  const char *joined = dslc_kernels_join(program, &join, 1);
  assert_non_null(joined);
  char whole[20000];
  snprintf(whole, sizeof whole, "%s%s", text, joined);
  dslc_kernels *read = dslc_kernels_parse(whole, "", message, sizeof message);
  if (!read) fail_msg("%s", message);
  dslc_kernel_info info;
  if (!dslc_kernels_open(read, dslc_kernels_find(read, "both"), &info, message, sizeof message))
    fail_msg("%s", message);
  assert_int_equal(info.local_bytes, bytes);
  dslc_kernels_destroy(&read);
  dslc_kernels_destroy(&program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(races_in_local_memory),
      cmocka_unit_test(races_in_buffers),
      cmocka_unit_test(reads_of_what_nobody_wrote),
      cmocka_unit_test(pointers_that_nobody_wrote),
      cmocka_unit_test(callers),
      cmocka_unit_test(accesses_outside),
      cmocka_unit_test(barriers_that_some_miss),
      cmocka_unit_test(arithmetic_of_integers),
      cmocka_unit_test(faults_say_where),
      cmocka_unit_test(expressions_mean_what_c_says),
      cmocka_unit_test(the_order_is_random_and_repeats),
      cmocka_unit_test(joined_launches_share_local_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
