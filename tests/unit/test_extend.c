/* Schemes made of others mean what one scheme that says the same means: the graphs are the same but for where the text stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dslc.h"

enum { MOST_FILES = 4 };

/* Files, of which the last is compiled, and one scheme that says the same. */
typedef struct example {
  const char *what;
  const char *file[MOST_FILES][2]; /* name, text */
  const char *whole;
  const char *after; /* the step behind which they are the same; NULL: the analysis */
} example;

#define BASE                                                                                                 \
  "  parameter kappa = 1 [m^2/s], cfl = 0.9\n"                                                               \
  "  state T @ cells [K]\n"                                                                                  \
  "  fn twice(a) = 2*a\n"                                                                                    \
  "  flux q @ faces = kappa*(T[L] - T[R])/distance\n"

#define BASE_REST                                                                                            \
  "  boundary held(Tw [K]) {\n    let twofold = twice(Tw)\n    ghost T = twofold - T[L]\n  }\n"              \
  "  boundary tight { flux q = 0  ghost T = T[L] }\n"

#define BASE_DT "  dt = cfl*min(c in cells) volume/(sum(f of c) area*kappa/distance)\n"
#define LOSE    "T = T - dt/volume*sum(f of c) area*q"

#define LIBRARY_STEP                                                                                         \
  "  state T @ cells\n  warm @ cells = half(T)\n  boundary none { }\n  dt = 1\n  step { update T = warm "    \
  "}\n}\n"
#define LIBRARY_IMPORTED                                                                                     \
  "  warm @ cells = half(T)\n  state T @ cells\n  boundary none { }\n  dt = 1\n  step { update T = warm "    \
  "}\n}\n"
#define BASE_OF_LIBRARY "scheme base on mesh(2) {\n" LIBRARY_STEP

