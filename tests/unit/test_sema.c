/* The analysis as a whole: small schemes with the graph they become (tests/golden/sema, EW_BLESS=1 writes it anew), all
 * shipped schemes in all variants, and odd ones that must be dealt with in time that grows with their length. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "dslc.h"

typedef struct outcome {
  int status, errors;
  char *messages; /* free it */
  char *dump;     /* after `sema`; free it */
} outcome;

static outcome check(const char *path, const char *text) {
  outcome r = {0};
  size_t size, dumped;
  FILE *out = open_memstream(&r.messages, &size), *dump = open_memstream(&r.dump, &dumped);
  dslc_options options = {.path = path,
                          .text = text,
                          .check_only = true,
                          .n_rules = -1,
                          .n_show = -1,
                          .inspect.dump_after = "sema",
                          .inspect.dump = dump};
  dslc_messages *m;
  r.status = dslc_compile(&options, NULL, &m);
  r.errors = dslc_messages_errors(m);
  dslc_messages_print(m, out, false);
  dslc_messages_destroy(&m);
  fclose(out);
  fclose(dump);
  return r;
}

static void outcome_free(outcome *r) {
  free(r->messages);
  free(r->dump);
}

/* ---- golden files ------------------------------------------------------------------------------------------------ */

static char *read_text(const char *path) {
  char *text = NULL;
  size_t size;
  FILE *in = fopen(path, "rb"), *out = open_memstream(&text, &size);
  for (int c; in && (c = fgetc(in)) != EOF;) fputc(c, out);
  if (in) fclose(in);
  fclose(out);
  return text;
}

static void golden(const char *name) {
  char path[400], expected[400];
  snprintf(path, sizeof path, "%s/tests/golden/sema/%s.ew", EW_SOURCE_DIR, name);
  snprintf(expected, sizeof expected, "%s/tests/golden/sema/%s.ir", EW_SOURCE_DIR, name);
  outcome r = check(path, NULL);
  assert_string_equal(r.messages, "");
  if (getenv("EW_BLESS")) {
    FILE *out = fopen(expected, "wb");
    assert_non_null(out);
    fputs(r.dump, out);
    fclose(out);
  }
  char *text = read_text(expected);
  assert_string_equal(r.dump, text);
  free(text);
  outcome_free(&r);
}

static void graphs_are_as_they_were(void **state) {
  (void)state;
  static const char *const names[] = {"flux", "block", "operator", "exchange"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) golden(names[i]);
}

/* ---- sides --------------------------------------------------------------------------------------------------------- */

typedef struct side_case {
  const char *flux;   /* of states T, k, u and a vector w at faces */
  const char *expect; /* in the graph or in the messages */
} side_case;

/* Evidence for a flux whose formula is this. */
static void expect_side(const side_case *c) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  fprintf(
      out,
      "scheme s on mesh(2) {\n parameter a\n state T @ cells\n state k @ cells\n state u : vector @ cells\n"
      " given w : vector @ faces\n require k > 0\n grad @ cells = sum(f of c) area*normal*mean(T)/volume\n"
      " odd @ faces = jump(T)\n flux F @ faces = %s\n boundary b { flux F = 0 ghost T = T[L] ghost k = k[L] "
      "ghost u = u[L] }\n dt = 0.1\n"
      " step { update T = T - dt/volume*sum(f of c) area*F }\n}\n",
      c->flux);
  fclose(out);
  outcome r = check("side.ew", text);
  bool found = strstr(r.messages, c->expect) != NULL;
  if (strcmp(c->expect, "proved") == 0) {
    const char *flux = strstr(r.dump, " equation F ");
    found = r.status == 0 && flux &&
            strncmp(strstr(flux, "evidence=") ? strstr(flux, "evidence=") : "", "evidence=proved", 15) == 0 &&
            !strstr(r.messages, "W0251");
  }
  if (!found) fail_msg("%s: not %s\n%s%s", c->flux, c->expect, r.messages, r.dump);
  outcome_free(&r);
  free(text);
}

