/* The formatter against golden files. `EW_BLESS=1 ./test_front_format` writes them anew. */
#include <dirent.h>

#include "test_front_fixture.h"

#include "test_front_tree.h"

#define GOLDEN EW_SOURCE_DIR "/tests/golden/fmt/"

static const char *const files[] = {"tracer",
                                    "choices",
                                    "acoustics",
                                    "advection",
                                    "anisotropic_diffusion",
                                    "burgers",
                                    "convection_diffusion",
                                    "edge_navier_stokes",
                                    "euler_hllc",
                                    "gray_scott",
                                    "heat",
                                    "limiters",
                                    "maxwell_yee",
                                    "messy",
                                    "poisson",
                                    "shallow_water",
                                    "simple_ts"};

static uint32_t load(fixture *f, const char *stem, const char *suffix) {
  uint32_t file = 0;
  const char *path = arena_printf(f->memory, GOLDEN "%s%s", stem, suffix);
  if (source_load(f->sources, path, &file) != 0) fail_msg("cannot read %s", path);
  return file;
}

static const char *formatted(fixture *f, uint32_t file) {
  const char *text = format_file(f->memory, f->names, f->sources, file, f->sink);
  if (text == NULL) fail_msg("%s", fixture_messages(f, false));
  return text;
}

static void bless(fixture *f, const char *stem, const char *text) {
  FILE *out = fopen(arena_printf(f->memory, GOLDEN "%s.formatted", stem), "w");
  assert_non_null(out);
  fputs(text, out);
  fclose(out);
}

static void golden_files_stay_as_they_are(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    fixture f = fixture_create("", "");
    const char *text = formatted(&f, load(&f, files[i], ".ew"));
    if (getenv("EW_BLESS")) bless(&f, files[i], text);
    assert_string_equal(text, source_get(f.sources, load(&f, files[i], ".formatted"))->text);
    fixture_destroy(&f);
  }
}

static void formatting_keeps_the_meaning(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    fixture f = fixture_create("", "");
    const ast_file *before = parse_file(f.memory, f.names, f.sources, load(&f, files[i], ".ew"), f.sink);
    const ast_file *after =
        parse_file(f.memory, f.names, f.sources, load(&f, files[i], ".formatted"), f.sink);
    assert_int_equal(diag_errors(f.sink), 0);
    assert_true(same_file(before, after));
    fixture_destroy(&f);
  }
}

static int count(const char *text, const char *what) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, what)); at++) n++;
  return n;
}

static void formatting_twice_changes_nothing_and_keeps_comments(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    fixture f = fixture_create("", "");
    uint32_t original = load(&f, files[i], ".ew"), once = load(&f, files[i], ".formatted");
    const char *text = source_get(f.sources, once)->text;
    assert_string_equal(formatted(&f, once), text);
    assert_int_equal(count(text, "--"), count(source_get(f.sources, original)->text, "--"));
    fixture_destroy(&f);
  }
}

static void lines_fit_but_for_comments(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    fixture f = fixture_create("", "");
    uint32_t file = load(&f, files[i], ".formatted");
    int length, lines = count(source_get(f.sources, file)->text, "\n");
    for (int n = 1; n <= lines; n++) {
      const char *line = source_line(f.sources, file, n, &length);
      const char *comment = memmem(line, (size_t)length, "--", 2);
      int width = comment ? (int)(comment - line) : length;
      if (comment == NULL) assert_true(width <= 140); /* 100, but for what is laid out by hand */
      assert_true(length == 0 || line[length - 1] != ' ');
    }
    fixture_destroy(&f);
  }
}

