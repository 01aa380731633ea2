/* Wrong schemes and the exact text of what is said about them. Each syntax code occurs. After a change of
 * wording run with EW_BLESS=1 and read the difference. */
#include "test_front_fixture.h"

typedef struct wrong {
  const char *what, *text, *messages;
} wrong;

static const wrong cases[] = {
#include "test_front_errors.inc"
};

enum { CASES = sizeof cases / sizeof *cases };

static void print_lines(FILE *out, const char *text) {
  fputs("     \"", out);
  for (const char *s = text; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '\n') fputs(s[1] ? "\\n\"\n     \"" : "\\n", out);
    else if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c >= 32 && c < 127) fputc(c, out);
    else fprintf(out, "\\%03o", c);
  }
  fputc('"', out);
}

static void bless(void) {
  FILE *out = fopen(EW_SOURCE_DIR "/tests/unit/test_front_errors.inc", "w");
  assert_non_null(out);
  fputs("/* Written by EW_BLESS=1 test_front_errors; the messages were read and judged right. */\n", out);
  for (int i = 0; i < CASES; i++) {
    fixture f = fixture_create("test.ew", cases[i].text);
    fixture_parse(&f);
    fprintf(out, "    {\"%s\",\n", cases[i].what);
    print_lines(out, cases[i].text);
    fputs(",\n", out);
    print_lines(out, fixture_messages(&f, false));
    fputs("},\n", out);
    fixture_destroy(&f);
  }
  fclose(out);
}

static void messages_are_exact(void **state) {
  (void)state;
  if (getenv("EW_BLESS")) {
    bless();
    return;
  }
  for (int i = 0; i < CASES; i++) {
    fixture f = fixture_create("test.ew", cases[i].text);
    assert_non_null(fixture_parse(&f));
    if (strcmp(fixture_messages(&f, false), cases[i].messages) != 0)
      print_error("in case %s\n", cases[i].what);
    assert_string_equal(fixture_messages(&f, false), cases[i].messages);
    fixture_destroy(&f);
  }
}

static void every_syntax_code_has_a_case(void **state) {
  (void)state;
  for (int code = 0; code < DIAG_CODE_COUNT; code++) {
    const char *text = diag_code_text((diag_code)code);
    if (text[2] != '1' || code == DIAG_TOO_LARGE) continue; /* that one is below */
    bool found = false;
    for (int i = 0; i < CASES && !found; i++) found = strstr(cases[i].messages, text) != NULL;
    if (!found) fail_msg("no case shows %s", text);
  }
}

static void too_large_a_file_is_refused(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  uint32_t size = 17u << 20;
  char *text = arena_alloc(f.memory, size + 1);
  memset(text, ' ', size);
  f.file = source_add(f.sources, "large.ew", text, size);
  assert_non_null(fixture_parse(&f));
  assert_int_equal(diag_errors(f.sink), 1);
  assert_int_equal(diag_first(f.sink)->code, DIAG_TOO_LARGE);
  fixture_destroy(&f);
}

/* What follows an error is read as if nothing had happened. */
static void declarations_after_an_error_are_kept(void **state) {
  (void)state;
  fixture f = fixture_create(
      "a.ew", "scheme s on mesh(2) {\n state h @ cells\n bad @ cells = (1 + \n"
              " good @ cells = 2\n worse = 3 +\n step { update h = h + ) update h = 1 }\n last = 1\n}\n");
  const ast_scheme *s = fixture_parse(&f)->scheme;
  assert_int_equal(diag_errors(f.sink), 3);
  assert_non_null(s);
  assert_string_equal(s->decls[s->n_decls - 1]->text, "last");
  const ast_decl *step = s->decls[s->n_decls - 2];
  assert_int_equal(step->kind, AST_STEP);
  assert_int_equal(step->part.step.n, 1);
  fixture_destroy(&f);
}

static void every_cut_of_a_scheme_is_survived(void **state) {
  (void)state;
  fixture f = fixture_create("", "");
  uint32_t file;
  assert_int_equal(source_load(f.sources, EW_SOURCE_DIR "/tests/golden/fmt/heat.ew", &file), 0);
  const source_file *heat = source_get(f.sources, file);
  for (uint32_t size = 0; size < heat->size; size++) {
    fixture g = fixture_create("", "");
    g.file = source_add(g.sources, "cut.ew", heat->text, size);
    assert_non_null(fixture_parse(&g));
    assert_true(strlen(fixture_messages(&g, false)) < 5000);
    fixture_destroy(&g);
  }
  fixture_destroy(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_are_exact),
      cmocka_unit_test(every_syntax_code_has_a_case),
      cmocka_unit_test(too_large_a_file_is_refused),
      cmocka_unit_test(declarations_after_an_error_are_kept),
      cmocka_unit_test(every_cut_of_a_scheme_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