static void sides_are_proved_or_told(void **state) {
  (void)state;
  static const side_case cases[] = {
      {"-a*jump(T)/distance", "proved"},
      {"max(dot(w, normal), 0)*T[L] + min(dot(w, normal), 0)*T[R]", "proved"},
      {"(if un > 0 then T[L] else T[R])*un where un = dot(w, normal)", "proved"},
      {"if un > 0 then T[L]*un else if un < 0 then T[R]*un else 0 where un = dot(w, normal)", "proved"},
      {"-jump(T)*(if un > 0 then k[L] else if un < 0 then k[R] else mean(k)) where un = dot(mean(u), normal)",
       "proved"},
      {"dot(mean(grad), normal)*sqrt(k[L]*k[R])", "proved"},
      {"sign(jump(T))*max(k[L], k[R])^0.7", "proved"},
      {"if abs(jump(T)) < a then sin(jump(k)) else tanh(jump(T))^3", "proved"},
      {"if min(un, s) > 0 then T[L]*un else if max(un, s) < 0 then T[R]*un else 0 where un = dot(w, "
       "normal), s = un + jump(T)",
       "proved"},
      {"if min(un, s) >= 0 then T[L]*un else if max(un, s) <= 0 then T[R]*un else 0 where un = dot(w, "
       "normal), s = un + jump(T)",
       "W0251"}, /* both hold where un = s = 0 */
      {"if abs(mean(T)) > 0 then -jump(k) else k[L]", "E0215"},
      {"if abs(mean(T)) > 0 then -jump(k) else jump(k)*mean(k)", "proved"},
      {"if speed > 0 then -jump(k)*speed else 1 where speed = abs(T[L]) + abs(T[R])", "E0215"},
      {"if max(T[L], T[R]) > 0 then -jump(k) else if min(T[L], T[R]) < 0 then -jump(k) else k[L]", "E0215"},
      {"if T[L] == 0 and T[R] == 0 then k[L] else -jump(k)", "E0215"},
      {"sqrt(mean(T)^2 - 1e9)", "E0215"}, /* even, and nowhere a number of order one */
      {"if a > 0 then T[L] else -jump(T)", "E0215"},
      {"odd*mean(T)*T[L]*T[R]", "proved"},
      {"odd.prev*mean(T.prev)", "proved"},
      {"norm(jump(u))*dot(mean(u), normal)/(T[L]^2 + T[R]^2 + 1)", "proved"},
      {"(if T[R] > 2*T[L] then T[L] else if T[L] > 2*T[R] then T[R] else 1)*jump(T)",
       "E0215"}, /* T may be negative, k may not */
      {"(if k[R] > 2*k[L] then T[L] else if k[L] > 2*k[R] then T[R] else 1)*jump(T)", "W0251"},
      {"(if k[R]^2 > 4*k[L]^2 + 1e-3 then T[L] else if k[L]^2 > 4*k[R]^2 + 1e-3 then T[R] else 1)*jump(T)",
       "W0251"},
      {"(if un > 0 then k[L] else k[R])*jump(T) where un = dot(mean(u), normal)", "go different ways"},
      {"(if (if k[R] > k[L] then T[L] else T[R]) <= 0 then T[L] + 1 else 2) - "
       "(if (if k[L] > k[R] then T[R] else T[L]) < 0 then T[R] + 1 else 2)",
       "E0215"}, /* where the chosen one is 0 */
      {"if un > 0 then un*(if (if 0 <= un*T[L] then 1 else k[R]) <= T[L] then 3 else area) else "
       "un*(if (if 0 <= -un*T[R] then 1 else k[L]) < T[R] then 3 else area) where un = dot(w, normal)",
       "E0215"}, /* where T is 1 */
      {"odd.prev*T[L]", "E0215"},
      {"jump(T) + max(T[L]*k[L] - 12000, 0)", "E0215"},
      {"if abs(T[L]) > 20 then T[L] else jump(T)", "E0215"},
      {"if t > 100 then T[L] else jump(T)", "E0215"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_side(&cases[i]);
}

/* What cells sum and what solvers rely on is told of as a flux is. */
static void what_is_only_tested_is_told(void **state) {
  (void)state;
  static const char *const sums[][2] = {
      {"T[L]*T[R]", ""},
      {"if k[R]^2 > 4*k[L]^2 + 1e-3 then T[L] else if k[L]^2 > 4*k[R]^2 + 1e-3 then T[R] else 1", "W0251"}};
  static const char *const entries[][2] = {
      {"-L*sqrt(a[I]*a[J])", ""},
      {"-L*(if a[J]^2 > 4*a[I]^2 + 1e-3 then a[I] else if a[I]^2 > 4*a[J]^2 + 1e-3 then a[J] else 1)",
       "W0251"}};
  for (int i = 0; i < 2; i++) {
    char text[700];
    snprintf(text, sizeof text,
             "scheme s on mesh(2) {\n state T @ cells\n given k @ cells\n e @ faces = %s\n boundary b { "
             "ghost T = T[L] ghost k = k[L] }\n"
             " dt = 0.1\n step { update T = T - sum(f of c) area*e }\n}\n",
             sums[i][0]);
    outcome r = check("sum.ew", text);
    if (r.status || (*sums[i][1] ? !strstr(r.messages, sums[i][1]) : *r.messages))
      fail_msg("%s%s", text, r.messages);
    outcome_free(&r);
    snprintf(text, sizeof text,
             "scheme s on mesh(2) {\n state u @ nodes\n given a @ nodes\n M @ nodes = integral(N[I])\n L @ "
             "edges = integral(dot(dN[I], dN[J]))\n"
             " matrix K symmetric @ nodes {\n K[I,J] = %s\n K[I,I] = M\n }\n boundary b(v) { fix u = v }\n"
             " step { solve K*u = M by cg }\n}\n",
             entries[i][0]);
    r = check("matrix.ew", text);
    if (r.status || (*entries[i][1] ? !strstr(r.messages, entries[i][1]) : *r.messages))
      fail_msg("%s%s", text, r.messages);
    outcome_free(&r);
  }
}

/* No shipped flux is the same from both sides because some points said so. */
static void shipped_fluxes_are_proved(void **state) {
  (void)state;
  static const char *const schemes[] = {"acoustics", "advection", "euler_hllc", "heat", "shallow_water"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    char path[400];
    snprintf(path, sizeof path, "%s/schemes/%s.ew", EW_SOURCE_DIR, schemes[i]);
    outcome r = check(path, NULL);
    assert_int_equal(r.status, 0);
    assert_non_null(strstr(r.dump, "evidence=proved"));
    assert_null(strstr(r.dump, "flux evidence=sampled"));
    assert_null(strstr(r.dump, "fluctuation evidence=sampled"));
    outcome_free(&r);
  }
}

/* ---- 0*x ------------------------------------------------------------------------------------------------------------ */

/* Whether the graph holds a constant for it. */
static bool is_folded(const char *formula) {
  char text[600];
  snprintf(text, sizeof text,
           "scheme s on mesh(2) {\n parameter z = 0\n state T @ cells\n state x @ cells\n require 1 < 2 and "
           "T > 0\n"
           " r @ cells = 1/x\n q @ cells = x + 1\n"
           " a @ cells = %s\n dt = 0.1\n step { update x = a + r + q + z }\n boundary b { }\n}\n",
           formula);
  outcome r = check("zero.ew", text);
  if (r.status) fail_msg("%s", r.messages);
  const char *value = strstr(r.dump, "value a = %");
  unsigned node = 0;
  char wanted[40];
  assert_non_null(value);
  assert_int_equal(sscanf(value, "value a = %%%u", &node), 1);
  snprintf(wanted, sizeof wanted, "%%%u = const 0 ", node);
  bool folded = strstr(r.dump, wanted) != NULL;
  outcome_free(&r);
  return folded;
}

static void zero_times_what_may_be_infinite_stays(void **state) {
  (void)state;
  static const char *const folded[] = {
      "0*x", "0*(x*T + 3)/volume", "0*(1/T)", "0*sqrt(T)", "0*q", "0*x^2", "0/T", "0/2"};
  static const char *const kept[] = {"0*x/x",   "0*(1/x)", "0*sqrt(x)", "0*r",          "0*log(T)",
                                     "0*x^0.5", "0/x",     "0*(x/z)",   "0*min(inf, x)"};
  for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
    if (!is_folded(folded[i])) fail_msg("not the literal 0: %s", folded[i]);
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (is_folded(kept[i])) fail_msg("loses a NaN: %s", kept[i]);
}

/* What was a vector before it was 0 is a number where one is wanted. */
static void zeros_have_every_rank(void **state) {
  (void)state;
  static const char *const zeros[] = {"0*v[L]", "0*normal", "0*w[L]", "0*(v[L], T[L])"};
  for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "scheme s on mesh(2) {\n state T @ cells\n state v : vector @ cells\n state w : real[3] @ cells\n"
        " boundary b { ghost T = %s ghost v = 0*T[L] ghost w = 0*v[L] }\n dt = 0.1\n"
        " step { update T = T + 0*v + sum(f of c to d) (T[d] + v.x[d]) }\n}\n",
        zeros[i]);
    outcome r = check("zeros.ew", text);
    if (r.status) fail_msg("%s: %s", zeros[i], r.messages);
    outcome_free(&r);
  }
}