/* They are the style: the formatter leaves them alone, to the byte. */
static void shipped_schemes_stay_as_they_are(void **state) {
  (void)state;
  DIR *folder = opendir(EW_SOURCE_DIR "/schemes");
  int n = 0;
  assert_non_null(folder);
  for (struct dirent *e; (e = readdir(folder));) {
    size_t length = strlen(e->d_name);
    if (length < 4 || strcmp(e->d_name + length - 3, ".ew") != 0) continue;
    fixture f = fixture_create("", "");
    uint32_t file = 0;
    assert_int_equal(
        source_load(f.sources, arena_printf(f.memory, EW_SOURCE_DIR "/schemes/%s", e->d_name), &file), 0);
    const char *text = source_get(f.sources, file)->text;
    if (strcmp(formatted(&f, file), text) != 0) fail_msg("dslc fmt changes %s", e->d_name);
    fixture_destroy(&f);
    n++;
  }
  closedir(folder);
  assert_true(n >= 17);
}

static void expect_format(const char *before, const char *after) {
  fixture f = fixture_create("a.ew", before);
  const char *once = formatted(&f, f.file);
  assert_string_equal(once, after);
  f.file = source_add(f.sources, "b.ew", once, (uint32_t)strlen(once));
  assert_string_equal(formatted(&f, f.file), once);
  fixture_destroy(&f);
}

/* Columns of the author's own stay, in the paragraphs that have no careless line. */
static void paragraphs_laid_out_by_hand_stay(void **state) {
  (void)state;
  expect_format(
      "scheme s on mesh(2) {\n  a @ cells = f(u,   v)\n  b @ cells = f(u+w, v)\n\n  c @ cells=1\n}\n",
      "scheme s on mesh(2) {\n  a @ cells = f(u, v)\n  b @ cells = f(u + w, v)\n\n  c @ cells = 1\n}\n");
  expect_format(
      "scheme s on mesh(2) {\n  a @ cells = f(u,     v)\n  b @ cells = f(u + w, v)\n\n  c @ cells=1\n}\n",
      "scheme s on mesh(2) {\n  a @ cells = f(u,     v)\n  b @ cells = f(u + w, v)\n\n  c @ cells = 1\n}\n");
  expect_format("scheme s on mesh(2) {\n  a   @ cells = 1\n}\n",
                "scheme s on mesh(2) {\n  a @ cells = 1\n}\n");
}

static void files_with_errors_are_not_formatted(void **state) {
  (void)state;
  fixture f = fixture_create("a.ew", "scheme s on mesh(2) { x = }");
  assert_null(format_file(f.memory, f.names, f.sources, f.file, f.sink));
  assert_int_equal(diag_errors(f.sink), 1);
  fixture_destroy(&f);
}

static void empty_files_and_lone_comments(void **state) {
  (void)state;
  fixture f = fixture_create("a.ew", "\n\n");
  assert_string_equal(formatted(&f, f.file), "");
  f.file = source_add(f.sources, "b.ew", "\n\n--x\n\n\n--y", 11);
  assert_string_equal(formatted(&f, f.file), "-- x\n\n-- y\n");
  fixture_destroy(&f);
}

static void long_sums_are_filled(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  char *text = arena_alloc(f.memory, 10000 * 8 + 100);
  char *to = text + sprintf(text, "scheme s on mesh(2) {\nx = a");
  for (int i = 0; i < 10000; i++) to += sprintf(to, " + b%04d", i);
  strcpy(to, "\n}\n");
  f.file = source_add(f.sources, "long.ew", text, (uint32_t)strlen(text));
  const char *result = formatted(&f, f.file);
  assert_true(count(result, "\n") > 850 && count(result, "\n") < 950);
  assert_non_null(strstr(result, "\n      + b9999\n}\n"));
  fixture_destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_files_stay_as_they_are),
      cmocka_unit_test(formatting_keeps_the_meaning),
      cmocka_unit_test(formatting_twice_changes_nothing_and_keeps_comments),
      cmocka_unit_test(lines_fit_but_for_comments),
      cmocka_unit_test(shipped_schemes_stay_as_they_are),
      cmocka_unit_test(paragraphs_laid_out_by_hand_stay),
      cmocka_unit_test(files_with_errors_are_not_formatted),
      cmocka_unit_test(empty_files_and_lone_comments),
      cmocka_unit_test(long_sums_are_filled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