static const example examples[] = {
    {"nothing is said",
     {{"base", "scheme base on mesh(D) {\n" BASE BASE_REST BASE_DT "  step { update " LOSE " }\n}\n"},
      {"mine", "scheme mine extends base { }\n"}},
     "scheme mine on mesh(D) {\n" BASE BASE_REST BASE_DT "  step { update " LOSE " }\n}\n",
     NULL},
    {"a state, statements before and behind, lines of rules with an argument",
     {{"base", "scheme base on mesh(2) {\n" BASE BASE_REST BASE_DT "  step { update " LOSE " }\n}\n"},
      {"mine", "scheme mine extends base {\n  state S @ cells [K]\n"
               "  step {\n    update S = (S + T)/2\n    step of base\n    update S = S - dt/volume*sum(f of "
               "c) area*kappa*(S - T)/distance*0\n  }\n"
               "  add boundary held(Sw [K] = 3) { ghost S = Sw + twofold }\n  add boundary tight { ghost S = "
               "0 }\n}\n"}},
     "scheme mine on mesh(2) {\n" BASE "  boundary held(Tw [K], Sw [K] = 3) {\n    let twofold = twice(Tw)\n "
     "   ghost T = twofold - T[L]\n    ghost S = Sw + twofold\n  }\n"
     "  boundary tight { flux q = 0  ghost T = T[L]  ghost S = 0 }\n" BASE_DT "  state S @ cells [K]\n"
     "  step {\n    update S = (S + T)/2\n    update " LOSE
     "\n    update S = S - dt/volume*sum(f of c) area*kappa*(S - T)/distance*0\n  }\n}\n",
     NULL},
    {"an equation, one of two parameters, a line of a rule, and dt by the old one",
     {{"base", "scheme base on mesh(2) {\n" BASE BASE_REST BASE_DT "  step { update " LOSE " }\n}\n"},
      {"mine", "scheme mine extends base {\n  replace parameter cfl = 0.5\n"
               "  replace flux q @ faces = 2*kappa*(T[L] - T[R])/distance\n"
               "  replace dt = base.dt/2\n  add boundary held { replace ghost T = Tw }\n}\n"}},
     "scheme mine on mesh(2) {\n  parameter kappa = 1 [m^2/s]\n  state T @ cells [K]\n  fn twice(a) = 2*a\n"
     "  flux q @ faces = 2*kappa*(T[L] - T[R])/distance\n"
     "  boundary held(Tw [K]) {\n    let twofold = twice(Tw)\n    ghost T = Tw\n  }\n"
     "  boundary tight { flux q = 0  ghost T = T[L] }\n"
     "  dt = base.dt/2\n  step { update " LOSE " }\n  parameter cfl = 0.5\n"
     "  base.dt = cfl*min(c in cells) volume/(sum(f of c) area*kappa/distance)\n}\n",
     NULL},
    {"a given becomes a state, a rule and the step are replaced",
     {{"base", "scheme base on mesh(2) {\n  state T @ cells\n  given z, w @ cells\n  boundary b { ghost T = "
               "0 }\n  dt = 1\n"
               "  step { update T = T + z + w }\n}\n"},
      {"mine",
       "scheme mine extends base {\n  replace state z @ cells\n  replace boundary b(v) { ghost T = v }\n"
       "  replace step { update z = z + w }\n}\n"}},
     "scheme mine on mesh(2) {\n  state T @ cells\n  given w @ cells\n  boundary b(v) { ghost T = v }\n  dt "
     "= 1\n"
     "  state z @ cells\n  step { update z = z + w }\n}\n",
     NULL},
    {"three in a row, and the step of the one between twice",
     {{"low", "scheme low on mesh(2) {\n  state T @ cells\n  boundary b { }\n  dt = 1\n  step { update T = "
              "T/2 }\n}\n"},
      {"middle",
       "scheme middle extends low {\n  parameter a = 3\n  step { step of low  update T = a*T }\n}\n"},
      {"mine",
       "scheme mine extends middle {\n  replace parameter a = 4\n"
       "  step { step of middle  repeat { step of middle } until max(c in cells) T < 1 at most 2 }\n}\n"}},
     "scheme mine on mesh(2) {\n  state T @ cells\n  boundary b { }\n  dt = 1\n  parameter a = 4\n"
     "  step {\n    update T = T/2\n    update T = a*T\n"
     "    repeat { update T = T/2  update T = a*T } until max(c in cells) T < 1 at most 2\n  }\n}\n",
     NULL},
    {"copies of an exchange are replaced by name",
     {{"base", "scheme base on grid(2) {\n  state p @ cells\n  exchange x <-> y {\n    F.x @ xfaces = p[i,j] "
               "- p[i-1,j]\n  }\n"
               "  boundary mirror { ghost p = p[mirror] }\n  dt = 1\n"
               "  step { update p = p + F.x[i+1,j] - F.x[i,j] + F.y[i,j+1] - F.y[i,j] }\n}\n"},
      {"mine", "scheme mine extends base {\n  replace F.y @ yfaces = 2*(p[i,j] - p[i,j-1])\n}\n"}},
     "scheme mine on grid(2) {\n  state p @ cells\n  F.x @ xfaces = p[i,j] - p[i-1,j]\n  F.y @ yfaces = "
     "2*(p[i,j] - p[i,j-1])\n"
     "  boundary mirror { ghost p = p[mirror] }\n  dt = 1\n"
     "  step { update p = p + F.x[i+1,j] - F.x[i,j] + F.y[i,j+1] - F.y[i,j] }\n}\n",
     NULL},
    {"names of a scheme are imported with what they read",
     {{"base",
       "scheme base on mesh(2) {\n  parameter a = 2, b = 3\n  state T @ cells\n  fn half(T) = T/2\n"
       "  warm @ cells = half(T) + a where b = 1\n  other @ cells = b*T\n  boundary none { }\n  dt = 1\n"
       "  step { update T = warm + other }\n}\n"},
      {"mine",
       "import warm of base\nscheme mine on mesh(2) {\n  state T @ cells\n  boundary none { }\n  dt = 1\n"
       "  step { update T = warm }\n}\n"}},
     "scheme mine on mesh(2) {\n  warm @ cells = half(T) + a where b = 1\n  fn half(T) = T/2\n  parameter a "
     "= 2\n  state T @ cells\n"
     "  boundary none { }\n  dt = 1\n  step { update T = warm }\n}\n",
     NULL},
    {"statements chosen by a variant",
     {{"base", "scheme base on mesh(2) {\n  variant way = one | two\n  state T @ cells\n  boundary none { "
               "}\n  dt = 1\n"
               "  step {\n    if way == two { update T = 2*T } else if way == one { update T = T/2  update T "
               "= T/3 } else { }\n"
               "    if way == two { update T = 7 }\n    repeat { if way != two { update T = T/5 } } until "
               "max(c in cells) T < 1\n  }\n}\n"},
      {"mine", "scheme mine extends base { }\n"}},
     "scheme mine on mesh(2) {\n  variant way = one | two\n  state T @ cells\n  boundary none { }\n  dt = 1\n"
     "  step {\n    update T = T/2\n    update T = T/3\n    repeat { update T = T/5 } until max(c in cells) "
     "T < 1\n  }\n}\n",
     .after = "sweep"},
    {"what the importing scheme declares comes first",
     {{"base", "scheme base on mesh(2) {\n  parameter a = 2\n  state T @ cells\n  warm @ cells = T + a\n  "
               "boundary none { }\n  dt = 1\n"
               "  step { update T = warm }\n}\n"},
      {"mine", "import warm of base\nscheme mine on mesh(2) {\n  given a @ cells\n  state T @ cells\n  "
               "boundary none { }\n  dt = 1\n"
               "  step { update T = warm }\n}\n"}},
     "scheme mine on mesh(2) {\n  warm @ cells = T + a\n  given a @ cells\n  state T @ cells\n  boundary "
     "none { }\n  dt = 1\n"
     "  step { update T = warm }\n}\n",
     NULL},
    {"a function of a library that the base imports is replaced",
     {{"tools", "fn half(a) = a/2\nfn third(a) = half(a)/1.5\n"},
      {"base", "import tools\n" BASE_OF_LIBRARY},
      {"mine", "scheme mine extends base { replace fn half(a) = 3*base.half(a) }\n"}},
     "fn half0(a) = a/2\nfn half(a) = 3*half0(a)\nscheme mine on mesh(2) {\n" LIBRARY_STEP,
     NULL},
    {"what the importing scheme declares comes before a library of the other",
     {{"tools", "fn half(a) = a/2\n"},
      {"base", "import tools\n" BASE_OF_LIBRARY},
      {"mine", "import warm of base\nscheme mine on mesh(2) {\n  fn half(a) = 7*a\n  state T @ cells\n  "
               "boundary none { "
               "}\n  dt = 1\n  step { update T = warm }\n}\n"}},
     "fn half(a) = 7*a\nscheme mine on mesh(2) {\n" LIBRARY_IMPORTED,
     NULL},
    {"a library that both files import is one",
     {{"tools", "fn half(a) = a/2\n"},
      {"base", "import tools\n" BASE_OF_LIBRARY},
      {"mine", "import tools\nimport warm of base\nscheme mine on mesh(2) {\n  state T @ cells\n  boundary "
               "none { }\n  dt = "
               "1\n  step { update T = warm }\n}\n"}},
     "fn half(a) = a/2\nscheme mine on mesh(2) {\n" LIBRARY_IMPORTED,
     NULL},
    {"a library comes along with what is imported",
     {{"tools", "fn half(a) = a/2\n"},
      {"base", "import tools\n" BASE_OF_LIBRARY},
      {"mine", "import warm of base\nscheme mine on mesh(2) {\n  state T @ cells\n  boundary none { }\n  dt "
               "= 1\n  step { "
               "update T = warm }\n}\n"}},
     "fn half(a) = a/2\nscheme mine on mesh(2) {\n" LIBRARY_IMPORTED,
     NULL},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

/* Positions are left out. */
static void drop_positions(char *text) {
  char *to = text;
  for (const char *p = text; *p;) {
    if (strncmp(p, " at=", 4) == 0) p += 4 + strcspn(p + 4, " \n");
    else *to++ = *p++;
  }
  *to = '\0';
}

/* The graph behind the analysis; fails with the messages if there are any. */
static char *graph_of(const char *path, const char *text, const example *e) {
  char *dump = NULL, *said = NULL;
  size_t size, said_size;
  FILE *out = open_memstream(&dump, &size), *to = open_memstream(&said, &said_size);
  static const dslc_setting one = {"way", "one"};
  dslc_options options = {.path = path,
                          .n_variants = strstr(e->whole, "variant way") != NULL,
                          .variant = &one,
                          .text = text,
                          .check_only = true,
                          .dims = 2,
                          .n_rules = -1,
                          .n_show = -1,
                          .inspect.dump_after = e->after ? e->after : "sema",
                          .inspect.dump = out};
  dslc_messages *m;
  int status = dslc_compile(&options, NULL, &m);
  dslc_messages_print(m, to, false);
  dslc_messages_destroy(&m);
  fclose(out), fclose(to);
  if (status) fail_msg("%s: %s", e->what, said);
  free(said);
  drop_positions(dump);
  return dump;
}

static void write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void check_example(const example *e) {
  char folder[] = "/tmp/edgewise-extendXXXXXX", path[MOST_FILES][80];
  assert_non_null(mkdtemp(folder));
  int n = 0;
  for (; n < MOST_FILES && e->file[n][0]; n++) {
    snprintf(path[n], sizeof path[n], "%s/%s.ew", folder, e->file[n][0]);
    write_file(path[n], e->file[n][1]);
  }
  char *made = graph_of(path[n - 1], NULL, e), *whole = graph_of("whole.ew", e->whole, e);
  if (strcmp(made, whole) != 0) fail_msg("%s:\n%s\ninstead of\n%s", e->what, made, whole);
  free(made), free(whole);
  for (int i = 0; i < n; i++) unlink(path[i]);
  rmdir(folder);
}

static void schemes_of_others_mean_what_one_means(void **state) {
  (void)state;
  for (int i = 0; i < EXAMPLES; i++) check_example(&examples[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(schemes_of_others_mean_what_one_means)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