/* ---- warnings ----------------------------------------------------------------------------------------------------------- */

/* Read by name, too: a flux that is named after such an equation is a vector, whatever its units. */
static void equations_of_zeros_keep_their_rank(void **state) {
  (void)state;
  outcome r = check(
      "zero_vectors.ew",
      "scheme s on mesh(2) {\n state v : vector @ cells [m/s]\n state T @ cells [K]\n none @ cells = 0\n"
      " still @ faces = none[L]*v[L] - none[R]*v[R]\n flux Q @ faces = still\n"
      " kept @ cells = T + none + dot(none*v, v)\n"
      " boundary b { flux Q = v[L] }\n dt = 0.1 [s]\n"
      " step { update v = v + sum(f of c) Q  update T = kept }\n}\n");
  if (r.status) fail_msg("%s", r.messages);
  outcome_free(&r);
}

static void names_that_hide_others_are_told(void **state) {
  (void)state;
  static const char *const parts[] = {"state L @ cells\n", "fn f(volume) = 2*volume\n",
                                      "boundary wall(t) { }\n", "e @ cells { let normal = 1\n r = normal }\n",
                                      "e @ cells = dt where dt = 3\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "scheme s on mesh(2) {\n state T @ cells\n flux F @ faces = jump(T)\n boundary b { flux F = 0 "
             "ghost T = T[L] }\n %s"
             " dt = 0.1\n step { update T = T - sum(f of c) F }\n}\n",
             parts[i]);
    outcome r = check("hides.ew", text);
    if (!strstr(r.messages, "W0254")) fail_msg("%s: %s", parts[i], r.messages);
    outcome_free(&r);
  }
  outcome quiet = check(
      "L.ew", "scheme s on mesh(2) { state u @ nodes\n L @ edges = integral(dot(dN[I], dN[J]))\n dt = 1\n"
              "step { update u = u - sum(J near I) L*u[J] } boundary b { } }");
  assert_string_equal(quiet.messages, "");
  outcome_free(&quiet);
}

/* ---- hints -------------------------------------------------------------------------------------------------------------- */

/* What a hint says, done: then there is nothing to say any more. */
static void hints_can_be_followed(void **state) {
  (void)state;
  static const struct {
    const char *before, *hint, *after; /* what a scheme on mesh(2) with a state T consists of */
  } cases[] = {
      {"g(s) @ cells = sum(f of c) area*normal*mean(s)/volume\n flux F @ faces = dot(mean(g(T)), normal)\n "
       "boundary b { ghost T = T[L] }",
       "as in  named @ cells = g(T) , read that one instead, and add to the rule: ghost named = ...",
       "g(s) @ cells = sum(f of c) area*normal*mean(s)/volume\n named @ cells = g(T)\n flux F @ faces = "
       "dot(mean(named), normal)\n"
       " boundary b { ghost T = T[L] ghost named = 0 }"},
      {"g(s) @ cells = sum(f of c) area*normal*mean(s)/volume\n slope @ cells = g(T)\n flux F @ faces = "
       "dot(mean(slope), normal)\n"
       " boundary b { ghost T = T[L] }",
       "add to the rule: ghost slope = ...",
       "g(s) @ cells = sum(f of c) area*normal*mean(s)/volume\n slope @ cells = g(T)\n flux F @ faces = "
       "dot(mean(slope), normal)\n"
       " boundary b { ghost T = T[L] ghost slope = 0 }"},
      {"flux F @ faces = (if dot(mean(w), normal) > 0 then T[L] else T[R])*jump(T)\n given w : vector @ "
       "cells\n boundary b { flux F = 0 }",
       "if a > 0 then x else if a < 0 then y else (x + y)/2",
       "flux F @ faces = (if un > 0 then T[L] else if un < 0 then T[R] else (T[L] + T[R])/2)*jump(T) where "
       "un = dot(mean(w), normal)\n"
       " given w : vector @ cells\n boundary b { flux F = 0 }"},
      {"flux F @ faces = jump(T)\n boundary b { flux F = 0 }\n a = sum(c in cells) T/sum(c in cells) volume",
       "(sum(c in cells) a)/sum(c in cells) b",
       "flux F @ faces = jump(T)\n boundary b { flux F = 0 }\n a = (sum(c in cells) T)/sum(c in cells) "
       "volume"},
      {"flux F @ faces = 2*T\n boundary b { flux F = 0 }",
       "mean(T) is the mean of both, jump(T) their difference",
       "flux F @ faces = jump(T)\n boundary b { flux F = 0 }"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int after = 0; after < 2; after++) {
      char text[900];
      snprintf(text, sizeof text,
               "scheme s on mesh(2) {\n state T @ cells\n %s\n dt = 0.1\n step { update T = T - sum(f of c) "
               "area*F }\n}\n",
               after ? cases[i].after : cases[i].before);
      outcome r = check("hint.ew", text);
      bool good = after ? *r.messages == '\0' : strstr(r.messages, cases[i].hint) != NULL;
      if (!good) fail_msg("%s\n%s", text, r.messages);
      outcome_free(&r);
    }
}

/* ---- imports ------------------------------------------------------------------------------------------------------------ */

static void hundred_files_can_be_imported(void **state) {
  (void)state;
  char folder[] = "/tmp/edgewise-importsXXXXXX", path[80];
  assert_non_null(mkdtemp(folder));
  char *text;
  size_t size;
  FILE *main = open_memstream(&text, &size);
  for (int i = 0; i < 100; i++) {
    snprintf(path, sizeof path, "%s/part%d.ew", folder, i);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "fn f%d(x) = x + %d\n", i, i);
    fclose(out);
    fprintf(main, "import part%d\n", i);
  }
  fputs("scheme s on mesh(2) { state T @ cells\n boundary b { }\n dt = 1\n step { update T = T", main);
  for (int i = 0; i < 100; i++) fprintf(main, " + f%d(T)", i);
  fputs(" } }\n", main);
  fclose(main);
  snprintf(path, sizeof path, "%s/main.ew", folder);
  outcome r = check(path, text);
  assert_string_equal(r.messages, "");
  outcome_free(&r);
  free(text);
  for (int i = 0; i < 100; i++) {
    snprintf(path, sizeof path, "%s/part%d.ew", folder, i);
    remove(path);
  }
  remove(folder);
}

/* ---- the shipped schemes ------------------------------------------------------------------------------------------ */

/* Status 0 also says that the graph was sound after each pass. */
static void shipped_schemes_have_no_messages(void **state) {
  (void)state;
  DIR *dir = opendir(EW_SOURCE_DIR "/schemes");
  assert_non_null(dir);
  int n = 0;
  for (struct dirent *d; (d = readdir(dir));) {
    size_t length = strlen(d->d_name);
    if (length < 4 || strcmp(d->d_name + length - 3, ".ew") != 0) continue;
    char path[400];
    snprintf(path, sizeof path, "%s/schemes/%s", EW_SOURCE_DIR, d->d_name);
    outcome r = check(path, NULL);
    bool library = strstr(r.messages, "declares no scheme") != NULL;
    if (!library) assert_string_equal(r.messages, "");
    assert_int_equal(r.status, library ? 3 : 0);
    n += !library;
    outcome_free(&r);
  }
  closedir(dir);
  assert_true(n >= 10);
}

/* ---- size ---------------------------------------------------------------------------------------------------------- */

typedef void writer(FILE *out, int n);

static void head(FILE *out) {
  fputs("scheme s on mesh(2) {\n state h @ cells\n boundary w { ghost h = h[L] }\n", out);
}
static void tail(FILE *out) { fputs(" dt = 0.1\n step { update h = h }\n}\n", out); }

static void in_order(FILE *out, int n) {
  for (int i = 0; i < n; i++)
    fprintf(out, " e%d @ cells = %s%d + h*%d\n", i, i ? "e" : "0*", i ? i - 1 : 0, i);
}

static void last_first(FILE *out, int n) {
  for (int i = n - 1; i >= 0; i--)
    fprintf(out, " e%d @ cells = %s%d + h*%d\n", i, i ? "e" : "0*", i ? i - 1 : 0, i);
}

static void each_of_two(FILE *out, int n) { /* 2^n ways from the last to the first */
  fputs(" e0 @ faces = jump(h)\n e1 @ faces = 2*jump(h)\n", out);
  for (int i = 2; i < n; i++) fprintf(out, " e%d @ faces = e%d + e%d\n", i, i - 1, i - 2);
}

static void fluxes(FILE *out, int n) {
  for (int i = 0; i < n; i++) fprintf(out, " flux e%d @ faces = jump(h)*mean(h)*%d\n", i, i + 1);
}

static void looking_back(FILE *out, int n) {
  in_order(out, n / 2);
  for (int i = 0; i < n / 2; i++) fprintf(out, " p%d @ cells = e%d.prev\n", i, i);
}

static void long_sum(FILE *out, int n) {
  fputs(" a @ cells = h", out);
  for (int i = 1; i < 10 * n; i++) fprintf(out, " + h*%d", i);
  fputs("\n", out);
}

/* Processor time in seconds. */
static double time_of(writer *write, int n) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  head(out);
  write(out, n);
  tail(out);
  fclose(out);
  clock_t start = clock();
  outcome r = check("long.ew", text);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  assert_string_equal(r.messages, "");
  outcome_free(&r);
  free(text);
  return seconds;
}

