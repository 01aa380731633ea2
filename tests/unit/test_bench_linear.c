/* `bench linear` on a small system: what it prints of its own solvers, and of peers that are there, fail, or are missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cJSON.h>
#include <cmocka.h>

#include "bench/bench.h"
#include "bench/linear.h"

static char folder[] = "/tmp/edgewise-peers-XXXXXX";

/* What a bench says: `text` to its reader, `log` beside. */
typedef struct said {
  char *text, *log;
  ew_status status;
  ew_error err;
} said;

static said bench(const linear_bench_options *o) {
  said s = {0};
  size_t n, m;
  FILE *out = open_memstream(&s.text, &n), *log = open_memstream(&s.log, &m);
  s.status = bench_linear(o, out, log, &s.err);
  fclose(out);
  fclose(log);
  return s;
}

static void forget(said *s) {
  free(s->text);
  free(s->log);
}

static double number(const cJSON *o, const char *name) {
  const cJSON *n = cJSON_GetObjectItem(o, name);
  assert_true(cJSON_IsNumber(n));
  return n->valuedouble;
}

static void every_solver_reaches_the_tolerance(void **state) {
  static const char *const method[] = {"jacobi", "jacobi,mixed", "chebyshev", "multigrid"};
  (void)state;
  said s = bench(&(linear_bench_options){.device = "c", .n = 3, .repeats = 1, .json = true});
  assert_int_equal(s.status, EW_OK);
  assert_string_equal(s.log, "");
  cJSON *all = cJSON_Parse(s.text);
  const cJSON *sizes = cJSON_GetObjectItem(all, "sizes"), *size = cJSON_GetArrayItem(sizes, 0);
  assert_int_equal(cJSON_GetArraySize(sizes), 1);
  assert_true(number(size, "n") == 3 && number(size, "rows") == 27 && number(size, "entries") > 27);
  const cJSON *solvers = cJSON_GetObjectItem(size, "solvers");
  assert_int_equal(cJSON_GetArraySize(solvers), 4);
  for (int i = 0; i < 4; i++) {
    const cJSON *one = cJSON_GetArrayItem(solvers, i);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(one, "preconditioner")), method[i]);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(one, "who")), "edgewise");
    assert_true(number(one, "relative_residual") <= number(all, "tolerance"));
    assert_in_range((int)number(one, "iterations"), 1, 27);
    assert_true(number(one, "product_gbs") > 0 && number(one, "share_of_triad") > 0 &&
                number(one, "solve_seconds") > 0 && number(one, "setup_seconds") >= 0);
  }
  cJSON_Delete(all);
  forget(&s);
}

static void put_peer(const char *name, const char *script) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fprintf(f, "#!/bin/sh\n%s\n", script);
  fclose(f);
  assert_int_equal(chmod(path, 0755), 0);
}

/* This one says how many rows the file has that it was given, as its iterations; and how many bytes, as its residual. */
static void peers_stand_beside_it(void **state) {
  (void)state;
  put_peer("peer_viennacl", "rows=$(od -An -td4 -N4 \"$1\" | tr -d ' ')\n"
                            "echo \"ViennaCL jacobi 1e-3 2.0 3.0 $rows $(wc -c <\"$1\")\"; echo nonsense\n"
                            "echo \"ViennaCL unheard 1e-3 2.0 3.0 7 1e-9 $2 $3\"");
  said s = bench(&(linear_bench_options){.device = "c", .n = 2, .repeats = 1, .peers = folder});
  assert_int_equal(s.status, EW_OK);
  assert_non_null(strstr(s.log, "without PETSc: "));
  assert_null(strstr(s.log, "without ViennaCL"));
  assert_non_null(strstr(s.text, "2^3 nodes: 8 rows"));
  const char *peer = strstr(s.text, "ViennaCL         jacobi ");
  assert_non_null(peer);
  double gbs, share, each, setup, solve, both;
  int iterations;
  assert_int_equal(sscanf(peer, "ViennaCL jacobi %lf %lf %lf %d %lf %lf %lf", &gbs, &share, &each,
                          &iterations, &setup, &solve, &both),
                   7);
  assert_int_equal(iterations, 8);
  assert_true(setup == 2 && solve == 3 && both == 5 && each == 375);
  assert_non_null(strstr(peer, "(residual too large)"));
  assert_non_null(strstr(s.text, "ViennaCL         unheard "));
  assert_non_null(strstr(s.text, "\nViennaCL, jacobi: edgewise is "));
  assert_null(strstr(s.text, "\nViennaCL, unheard: ")); /* none of our own to compare with */
  forget(&s);
}

static void a_peer_that_fails_is_left_out(void **state) {
  (void)state;
  put_peer("peer_viennacl", "echo 'no device'; exit 3");
  said s = bench(&(linear_bench_options){.device = "c", .n = 2, .repeats = 1, .peers = folder});
  assert_int_equal(s.status, EW_OK);
  assert_non_null(strstr(s.log, "without ViennaCL: exit status 3:\nno device"));
  assert_null(strstr(s.text, "ViennaCL"));
  assert_non_null(strstr(s.text, "edgewise         multigrid"));
  forget(&s);
}

static void what_cannot_be_measured_is_refused(void **state) {
  static const struct {
    linear_bench_options options;
    ew_status status;
    const char *why;
  } wrong[] = {
      {{.device = "c", .n = 1}, EW_USAGE, "at least 2 nodes along a side"},
      {{.device = "c", .n = -2}, EW_USAGE, "at least 2 nodes along a side"},
      {{.device = "c", .n = 2, .repeats = -1}, EW_USAGE, "repeats"},
      {{.device = "c", .n = 2, .repeats = BENCH_MOST_REPEATS + 1, .json = true}, EW_USAGE, "repeats"},
      {{.device = "no such device", .n = 2}, EW_USAGE, "no such device"}};
  (void)state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    said s = bench(&wrong[i].options);
    assert_int_equal(s.status, wrong[i].status);
    if (!strstr(s.err.text, wrong[i].why)) fail_msg("%s", s.err.text);
    assert_string_equal(s.text, "");
    forget(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_reaches_the_tolerance),
      cmocka_unit_test(peers_stand_beside_it),
      cmocka_unit_test(a_peer_that_fails_is_left_out),
      cmocka_unit_test(what_cannot_be_measured_is_refused),
  };
  if (!mkdtemp(folder)) return 1;
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char path[256];
  snprintf(path, sizeof path, "%s/peer_viennacl", folder);
  unlink(path);
  rmdir(folder);
  return failed;
}