#ifdef __SANITIZE_ADDRESS__
enum { SLACK = 4 };
#else
enum { SLACK = 1 };
#endif

/* Measured 4-75 ms a thousand; the bound leaves room for busy machines, not for quadratic time, which was 4 s. */
static void time_grows_with_length(void **state) {
  (void)state;
  static writer *const writers[] = {in_order, last_first, each_of_two, fluxes, looking_back, long_sum};
  for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
    assert_true(time_of(writers[i], 1000) < SLACK);
    assert_true(time_of(writers[i], 4000) < 2 * SLACK);
  }
}

/* ---- odd texts ------------------------------------------------------------------------------------------------------ */

static void expect(const char *text, int status, const char *part) {
  outcome r = check("odd.ew", text);
  if (r.status != status || !strstr(r.messages, part)) print_error("%s\n%s", text, r.messages);
  assert_int_equal(r.status, status);
  assert_non_null(strstr(r.messages, part));
  outcome_free(&r);
}

static void odd_texts_get_clear_answers(void **state) {
  (void)state;
  expect("", 3, "declares no scheme");
  expect("-- nothing but this\n", 3, "declares no scheme");
  expect("scheme s on mesh(2) { }", 3, "has no step");
  expect("scheme s on mesh(2) { state h @ cells  a @ cells { }  dt = 1  step { update h = h } }", 3,
         "is empty");
  expect("import odd_missing\nscheme s on mesh(2) { }", 3, "cannot import");
  expect("scheme s on grid(1) { state p @ cells  dt = 1  step { update p = p[i+31] } }", 3,
         "at most 30 cells");
  expect("scheme s on mesh(2) { state h @ cells  parameter n : int = 3  dt = 1  step { update h = n*h } }", 0,
         "");
}

/* What the step does not ask for on a boundary may read there what nothing gives: `show` is refused, of others it is not. */
static void what_has_no_value_on_a_boundary_is_not_shown(void **state) {
  static const char text[] =
      "scheme s on grid(1) { state p @ cells  lap @ cells = p[i+1] - 2*p + p[i-1]\n"
      "out @ xfaces = lap[i] - lap[i-1]  gap @ xfaces = p[i] - p[i-1]\n"
      "dt = 1  step { update p = p + 0.1*lap }  boundary wall { ghost p = p[mirror] } }";
  static const char *const names[] = {"out", "gap"};
  (void)state;
  for (int i = 0; i < 2; i++) {
    dslc_messages *m = NULL;
    char *said = NULL;
    size_t size = 0;
    dslc_options o = {.path = "s.ew", .text = text, .n_rules = -1, .n_show = 1, .show = &names[i]};
    dslc_program *p = NULL;
    int code = dslc_compile(&o, &p, &m);
    FILE *out = open_memstream(&said, &size);
    dslc_messages_print(m, out, false);
    fclose(out);
    if (i == 0)
      assert_non_null(strstr(said, "`out` cannot be shown: on the boundary it reads what rule `wall`"));
    assert_int_equal(code, i == 0 ? 3 : 0);
    free(said);
    dslc_messages_destroy(&m);
    dslc_program_destroy(&p);
  }
}

/* k is an index letter, and may be the name of something else. */
static void an_exchange_tells_indices_from_names(void **state) {
  (void)state;
  expect("scheme s on grid(3) { parameter k = 2  state p @ cells\n"
         "exchange x -> y -> z { k.x @ xfaces = k*(p[i,j,k] - p[i-1,j,k])  boundary closed across x { fix "
         "k.x = 0 }\n"
         "  net.x @ cells = k.x[i+1,j,k] - k.x[i,j,k] }\n"
         "dt = 1  step { update p = p + dt*(net.x + net.y + net.z) } }",
         0, "");
}

static void a_cycle_of_thousands_is_one_error(void **state) {
  (void)state;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  head(out);
  for (int i = 0; i < 5000; i++) fprintf(out, " e%d @ cells = e%d + 1\n", i, (i + 1) % 5000);
  tail(out);
  fclose(out);
  outcome r = check("cycle.ew", text);
  assert_int_equal(r.errors, 1);
  outcome_free(&r);
  free(text);
}

/* 40 variants have 2^40 combinations; each choice is looked at all the same. */
static void every_choice_of_many_variants_is_checked(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 40; wrong += 13) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    head(out);
    for (int i = 0; i < 40; i++) fprintf(out, " variant v%d = a | b | c\n", i);
    fprintf(out, " z @ cells = if v%d == c then oops else h\n", wrong);
    tail(out);
    fclose(out);
    outcome r = check("variants.ew", text);
    assert_int_equal(r.status, 3);
    assert_non_null(strstr(r.messages, "`oops`"));
    assert_non_null(strstr(r.messages, "found with"));
    outcome_free(&r);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graphs_are_as_they_were),
      cmocka_unit_test(sides_are_proved_or_told),
      cmocka_unit_test(what_is_only_tested_is_told),
      cmocka_unit_test(shipped_fluxes_are_proved),
      cmocka_unit_test(zero_times_what_may_be_infinite_stays),
      cmocka_unit_test(zeros_have_every_rank),
      cmocka_unit_test(equations_of_zeros_keep_their_rank),
      cmocka_unit_test(names_that_hide_others_are_told),
      cmocka_unit_test(hints_can_be_followed),
      cmocka_unit_test(hundred_files_can_be_imported),
      cmocka_unit_test(shipped_schemes_have_no_messages),
      cmocka_unit_test(time_grows_with_length),
      cmocka_unit_test(odd_texts_get_clear_answers),
      cmocka_unit_test(what_has_no_value_on_a_boundary_is_not_shown),
      cmocka_unit_test(an_exchange_tells_indices_from_names),
      cmocka_unit_test(a_cycle_of_thousands_is_one_error),
      cmocka_unit_test(every_choice_of_many_variants_is_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
